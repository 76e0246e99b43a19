"""The figures counted a second way: slowly, in plain Python, from the events alone.

Nothing of `analytics` is used, nor the projector: a hand is followed by what was recorded of it, as one would count it
from a sheet with a pencil. It holds for hands played by the rules (what is irregular may stand in any order).
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ledger import events as ev
from ledger.rules.model import CapLimit, FixedLimit, Rules
from ledger.session.state import Recorded

CLASSES = (
    "high_card", "pair", "two_pairs", "blaze", "threes", "skip_straight", "straight", "flush", "full_house", "fours",
    "straight_flush", "five_of_a_kind",
)  # fmt: skip


def standing(stream: Iterable[Recorded]) -> list[Recorded]:
    """The events that are not withdrawn."""
    kept: list[Recorded] = []
    for recorded in stream:
        event = recorded.event
        if isinstance(event, ev.Withdrawn):
            kept = [r for r in kept if not event.first <= r.version <= event.last]
        else:
            kept.append(recorded)
    return kept


@dataclass
class Recount:
    """One hand: the marks of every player (`vpip_n`, `vpip_of` ...), and what the hand brought him."""

    number: int
    players: tuple[str, ...]
    rules: Rules
    openers: str | None
    over: bool = False
    marks: dict[str, Counter[str]] = field(default_factory=dict)
    net: Counter[str] = field(default_factory=Counter)
    kitty: int = 0

    # while it is followed
    stake: Counter[str] = field(default_factory=Counter)
    high: int = 0
    forced: list[tuple[str, int]] = field(default_factory=list)
    live: list[str] = field(default_factory=list)
    drawn: dict[str, int] = field(default_factory=dict)
    after: bool = False
    gone_in: bool = False
    raises: int = 0
    checked: set[str] = field(default_factory=set)
    opener: str | None = None
    false: bool = False
    options: set[str] = field(default_factory=set)
    classes: dict[str, str] = field(default_factory=dict)
    won: set[str] = field(default_factory=set)

    def chance(self, player: str, key: str, hit: bool) -> None:
        """A chance of a figure in this hand, and whether it was a hit."""
        marks = self.marks[player]
        marks[f"{key}_of"] = 1
        marks[f"{key}_n"] = max(marks[f"{key}_n"], int(hit))


def recount(
    stream: Iterable[Recorded], late: Iterable[ev.Corrected] = (), *, as_recorded: bool = False
) -> list[Recount]:
    """Every hand of a session, with rulings and the corrections made after its close; `as_recorded` without them."""
    hands: list[Recount] = []
    rules: Rules | None = None
    held: Counter[str] = Counter()
    for recorded in standing(stream):
        event = recorded.event
        if isinstance(event, ev.SessionOpened | ev.RulesSet):
            rules = event.rules
        elif isinstance(event, ev.HandBegun):
            assert rules is not None
            hands.append(Recount(event.number, event.players, rules, event.openers))
            hands[-1].marks = {p: Counter() for p in event.players}
        elif isinstance(event, ev.Ruled):
            if not as_recorded:
                put_right(hands[event.hand - 1].net, event)
        elif hands:
            follow(hands[-1], event, held)
        carry(held, event)
    for correction in late:
        if correction.hand is not None and not as_recorded:
            put_right(hands[correction.hand - 1].net, correction)
    return hands


def put_right(units: Counter[str], event: ev.Ruled | ev.Corrected) -> None:
    """What a ruling or a correction moves."""
    if event.giver and event.taker:
        units[event.giver] -= event.units
        units[event.taker] += event.units


@dataclass
class Account:
    """What a session that is closed came to for one player: his net of each hand, and what no hand brought him."""

    nets: list[int] = field(default_factory=list)
    kitty_received: int = 0
    unrecorded: int = 0
    corrected: int = 0
    settled: int = 0


def accounts(
    stream: Sequence[Recorded], late: Sequence[ev.Corrected] = (), *, as_recorded: bool = False
) -> dict[str, Account]:
    """Everybody's account, as corrected or as recorded; settled by the counters bought, held and bought back alone."""
    found: defaultdict[str, Account] = defaultdict(Account)
    for hand in recount(stream, late, as_recorded=as_recorded):
        for player in {*hand.players, *hand.net}:
            found[player].nets.append(hand.net[player])
    held: Counter[str] = Counter()
    moved: Counter[str] = Counter()
    for recorded in standing(stream):
        event = recorded.event
        carry(held, event)
        match event:
            case ev.CountersSold():
                found[event.player].settled -= event.units
            case ev.CountersBoughtBack():
                found[event.player].settled += event.units
            case ev.KittyPaid() | ev.KittyShared():
                found[event.player].kitty_received += event.units
            case ev.CountersCounted():
                found[event.player].unrecorded += event.difference
            case ev.Ruled() if as_recorded and event.giver and event.taker:
                moved[event.giver] += event.units
                moved[event.taker] -= event.units
    if not as_recorded:
        beside_hands: Counter[str] = Counter()
        for correction in late:
            put_right(moved, correction)
            if correction.hand is None:
                put_right(beside_hands, correction)
        for player, units in beside_hands.items():
            found[player].corrected = units
    for player in {*held, *moved}:
        found[player].settled += held[player] + moved[player]
    return dict(found)


