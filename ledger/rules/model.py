"""The rules of one session: every switch a house may set, as one frozen value.

A `Rules` is what a session records when it opens, so it holds every switch written out, as integers,
strings and booleans. Each field is checked by itself only: a session sets its switches one after the other,
and whether two of them agree is asked by `agreement.check` once both stand.
"""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

MOST_UNITS = 2**53 - 1
"""The largest whole number that every reader of JSON takes exactly; no amount is larger."""

Units = Annotated[int, Field(strict=True, ge=0, le=MOST_UNITS)]
SomeUnits = Annotated[int, Field(strict=True, ge=1, le=MOST_UNITS)]
Flag = Annotated[bool, Field(strict=True)]
Rank = Literal["2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
HandName = Literal[
    "high_card",
    "pair",
    "two_pairs",
    "blaze",
    "threes",
    "skip_straight",
    "straight",
    "flush",
    "full_house",
    "fours",
    "straight_flush",
    "five_of_a_kind",
]


class _Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class CapLimit(_Frozen):
    """The old limit: the most units one increase of the stake may come to (R-LIMIT)."""

    kind: Literal["cap"] = "cap"
    units: SomeUnits


class PotLimit(_Frozen):
    """The most one can raise by is the pool after calling (R-POT-LIMIT)."""

    kind: Literal["pot"] = "pot"


class NoLimit(_Frozen):
    """No bound but what lies before the player."""

    kind: Literal["none"] = "none"


class FixedLimit(_Frozen):
    """Bets and raises of exactly `small` units before the draw and `big` after it (R-FIXED-LIMIT)."""

    kind: Literal["fixed"] = "fixed"
    small: SomeUnits
    big: SomeUnits

    @model_validator(mode="after")
    def _grows(self) -> "FixedLimit":
        if self.small > self.big:
            raise ValueError(
                f"the bet before the draw ({self.small}) may not be above the one after it ({self.big})"
            )
        return self


Limit = Annotated[CapLimit | PotLimit | NoLimit | FixedLimit, Field(discriminator="kind")]


class Kitty(_Frozen):
    """What the house sets aside from each pool (R-KITTY).

    `per_hand` takes `units`; `when_pool` takes them from a pool of `at_least` units or more; `when_shown`
    where the pool is won with `hand` or better shown; `percent` takes `basis_points` (hundredths of a
    percent) of the pool, rounded down, and at most `up_to` units where that is set. Fields a kind does not
    use keep their defaults.
    """

    kind: Literal["off", "per_hand", "when_pool", "percent", "when_shown"] = "off"
    units: Units = 0
    at_least: Units = 0
    basis_points: Annotated[int, Field(strict=True, ge=0, le=10_000)] = 0
    up_to: SomeUnits | None = None
    hand: HandName | None = None

    @model_validator(mode="after")
    def _whole(self) -> "Kitty":
        needs = {
            "off": set(),
            "per_hand": {"units"},
            "when_pool": {"units", "at_least"},
            "percent": {"basis_points"},
            "when_shown": {"units", "hand"},
        }[self.kind]
        may = needs | ({"up_to"} if self.kind == "percent" else set())
        given = {
            name for name in ("units", "at_least", "basis_points", "up_to", "hand") if getattr(self, name)
        }
        if missing := sorted(needs - given):
            raise ValueError(f"a kitty of the kind {self.kind} needs {', '.join(missing)}")
        if idle := sorted(given - may):
            raise ValueError(f"a kitty of the kind {self.kind} has no use for {', '.join(idle)}")
        return self


class Rules(_Frozen):
    """Every switch of one session's rules. Amounts are units, None where the house has still to say.

    No switch has a default here: a rule set says all of them, and so does every recorded session, so that a
    switch that is added later cannot change how an old evening is judged.
    """

    name: Annotated[str, Field(min_length=1)]
    """The rule set the session started from, or `own` for a house's own file without a name."""

    # The first stakes: R-ANTE, R-ANTE-CAP, R-BLINDS, R-LIMIT, R-STRADDLE-STEP
    structure: Literal["ante", "blinds"]
    ante: Units | None
    """Under `ante` what the player left of the dealer stakes; under `blinds` what everybody does."""
    ante_cap: Literal["half_limit", "none"]
    small: Units | None
    big: Units | None
    limit: Limit | None
    limit_multiple: SomeUnits | None
    """Where no limit is set it is this many antes (R-LIMIT-DEFAULT)."""
    cap: SomeUnits
    """Raises in one round of betting under a fixed limit."""
    straddle: Literal["add", "double", "none"]

    # Before the draw, and the draw
    go_in: Literal["double_last", "double_total", "big_blind"]
    raise_before_draw: Flag
    draw_when: Literal["interleaved", "after"]
    reshuffle: Literal["discards"]

    # After the draw, and the show
    play_first: Literal["left_of_ante", "left_of_dealer"]
    stand: Literal["once", "never", "free"]
    show: Literal["all", "may_muck"]
    show_first: Literal["last_raiser", "left_of_last_raiser"]
    caller_sees: Flag
    cards_speak: Flag
    """True: the cards decide. False: what the player declared does."""
    odd_counter: Literal["left_of_dealer", "kitty"]

    # What beats what
    suit_precedence: Literal["hearts", "none"]
    sequence_ace: Literal["low", "high_or_low"]
    side_cards: Literal["count", "none"]
    joker: Literal["off", "higher", "mistigris"]
    blaze: Literal["off", "kqj", "akqj"]
    skip_straight: Flag

    # Jack-pots
    jackpots: Flag
    openers: Annotated[tuple[Rank, ...], Field(min_length=1)]
    """The ladder: the pair that opens the first jack-pot of a series, the second, and so round again."""
    split_openers: Literal["no", "declared"]
    false_opening_stake: Literal["stays", "returned"]
    jackpot_first_bet: Literal["opener", "left_of_dealer"]

    # The deal, and what lies on the table
    cut_ace: Literal["high", "low"]
    redeal_after_passed_deal: Literal["deal_passes", "same_dealer"]
    foul_hand: Literal["dead", "short_allowed"]
    table_stakes: Flag

    # The kitty, the reckoning, limits on losing
    kitty: Kitty
    kitty_at_close: Literal["stays", "shared"]
    difference: Literal["banker", "winners", "losers", "kitty"] | None
    loss_limits: Literal["warn", "refuse"]
    loss_limit_counts: Literal["session", "day", "24_hours", "gross"]

    @property
    def effective_limit(self) -> CapLimit | PotLimit | NoLimit | FixedLimit | None:
        """The limit agreed, else `limit_multiple` antes (R-LIMIT-DEFAULT); None: not known yet."""
        if self.limit is None and self.limit_multiple and self.ante:
            return CapLimit(units=self.limit_multiple * self.ante)
        return self.limit

    @property
    def most_staked_blind(self) -> int | None:
        """Half the limit in units, for R-ANTE-CAP and R-STRADDLE-CAP; None where no cap limit holds."""
        limit = self.effective_limit
        return limit.units // 2 if isinstance(limit, CapLimit) else None


SWITCHES: tuple[str, ...] = tuple(name for name in Rules.model_fields if name != "name")
"""The names of all switches, in the order a reader wants them."""
