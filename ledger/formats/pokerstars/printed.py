"""Holding a hand, as our rules judged it, to every sum and ending the file prints. Raises UnreadableError."""

from collections import Counter
from collections.abc import Callable

from ledger.formats.pokerstars.played import Ending, Played, UnreadableError
from ledger.table.hand import Hand
from ledger.table.posts import blinds

NameOf = Callable[[str], str]


def compare(played: Played, hand: Hand, name_of: NameOf) -> None:
    """Put in less returned is the pool, the pool is what was paid out and the rake; to whom is as printed."""
    if not hand.over:
        raise UnreadableError(played.last_line, f"hand {played.id} is not over after its last line")
    _returned(played, hand, name_of)
    _pool(played, hand)
    _awards(played, hand, name_of)
    for ending in played.endings.values():
        _ending(played, ending)
        _places(played, ending, hand, name_of)
    _shown(played)


def _returned(played: Played, hand: Hand, name_of: NameOf) -> None:
    printed: Counter[str] = Counter()
    for back in played.uncalled:
        printed[back.player] += back.units
    judged = Counter({name_of(p): units for p, units in hand.returned.items() if units})
    if printed != judged:
        line = played.uncalled[0].line if played.uncalled else played.total_line
        raise UnreadableError(
            line, f"returned is {_sums(printed)}; what nobody called comes to {_sums(judged)}"
        )


def _pool(played: Played, hand: Hand) -> None:
    put_in = sum(hand.staked.values()) - sum(hand.returned.values())
    paid_out = sum(award.units for award in hand.awards)
    if played.total != put_in or played.total != hand.won_pool:
        raise UnreadableError(played.total_line, f"the total pot is {played.total}; {put_in} were put in")
    if hand.raked != played.rake or paid_out + played.rake != put_in:
        raise UnreadableError(
            played.total_line, f"{paid_out} paid out and a rake of {played.rake} are not the pot of {put_in}"
        )
    if played.pots and sum(played.pots) + played.rake != played.total:
        raise UnreadableError(
            played.total_line, f"the pots and a rake of {played.rake} are not {played.total}"
        )


def _awards(played: Played, hand: Hand, name_of: NameOf) -> None:
    """Who collected what of which pot is what the cards decide."""
    judged: Counter[tuple[str, int]] = Counter()
    for award in hand.awards:
        judged[name_of(award.player), award.pot] += award.units
    for row in played.collected:
        key = (row.player, row.pot)
        if judged[key] != row.units:
            raise UnreadableError(
                row.line, f"{row.player} collected {row.units}; by the rules he takes {judged[key]}"
            )
        del judged[key]
    for (name, _), units in judged.items():
        if units:
            raise UnreadableError(played.total_line, f"by the rules {name} takes {units}, nothing says so")
    for number, units in enumerate(played.pots):
        if units != sum(row.units for row in played.collected if row.pot == number):
            raise UnreadableError(played.total_line, f"the pot of {units} is not what was collected of it")


def _ending(played: Played, ending: Ending) -> None:
    """What the summary says of a seat is what the lines above it tell."""
    mine = [a for a in played.actions if a.player == ending.player]
    won = sum(row.units for row in played.collected if row.player == ending.player)
    if (ending.won or 0) != won:
        raise UnreadableError(ending.line, f"{ending.player} won {ending.won or 0} here and {won} above")
    shown = next((a for a in mine if a.verb == "show"), None)
    fate = "collected"
    if any(a.verb == "fold" for a in mine):
        fate = "folded"
    elif shown is not None:
        fate = "showed"
    elif any(a.verb == "muck" for a in mine):
        fate = "mucked"
    if ending.fate != fate:
        raise UnreadableError(ending.line, f"{ending.player} {ending.fate} here and {fate} above")
    if shown is not None and (ending.cards != shown.cards or ending.words != shown.words):
        raise UnreadableError(ending.line, f"{ending.player} showed other cards above")
    if fate == "folded":
        _folded(played, ending)


def _places(played: Played, ending: Ending, hand: Hand, name_of: NameOf) -> None:
    """Whether the button and the blinds are where the deal and the posts above have them."""
    places = ["button"] if played.seats[ending.player].number == played.button else []
    places += [f"{what} blind" for player, what, _ in blinds(hand) if name_of(player) == ending.player]
    if ending.places != tuple(places):
        here, above = (", ".join(p) or "none of them" for p in (ending.places, places))
        raise UnreadableError(
            ending.line, f"of button and blinds {ending.player} is {here} here, and {above} above"
        )


def _folded(played: Played, ending: Ending) -> None:
    at = next(n for n, a in enumerate(played.actions) if a.player == ending.player and a.verb == "fold")
    stage = "after" if any(a.verb == "draw" for a in played.actions[:at]) else "before"
    if ending.stage != stage:
        raise UnreadableError(ending.line, f"{ending.player} folded {stage} the draw above")
    bet = any(a.player == ending.player and a.verb not in _NO_BET for a in played.actions)
    if ending.no_bet == bet and stage == "before":
        raise UnreadableError(
            ending.line, f"{ending.player} {'put something' if bet else 'put nothing'} in above"
        )


_NO_BET = ("ante", "fold", "check", "draw", "show", "muck")


def _shown(played: Played) -> None:
    """Whose hands the summary tells must be known above, and nobody dealt in is left out."""
    for name in played.endings:
        if played.seats[name].out:
            raise UnreadableError(played.endings[name].line, f"{name} sits out and is in the summary")


def _sums(sums: Counter[str]) -> str:
    return ", ".join(f"{units} to {name}" for name, units in sums.items()) or "nothing"