def carry(held: Counter[str], event: ev.Event) -> None:
    """Moves the counters before the players."""
    match event:
        case ev.CountersSold() | ev.KittyPaid() | ev.KittyShared():
            held[event.player] += event.units
        case ev.UncalledReturned() | ev.StakeGivenBack() | ev.PoolAwarded() | ev.PoolShared():
            held[event.player] += event.units
        case ev.CountersBoughtBack() | ev.AntePosted() | ev.BlindPosted() | ev.Straddled():
            held[event.player] -= event.units
        case ev.Staked() | ev.PenaltyPaid():
            held[event.player] -= event.units
        case ev.CountersCounted():
            held[event.player] += event.difference
        case ev.Ruled() if event.giver and event.taker:
            held[event.giver] -= event.units
            held[event.taker] += event.units


def follow(hand: Recount, event: ev.Event, held: Counter[str]) -> None:
    """One event of a hand."""
    match event:
        case ev.AntePosted() | ev.BlindPosted() | ev.Straddled():
            post(hand, event)
        case ev.Dealt():
            hand.live = list(hand.players)
            option(hand, held)
        case ev.Misdealt():
            hand.live = []
            for marks in hand.marks.values():  # what is put up stands, what was said does not
                for key in marks.keys() - {"posted", "straddler", "straddled_n", "straddled_of"}:
                    del marks[key]
        case ev.Staked() | ev.Checked() | ev.Passed():
            say(hand, event)
        case ev.HandFoul():
            foul_plays_on = (
                event.cards is not None and event.cards < 5 and hand.rules.foul_hand == "short_allowed"
            )
            if not foul_plays_on and event.player in hand.live:
                hand.live.remove(event.player)
        case ev.Drew():
            hand.drawn[event.player] = event.count
        case ev.Shown():
            shown(hand, event)
        case ev.PenaltyPaid():
            hand.net[event.player] -= event.units
        case ev.UncalledReturned() | ev.StakeGivenBack():
            hand.net[event.player] += event.units
        case ev.PoolShared():
            hand.net[event.player] += event.units
        case ev.MarkedIrregular(rule="R-JACK-FALSE"):
            hand.false = True
        case ev.PoolAwarded():
            hand.net[event.player] += event.units
            if event.units:
                hand.won.add(event.player)
            if event.hand is not None:
                hand.classes.setdefault(event.player, event.hand)
        case ev.PoolCarried():
            hand.over = True
        case ev.KittyTaken() if not hand.over:
            hand.kitty += event.units
    if not hand.after and hand.drawn and len(hand.live) > 1 and all(p in hand.drawn for p in hand.live):
        hand.after, hand.high, hand.stake, hand.checked = True, 0, Counter(), set()
        for player in hand.live:
            hand.marks[player]["in_after"] = 1


def post(hand: Recount, event: ev.AntePosted | ev.BlindPosted | ev.Straddled) -> None:
    """An ante, a blind or a straddle."""
    hand.net[event.player] -= event.units
    live = isinstance(event, ev.Straddled) or event.live
    if not live:
        return
    hand.stake[event.player] += event.units
    nominal = 0
    if isinstance(event, ev.BlindPosted):
        nominal = {"small": hand.rules.small, "big": hand.rules.big, "extra": 0}[event.blind] or 0
    hand.high = max(hand.high, hand.stake[event.player], nominal)
    full = (
        max(hand.stake[event.player], hand.rules.ante or 0)
        if isinstance(event, ev.AntePosted)
        else event.units
    )
    hand.forced.append((event.player, full))  # who had less to put up owes no less to the price of entry
    if isinstance(event, ev.Straddled):
        hand.options.add(event.player)
        hand.marks[event.player]["straddled_n"] = 1
    hand.marks[event.player]["posted" if not isinstance(event, ev.Straddled) else "straddler"] = 1


def option(hand: Recount, held: Counter[str]) -> None:
    """Who might have straddled when the cards were dealt."""
    rules = hand.rules
    if rules.structure == "ante" and hand.openers is None and rules.straddle != "none" and hand.forced:
        turn, last = len(hand.forced), hand.forced[-1][1]
        due = 2 * last if rules.straddle == "double" else last + (rules.ante or 0)
        limit = rules.limit
        if limit is None and rules.limit_multiple:
            limit = CapLimit(units=rules.limit_multiple * (rules.ante or 0))
        capped = isinstance(limit, CapLimit) and due > limit.units // 2
        if turn < len(hand.players) and not capped and held[hand.players[turn]] >= due:
            hand.options.add(hand.players[turn])
    for player in hand.options:
        hand.chance(player, "straddled", bool(hand.marks[player]["straddled_n"]))


