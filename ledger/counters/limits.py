"""Limits on losing: each player's limit and stop time, and what the evening did to them (R-LOSS-LIMIT, R-TIME-LIMIT).

How a player stands is marked at each hand's end, in units: held and bought back less bought.
"""

from dataclasses import dataclass, replace

LEVELS = (50, 75, 90, 100)
"""At so many per cent of his limit a player is warned."""


@dataclass(frozen=True, slots=True)
class Watch:
    """One player's limits in this session and how he kept them. Times are microseconds since 1970, UTC."""

    limit: int | None = None
    stop_at: int | None = None
    lowest: int = 0
    gross: int = 0
    """Units lost in losing hands alone, for houses that count so."""
    reached_at_hand: int | None = None
    reached_at: int | None = None
    hands_after: int = 0
    last_hand_at: int | None = None

    def marked(
        self, hand: int, net: int, hand_net: int, counts_gross: bool, dealt_in: bool, ended: int
    ) -> "Watch":
        """The watch after a hand: `net` is how he stands now, `hand_net` what the hand brought him."""
        gross = self.gross + max(-hand_net, 0)
        lost = gross if counts_gross else -net
        after = self.hands_after + (1 if self.reached_at_hand is not None and dealt_in else 0)
        reached, at = self.reached_at_hand, self.reached_at
        if reached is None and self.limit is not None and lost >= self.limit:
            reached, at = hand, ended
        return replace(
            self, lowest=min(self.lowest, net), gross=gross, hands_after=after, reached_at_hand=reached,
            reached_at=at, last_hand_at=ended if dealt_in else self.last_hand_at,
        )  # fmt: skip

    def level(self, lost: int) -> int:
        """How much of his limit so many units lost are: the highest of `LEVELS` reached, in per cent, or 0."""
        return max((level for level in LEVELS if self.limit and 100 * lost >= level * self.limit), default=0)

    @property
    def minutes_after(self) -> int:
        """Whole minutes played after the stop time, by the last hand dealt in."""
        if self.stop_at is None or self.last_hand_at is None:
            return 0
        return max(self.last_hand_at - self.stop_at, 0) // 60_000_000
