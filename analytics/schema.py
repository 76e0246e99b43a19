"""The fact tables: every column with its type and meaning. The data dictionary is printed from here.

Units are whole counters, times microseconds since 1970 UTC, players and sessions ids of 32 hex digits. A column `x_n`
counts hits and `x_of` chances of one figure: 0 or 1 in a row of `hand_players`, sums in `tallies`, so that figures add
up over any rows. The types are those of portable SQL; there are no keys, since every row is written once by `facts`.
"""

from typing import NamedTuple

SCHEMA_VERSION = 3
"""Raised whenever a table or the meaning of a column changes: a facts file of another version is built anew."""


class Column(NamedTuple):
    """A column: its name, its type in SQL, and what it holds."""

    name: str
    type: str
    meaning: str


class Rate(NamedTuple):
    """A proportion: its key, what is a hit, what is a chance; both counted per hand and player."""

    key: str
    hit: str
    chance: str


RATES: dict[str, tuple[Rate, ...]] = {
    "before_draw": (
        Rate("vpip", "put in counters of his own accord before the draw", "dealt in and had a say before the draw"),
        Rate("opened", "was the first to go in", "had a say before anybody had gone in"),
        Rate("raised_before", "raised before the draw, or opened above the least", "had a say before the draw"),
        Rate("reraised_before", "raised a raise before the draw", "had a say when just one raise stood, another's"),
        Rate("called_raise", "called a raise before the draw", "had a say before the draw facing another's raise"),
        Rate("passed_to_raise", "passed to a raise before the draw", "as called_raise"),
        Rate("ante_defended", "made good his ante, blind or straddle", "had a say when a stake above his post stood"),
        Rate("straddled", "straddled", "had the option to straddle"),
    ),
    "draw": (
        Rate("pat", "stood pat", "the draw came to him"),
        Rate("pat_won", "won a share of the pool", "stood pat"),
        Rate("pat_won_without_show", "won with no show", "stood pat"),
        Rate("pat_unmade", "showed less than a straight", "stood pat and his hand was shown"),
        Rate("improved", "the class of his hand rose", "drew one card or more, both hands known, pack not run out"),
        Rate("best_draw", "kept the cards with the best prospect", "drew or stood pat, hand and discards known"),
    ),
    "after_draw": (
        Rate("bet_after", "bet after the draw", "had a say after the draw with no bet standing"),
        Rate("check_raised", "raised after checking", "had checked and faced a bet after the draw"),
        Rate("raised_after", "raised after the draw", "faced a bet after the draw"),
        Rate("called_after", "called after the draw", "as raised_after"),
        Rate("passed_after", "passed to a bet after the draw", "as raised_after"),
    ),
    "show": (
        Rate("to_show", "was in at a show of two hands or more", "was in after the draw"),
        Rate("won_at_show", "won a share of the pool", "was in at a show"),
        Rate("won_without_show", "won the pool with no show", "was in after the draw"),
    ),
    "jackpots": (
        Rate("jackpot_opened", "opened the jack-pot", "dealt into a jack-pot"),
        Rate("jackpot_won", "won a share of the jack-pot", "dealt into a jack-pot"),
        Rate("false_openings", "opened without openers", "dealt into a jack-pot"),
    ),
}  # fmt: skip
"""The proportions that are counted hand by hand, in the groups in which the queries ask for them."""

ALL_RATES = tuple(rate for group in RATES.values() for rate in group)

_ACTS = (
    Column("bets", "SMALLINT", "stakes that opened or bet, both rounds"),
    Column("raises", "SMALLINT", "stakes above another's stake, both rounds"),
    Column("calls", "SMALLINT", "stakes that matched, or all-ins for less, both rounds"),
    Column("passes", "SMALLINT", "hands given up, nought or one in a hand"),
    Column("checks", "SMALLINT", "times he stood"),
)


def _rate_columns(type_: str) -> tuple[Column, ...]:
    return tuple(
        column
        for rate in ALL_RATES
        for column in (
            Column(f"{rate.key}_n", type_, f"hits of {rate.key}: {rate.hit}"),
            Column(f"{rate.key}_of", type_, f"chances of {rate.key}: {rate.chance}"),
        )
    )


SESSION = Column("session", "VARCHAR", "the session's id")
HAND = Column("hand", "INTEGER", "the hand's number in its session, from 1")
PLAYER = Column("player", "VARCHAR", "the player's id; names stand in the ledger's `names`, never here")