def least(hand: Recount) -> int:
    """The least stake of one who goes in."""
    rules = hand.rules
    if rules.structure == "ante":
        if hand.openers is not None or not hand.forced:
            return 2 * (rules.ante or 0)
        if rules.go_in == "double_total":
            return 2 * sum(units for _, units in hand.forced)
        return 2 * hand.forced[-1][1]
    if hand.high or rules.big:
        return max(hand.high, rules.big or 0)
    limit = rules.limit
    return limit.small if isinstance(limit, FixedLimit) else rules.big or rules.ante or 1


def say(hand: Recount, event: ev.Staked | ev.Checked | ev.Passed) -> None:
    """A stake, a check or a pass: the chances he had and what he made of them."""
    player, marks = event.player, hand.marks[event.player]
    units, to = (event.units, event.to) if isinstance(event, ev.Staked) else (0, hand.stake[player])
    mine, high = hand.stake[player], hand.high
    entry = 0
    forward = units > 0 and to > high
    called = units > 0 and not forward
    passed = isinstance(event, ev.Passed)
    if hand.after:
        if high == 0:
            hand.chance(player, "bet_after", units > 0)
        elif high > mine:
            for key, hit in (("raised_after", forward), ("called_after", called), ("passed_after", passed)):
                hand.chance(player, key, hit)
            if player in hand.checked:
                hand.chance(player, "check_raised", forward)
        first = high == 0
    else:
        raised = forward and (hand.gone_in or to > least(hand))
        faced = hand.raises > 0 and high > mine
        hand.chance(player, "vpip", units > 0)
        hand.chance(player, "raised_before", raised)
        if not hand.gone_in:
            hand.chance(player, "opened", units > 0)
        if faced:
            hand.chance(player, "called_raise", units > 0 and not raised)
            hand.chance(player, "passed_to_raise", passed)
            if hand.raises == 1:
                hand.chance(player, "reraised_before", raised)
        if any(p == player for p, _ in hand.forced) and high > mine:
            hand.chance(player, "ante_defended", units > 0)
        old_opening = hand.rules.structure == "ante" and hand.opener is None
        if old_opening and units > 0:  # who goes in all-in for less owes the price no less: the others pay it
            entry = least(hand)
        first = old_opening or high == 0
        hand.gone_in = hand.gone_in or units > 0
        hand.raises += raised
        if units > 0 and hand.opener is None and forward:
            hand.opener = player
        if passed and player not in hand.drawn:
            marks["passed_before"] = 1
    marks["bets"] += forward and first
    marks["raises"] += forward and not first
    marks["calls"] += called
    marks["passes"] += passed
    marks["checks"] += isinstance(event, ev.Checked)
    hand.net[player] -= units
    hand.stake[player] = to
    hand.high = max(high, to, entry)
    if isinstance(event, ev.Checked):
        hand.checked.add(player)
    if passed:
        hand.live.remove(player)


def shown(hand: Recount, event: ev.Shown) -> None:
    """Cards shown; what they are worth is asked of the ranking, which has tests of its own."""
    if event.openers or (hand.openers is not None and hand.live == [hand.opener]):
        return
    from ledger.cards import RankRules, ranking_for

    r = hand.rules
    ranking = ranking_for(
        RankRules(
            sequence_ace=r.sequence_ace, side_cards=r.side_cards, joker=r.joker, blaze=r.blaze,
            skip_straight=r.skip_straight, suit_precedence=r.suit_precedence,
        )
    )  # fmt: skip
    hand.classes[event.player] = ranking.class_of(ranking.rank(event.cards))


def finish(hand: Recount) -> None:
    """The chances that only the end of the hand tells."""
    show = hand.live if len(hand.live) > 1 else []
    for player in hand.players:
        marks, won = hand.marks[player], player in hand.won
        marks["at_show"] = int(player in show)
        if marks["in_after"]:
            hand.chance(player, "to_show", player in show)
            hand.chance(player, "won_without_show", won and player not in show)
        if player in show:
            hand.chance(player, "won_at_show", won)
        if player in hand.drawn:
            pat = hand.drawn[player] == 0
            hand.chance(player, "pat", pat)
            if pat:
                hand.chance(player, "pat_won", won)
                hand.chance(player, "pat_won_without_show", won and player not in show)
                if player in show and player in hand.classes:
                    unmade = CLASSES.index(hand.classes[player]) < CLASSES.index("straight")
                    hand.chance(player, "pat_unmade", unmade)
        if hand.openers is not None:
            hand.chance(player, "jackpot_opened", player == hand.opener)
            hand.chance(player, "jackpot_won", won)
            hand.chance(player, "false_openings", player == hand.opener and hand.false)
