"""The hands of an evening that are worth telling, and how each went; and events told as all may hear them.

What the recorder knew of a hand and nobody showed stays out, and of a show that was withdrawn it is only told that
there was one. A player's limits are told to nobody else.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from analytics.report.words import CardFace, card_face, listed
from ledger import events as ev
from ledger.cards import ranking_for
from ledger.cards.words import words
from ledger.rules.ranks import rank_rules
from ledger.session.state import Recorded, Session
from ledger.table.hand import Hand
from ledger.telling import tell

NameOf = Callable[[str], str]
_FEWEST = 3


class Stage(NamedTuple):
    """A part of a hand, told in order."""

    heading: str
    told: list[str]


class ShownHand(NamedTuple):
    """A hand that was shown: whose, its cards, in words, and whether it took a share of the pool."""

    name: str
    cards: list[CardFace]
    words: str
    won: bool


class Story(NamedTuple):
    """A hand told: why it is here, how it ended in one line, what was shown, and step by step."""

    number: int
    why: str
    headline: str
    shown: list[ShownHand]
    stages: list[Stage]


def tell_on_page(event: ev.Event, name_of: NameOf, *, stands: bool = True) -> str | None:
    """The event in one line without a card that was not shown; None where it tells of such cards or limits alone.

    `stands`: it is not withdrawn.
    """
    if isinstance(event, ev.CardsKnown | ev.TimeTold | ev.LossLimitSet | ev.StopTimeSet):
        return None
    if isinstance(event, ev.Shown) and not stands:
        return f"{name_of(event.player)} shows a hand"
    return tell(event, name_of)


def stories(session: Session, name_of: NameOf) -> list[Story]:
    """The biggest pool, the best hand shown, the best one beaten, the biggest pool won unseen, each hand told once.

    Where these are fewer than three hands, the next biggest pools are told too.
    """
    won = [h for h in session.hands if h.awards]
    reasons: dict[int, list[str]] = {}
    for why, hand in _worth_telling(won):
        reasons.setdefault(hand.number, []).append(why)
    for hand in sorted(won, key=lambda h: -h.won_pool):
        if len(reasons) < _FEWEST:
            reasons.setdefault(hand.number, ["one of the biggest pools"])
    return [
        _story(session, session.hands[number - 1], listed(why), name_of) for number, why in reasons.items()
    ]


def _worth_telling(hands: list[Hand]) -> Iterator[tuple[str, Hand]]:
    if not hands:
        return
    yield "the biggest pool", max(hands, key=lambda h: h.won_pool)
    shown = [(rank, -h.number, h) for h in hands for rank in h.ranks.values()]
    if shown:
        yield "the best hand shown", max(shown)[2]
    beaten = [
        (rank, -h.number, h)
        for h in hands
        for player, rank in h.ranks.items()
        if player not in {a.player for a in h.awards if a.units}
    ]
    if beaten:
        yield "the best hand beaten", max(beaten)[2]
    unseen = [h for h in hands if h.drawn and not h.shown and not h.stated]
    if unseen:
        yield "the biggest pool won unseen", max(unseen, key=lambda h: h.won_pool)


def _story(session: Session, hand: Hand, why: str, name_of: NameOf) -> Story:
    takers = [p for p in hand.players if any(a.player == p and a.units for a in hand.awards)]
    ranking = ranking_for(rank_rules(hand.rules))
    shown = [
        ShownHand(name_of(p), [card_face(c) for c in cards], words(ranking, cards), p in takers)
        for p, cards in sorted(hand.shown.items(), key=lambda item: -hand.ranks.get(item[0], 0))
        if p in hand.ranks
    ]
    won = listed(f"{name_of(p)} wins {sum(a.units for a in hand.awards if a.player == p)}" for p in takers)
    return Story(hand.number, why[0].upper() + why[1:], won, shown, list(_stages(session, hand, name_of)))


def _stages(session: Session, hand: Hand, name_of: NameOf) -> Iterator[Stage]:
    about = [r for r in session.log if hand.first_version <= r.version <= hand.last_version]
    draws = [r.version for r in about if isinstance(r.event, ev.Drew)]
    dealt = max((r.version for r in about if isinstance(r.event, ev.Dealt)), default=0)
    end = max((r.version for r in about if isinstance(r.event, _PLAY)), default=dealt) + 1
    first, after = (draws[0], draws[-1] + 1) if draws else (end, end)
    parts = (
        ("Before the deal", 0, dealt + 1),
        ("Before the draw", dealt + 1, first),
        ("The draw", first, after),
        ("After the draw", after, end),
        ("The show" if hand.shown else "The end", end, hand.last_version + 1),
    )
    for heading, low, high in parts:
        told = _told((r for r in about if low <= r.version < high), name_of)
        if told:
            yield Stage(heading, told)
    later = [
        r
        for r in session.log
        if r.version > hand.last_version
        and isinstance(r.event, ev.Disputed | ev.Ruled)
        and r.event.hand == hand.number
    ]
    if later:
        yield Stage("Afterwards", _told(later, name_of))


def _told(recorded: Iterable[Recorded], name_of: NameOf) -> list[str]:
    return [told for r in recorded if (told := tell_on_page(r.event, name_of))]


_PLAY = (ev.Staked, ev.Checked, ev.Passed, ev.Drew)