TABLES: dict[str, tuple[Column, ...]] = {
    "sessions": (
        SESSION,
        Column("title", "VARCHAR", "the session's title"),
        Column("played_on", "VARCHAR", "its date, YYYY-MM-DD, in its zone"),
        Column("month", "VARCHAR", "the month of that date, YYYY-MM"),
        Column("week", "VARCHAR", "the ISO week of that date, YYYY-Www"),
        Column("zone", "VARCHAR", "the IANA zone of the table"),
        Column("timed", "BOOLEAN", "whether the hour was known when it was opened"),
        Column("rules", "VARCHAR", "the name of the rule set"),
        Column("loss_limit_counts", "VARCHAR", "how the house counts losses: session, day, 24_hours or gross"),
        Column("unit_numerator", "BIGINT", "what one counter costs in minor units, as a fraction; empty: no price"),
        Column("unit_denominator", "BIGINT", "the fraction's other part"),
        Column("currency", "VARCHAR", "the currency's code"),
        Column("decimals", "SMALLINT", "how many decimals that currency shows"),
        Column("opened_at", "BIGINT", "when it was opened"),
        Column("first_hand_at", "BIGINT", "when its first hand began; empty: no hand is over"),
        Column("last_hand_at", "BIGINT", "when its last hand ended"),
        Column("hands", "INTEGER", "hands that are over"),
        Column("kitty", "BIGINT", "units in the kitty now"),
        Column("kitty_forward", "BIGINT", "units of it that an earlier session left"),
        Column("pool", "BIGINT", "units in the pool between hands: a carried pool"),
        Column("difference", "BIGINT", "counters counted less counters recorded"),
        Column("events", "INTEGER", "the session's version: events recorded, withdrawn ones too"),
        Column("closed", "BOOLEAN", "whether it is closed"),
    ),
    "hands": (
        SESSION, HAND,
        Column("begun_at", "BIGINT", "when it began"),
        Column("ended_at", "BIGINT", "when its pool was decided"),
        Column("day", "VARCHAR", "the calendar day on which it ended, in the session's zone"),
        Column("dealer", "VARCHAR", "the dealer's id"),
        Column("dealt_in", "SMALLINT", "players dealt in"),
        Column("jackpot", "VARCHAR", "the rank of the pair a jack-pot opens on; empty: an ordinary hand"),
        Column("carried", "BIGINT", "units in the pool from the hand before"),
        Column("in_play", "BIGINT", "units before all players and in the pool when it began"),
        Column("pool", "BIGINT", "units there were to win: with what was carried, without what came back"),
        Column("pool_at_draw", "BIGINT", "units in the pool at the last draw; empty: nobody drew"),
        Column("kitty", "BIGINT", "units the kitty took"),
        Column("rake", "BIGINT", "units the house that runs the table kept"),
        Column("carried_on", "BIGINT", "units left for the next hand"),
        Column("gone_in", "BOOLEAN", "whether anybody went in of his own accord before the draw"),
        Column("to_draw", "BOOLEAN", "whether somebody drew or stood pat"),
        Column("to_show", "BOOLEAN", "whether two players or more were in at the show"),
        Column("winners", "SMALLINT", "players who won a share"),
        Column("winning_class", "VARCHAR", "the class that won at the show; empty: no cards decided"),
        Column("irregular", "SMALLINT", "irregularities marked on it"),
        Column("ruled", "SMALLINT", "rulings made on it"),
        Column("corrected", "SMALLINT", "corrections made of it after the close"),
        Column("first_event", "INTEGER", "the version of its first event"),
        Column("last_event", "INTEGER", "the version of its last event"),
    ),
    "hand_players": (
        SESSION, HAND, PLAYER,
        Column("dealt", "TINYINT", "1: dealt in; 0: only a ruling, a correction or a divided pool moved his counters"),
        Column("seat", "SMALLINT", "his place, 1 for the dealer's left; the dealer has the highest"),
        Column("position", "VARCHAR", "ante, no_1, no_2 ... dealer; under blinds small, big, no_1 ... dealer"),
        Column("dealt_in", "SMALLINT", "players dealt into the hand"),
        Column("jackpot", "TINYINT", "1: the hand is a jack-pot"),
        Column("irregular", "TINYINT", "1: something in the hand was played against a rule"),
        Column("staked", "BIGINT", "units he put in, posts and penalties too"),
        Column("returned", "BIGINT", "units of it that nobody matched"),
        Column("won", "BIGINT", "units he won, the kitty's part already off"),
        Column("ruled", "BIGINT", "units that rulings on the hand gave him (less what they took)"),
        Column("shared", "BIGINT", "units he got where the pool this hand left was divided"),
        Column("corrected", "BIGINT", "units that corrections of the hand after the close gave him (or took)"),
        Column("net", "BIGINT", "won + returned + shared + ruled + corrected - staked; as recorded without the two"),
        Column("pool_won", "BIGINT", "the whole pool of the hand where he won a share of it, else 0"),
        Column("kitty_given", "BIGINT", "units the kitty took that he would have won; of a shared pool his equal part"),
        Column("running", "BIGINT", "how he stood after the hand: held and bought back less bought"),
        Column("held", "BIGINT", "units before him after the hand"),
        Column("limit_units", "BIGINT", "the limit to his losses as it stood at the hand's end; empty: none"),
        Column("posted", "TINYINT", "1: put up the age's ante or a blind that counts towards his stake"),
        Column("drawn", "SMALLINT", "cards he drew, 0 standing pat; empty: the draw did not come to him"),
        Column("passed_before", "TINYINT", "1: passed before he drew"),
        Column("in_after", "TINYINT", "1: in after the draw, with at least one other"),
        Column("at_show", "TINYINT", "1: in at the show, with at least one other"),
        Column("shown_class", "VARCHAR", "the class of the hand he showed there"),
        Column("odds_hits", "BIGINT", "of the draws that could come of his, those in which the class rises"),
        Column("odds_total", "BIGINT", "how many draws could come; both empty where improved has no chance"),
        *_ACTS, *_rate_columns("TINYINT"),
    ),
    "actions": (
        SESSION, HAND,
        Column("event", "INTEGER", "the version of the event in its session"),
        PLAYER,
        Column("stage", "VARCHAR", "posts, before_draw, draw, after_draw or show"),
        Column("action", "VARCHAR", "what he did: ante, blind, straddle, open, bet, call, raise, pass, draw, show ..."),
        Column("units", "BIGINT", "units put in; of a draw the number of cards"),
        Column("stake", "BIGINT", "his stake of this interval after it"),
        Column("faced", "BIGINT", "units he had to put in to match the highest stake"),
        Column("pool", "BIGINT", "units in the pool before it"),
        Column("irregular", "BOOLEAN", "whether it was marked as against a rule"),
        Column("told_at", "BIGINT", "when it happened, as told"),
    ),
    "counters": (
        SESSION,
        Column("event", "INTEGER", "the version of the event in its session"),
        Column("hand", "INTEGER", "the last hand begun before it; 0: none"),
        PLAYER,
        Column("kind", "VARCHAR", "sold, bought_back, counted, kitty_paid, kitty_shared, pool_shared or ruled"),
        Column("units", "BIGINT", "what it added to the counters before him; negative: taken"),
        Column("told_at", "BIGINT", "when it happened, as told"),
    ),
    "kitty": (
        SESSION,
        Column("event", "INTEGER", "the version of the event in its session"),
        Column("hand", "INTEGER", "the hand it belongs to; empty: none"),
        Column("kind", "VARCHAR", "taken, paid, spent, shared, forward (of an earlier session), borne (a difference)"),
        Column("units", "BIGINT", "units, positive; of borne: what it added"),
        Column("player", "VARCHAR", "who was paid, or from whose pool it was taken; empty: of several or nobody"),
        Column("reason", "VARCHAR", "what for"),
        Column("balance", "BIGINT", "units in the kitty after it"),
        Column("told_at", "BIGINT", "when it happened, as told"),
    ),
    "limits": (
        SESSION, PLAYER,
        Column("limit_units", "BIGINT", "the limit he set to his losses; empty: none"),
        Column("stop_at", "BIGINT", "when he meant to cease play; empty: not set"),
        Column("counts", "VARCHAR", "how the house counts: session, day, 24_hours or gross"),
        Column("net", "BIGINT", "how he stands: held and bought back less bought"),
        Column("lowest", "BIGINT", "the lowest he stood at the end of a hand"),
        Column("gross", "BIGINT", "units lost in losing hands alone"),
        Column("reached_at_hand", "INTEGER", "the hand at whose end the limit was reached, over this session alone"),
        Column("hands_after", "INTEGER", "hands dealt in after that"),
        Column("last_hand_at", "BIGINT", "the end of the last hand he was dealt into"),
    ),
    "shown_hands": (
        SESSION, HAND, PLAYER,
        Column("class", "VARCHAR", "the class of the hand by the rules of the session"),
        Column("class_order", "SMALLINT", "the class's place, 0 for high_card"),
        Column("strength", "BIGINT", "the hand's rank: of two hands of one rule set the better has the higher"),
        Column("cards", "VARCHAR", "the cards shown"),
        Column("drawn", "SMALLINT", "cards drawn"),
        Column("won", "BIGINT", "units won; 0: lost"),
    ),
    "session_players": (
        SESSION, PLAYER,
        Column("played_us", "BIGINT", "from the beginning of his first hand to the end of his last, less absences"),
        Column("bought", "BIGINT", "units he bought"),
        Column("cashed", "BIGINT", "units bought back from him"),
        Column("held", "BIGINT", "units before him now"),
        Column("settled", "BIGINT", "held + cashed - bought, and what corrections after the close gave him"),
        Column("put_right", "BIGINT", "units in settled that rulings and corrections gave him: as recorded without"),
        Column("kitty_received", "BIGINT", "units the kitty paid him, shares of it too"),
        Column("unrecorded", "BIGINT", "what counts found more than the record had: play that nobody wrote down"),
        Column("corrected", "BIGINT", "units that corrections after the close which name no hand gave him"),
    ),
}  # fmt: skip
"""The tables that `facts` writes row by row."""

