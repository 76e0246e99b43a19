"""A player's figures over one evening. None of them rests on a card that was not shown."""

from typing import NamedTuple

from analytics.counting import Marks, count
from analytics.notes import Evening
from analytics.report.stories import NameOf
from analytics.report.words import Rate, rate


class Figures(NamedTuple):
    """A player's figures: hands dealt in, hands won, and the rates under `RATES`, mean cards drawn."""

    name: str
    hands: int
    won: int
    rates: list[Rate]
    drawn: str


RATES: tuple[tuple[str, str, str], ...] = (
    (
        "vpip",
        "went in",
        "hands in which he put in counters of his own accord, of those in which he had a say",
    ),
    (
        "raised_before",
        "raised before the draw",
        "hands in which he raised or opened above the least, of the same",
    ),
    ("pat", "stood pat", "of the hands in which the draw came to him"),
    ("to_show", "to the show", "shown down, of the hands in which he was in after the draw"),
    ("won_at_show", "won at the show", "of the hands shown down"),
    ("won_without_show", "won unseen", "of the hands in which he was in after the draw"),
)
"""The rates of the table of figures: key, heading, what is counted."""


def figures(evening: Evening, name_of: NameOf) -> list[Figures]:
    """Everybody's figures over the hands that are over, in the order of the seats."""
    session = evening.session
    marks: dict[str, Marks] = {}
    hands: dict[str, int] = {}
    won: dict[str, int] = {}
    drawn: dict[str, list[int]] = {}
    for notes in evening.hands:
        hand = session.hands[notes.number - 1]
        if not hand.over:
            continue
        for player, counted in count(hand, notes).items():
            sums = marks.setdefault(player, {})
            for key, units in counted.items():
                sums[key] = sums.get(key, 0) + units
            hands[player] = hands.get(player, 0) + 1
        for player in {award.player for award in hand.awards if award.units}:
            won[player] = won.get(player, 0) + 1
        for player, cards in hand.drawn.items():
            drawn.setdefault(player, []).append(cards)
    return [
        Figures(
            name_of(player),
            hands[player],
            won.get(player, 0),
            [rate(marks[player][f"{key}_n"], marks[player][f"{key}_of"]) for key, _, _ in RATES],
            f"{sum(drawn[player]) / len(drawn[player]):.1f}" if player in drawn else "",
        )
        for player in session.people()
        if player in hands
    ]