NETS: tuple[Column, ...] = (
    Column("hands", "BIGINT", "hands dealt in"),
    Column("net", "BIGINT", "units won less lost, rulings, corrections of hands and divided pools in"),
    Column("net_sq", "DECIMAL(38,0)", "the sum of the squares of the nets of single hands"),
    Column("kitty_given", "BIGINT", "units the kitty took from pools he won"),
    Column("net_at_show", "BIGINT", "net over hands in which he was in at the show"),
    Column("net_without_show", "BIGINT", "net over all others"),
    Column("ante_net", "BIGINT", "net over hands in which he put up the age's ante or a blind"),
    Column("straddle_net", "BIGINT", "net over hands in which he straddled"),
    Column("jackpot_net", "BIGINT", "net over jack-pots"),
)
"""The sums that are money: units of a session, and their number."""

SUMS: tuple[Column, ...] = (
    *NETS,
    Column("drew", "BIGINT", "hands in which the draw came to him"),
    Column("cards", "BIGINT", "cards drawn"),
    *(Column(f"drew_{n}", "BIGINT", f"draws of {n}") for n in range(6)),
    Column("passed_before", "BIGINT", "hands passed before he drew"),
    *(Column(c.name, "BIGINT", c.meaning) for c in _ACTS),
    *(c for c in _rate_columns("BIGINT")),
)

EXTREMES: tuple[Column, ...] = (
    Column("best_hand_net", "BIGINT", "the best net of a hand"),
    Column("worst_hand_net", "BIGINT", "the worst net of a hand"),
    Column("biggest_pool", "BIGINT", "the largest pool he won a share of; 0: none"),
)

TALLIES: tuple[Column, ...] = (SESSION, PLAYER, *SUMS, *EXTREMES)
"""What `tallies` holds, one row per player and session: sums over `hand_players`, so that figures over a lifetime need
no count of its hands."""

EVERY_TABLE: dict[str, tuple[Column, ...]] = {**TABLES, "tallies": TALLIES}

_MEANINGS = {
    "sessions": "One row per session.",
    "hands": "One row per hand that is over.",
    "hand_players": "One row per hand that is over and player dealt in.",
    "actions": "One row per thing a player did in a hand that is over, in order of `event`; withdrawn ones left out.",
    "counters": "One row per movement of counters to or from a player outside the play of a hand.",
    "kitty": "One row per movement of the kitty.",
    "limits": "One row per session and player who set a limit to his losses or a time to stop.",
    "shown_hands": "One row per hand shown at a show of two or more; openers shown alone are not in it.",
    "session_players": "One row per session and person in its reckoning.",
    "tallies": "One row per session and player: sums and extremes over `hand_players`.",
}


def dictionary() -> str:
    """The data dictionary as Markdown: every table and column of the facts, and of their Parquet export."""
    lines = [
        "# The fact tables",
        "",
        f"Schema version {SCHEMA_VERSION}. Units are whole counters, times microseconds since 1970 UTC, sessions and",
        "players ids of 32 hex digits. `x_n` counts hits and `x_of` chances of one figure. `export --facts FOLDER`",
        "writes every table as Parquet, in a folder for each month of `sessions.played_on`.",
    ]
    for name, columns in EVERY_TABLE.items():
        lines += [
            "",
            f"## {name}",
            "",
            _MEANINGS[name],
            "",
            "| column | type | holds |",
            "| --- | --- | --- |",
        ]
        lines += [f"| `{c.name}` | {c.type} | {c.meaning} |" for c in columns]
    return "\n".join(lines) + "\n"


def create_tables() -> str:
    """The statements that make every table, empty, and the row that says how far the facts go."""
    made = [
        f"create or replace table {name} ({', '.join(f'{c.name} {c.type}' for c in columns)})"
        for name, columns in EVERY_TABLE.items()
    ]
    head = "schema_version INTEGER, ledger VARCHAR, upto BIGINT, head VARCHAR"
    return ";\n".join([*made, f"create or replace table progress ({head})"])
