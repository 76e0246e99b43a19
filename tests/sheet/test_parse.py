"""Every form of the hand sheet is read as the contract says, wherever it stands and however it is spelt."""

import datetime as dt
import unicodedata
from pathlib import Path

import pytest

from ledger.sheet import statements as st
from ledger.sheet.parse import parse
from ledger.sheet.statements import Coloured, Money, Statement, Units

SHARED_CASES = Path(__file__).parents[2].parent / "shared" / "cases"
KH, KD, QH, QD, TD, TWO_C, JOKER = 46, 45, 42, 41, 33, 0, 52

FORMS = {
    'session "Friday at B\'s" on 2026-11-27 at 20:00 in Europe/London': st.Session(
        "Friday at B's", dt.date(2026, 11, 27), dt.time(20), "Europe/London"
    ),
    'session "Short" on 1897-01-01': st.Session("Short", dt.date(1897, 1, 1)),
    "session Short on 1897-01-01 in UTC": st.Session("Short", dt.date(1897, 1, 1), None, "UTC"),
    "rules english": st.RulesFrom("english"),
    "rules ../house/ours.toml": st.RulesFrom("../house/ours.toml"),
    'rules "our rules.toml"': st.RulesFrom("our rules.toml"),
    "set ante 3": st.Switch("ante", (Units(3),)),
    "set Joker higher": st.Switch("joker", ("higher",)),
    "set foul_hand dead": st.Switch("foul_hand", ("dead",)),
    "set limit pot": st.Switch("limit", ("pot",)),
    "set limit fixed 2 4": st.Switch("limit", ("fixed", Units(2), Units(4))),
    "set limit 2 white 1 red": st.Switch("limit", (Coloured(((2, "white"), (1, "red"))),)),
    "set limit fixed 1 red 2 red": st.Switch(
        "limit", ("fixed", Coloured(((1, "red"),)), Coloured(((2, "red"),)))
    ),
    "set limit fixed 0.50 USD 1 USD": st.Switch("limit", ("fixed", Money("0.50 USD"), Money("1 USD"))),
    "set small $0.25": st.Switch("small", (Money("$0.25"),)),
    "set openers 10 J Q K": st.Switch("openers", (Units(10), "J", "Q", "K")),
    "unit 1d": st.Unit(Money("1d")),
    "unit 0.05 USD": st.Unit(Money("0.05 USD")),
    "unit 5c": st.Unit(Money("5c")),
    "unit 10p": st.Unit(Money("10p")),
    "unit 1 EUR": st.Unit(Money("1 EUR")),
    "counters red 3 White 9 blue 12": st.Counters((("red", 3), ("white", 9), ("blue", 12))),
    "banker B": st.Banker("B"),
    "treasurer B": st.Treasurer("B"),
    "seat B C D": st.Seat(("B", "C", "D")),
    "at 20:12": st.At(dt.time(20, 12)),
    "at 2026-11-28 0:30": st.At(dt.time(0, 30), dt.date(2026, 11, 28)),
    'note "a; b # c"': st.Note("a; b # c"),
    "undo": st.Undo(),
    "close": st.Close(),
    "A sits": st.Sits("A"),
    "A sits left of B": st.Sits("A", "B"),
    "A sits out": st.SitsOut("A"),
    "A sits in": st.SitsIn("A"),
    "A leaves": st.Leaves("A"),
    "A buys 200": st.Buys("A", Units(200)),
    "A buys 10 red 6 white": st.Buys("A", Coloured(((10, "red"), (6, "white")))),
    "A cashes 8s3d": st.Cashes("A", Money("8s3d")),
    "A counts 0": st.Counts("A", Units(0)),
    "A loss-limit 60": st.LossLimit("A", Units(60)),
    "A stops-at 23:30": st.StopsAt("A", dt.time(23, 30)),
    "stops-at 23:30": st.StopsAt(None, dt.time(23, 30)),
    "difference borne by winners": st.DifferenceBorne("winners"),
    "difference borne by kitty": st.DifferenceBorne("kitty"),
    "difference borne by banker": st.DifferenceBorne("banker"),
    "pool divided": st.PoolDivided(),
    "kitty off": st.KittyOff(),
    "kitty 1 per hand": st.KittyPerHand(Units(1)),
    "kitty 1 when pool >= 30": st.KittyWhenPool(Units(1), Units(30)),
    "kitty 1 when pool>=30": st.KittyWhenPool(Units(1), Units(30)),
    "kitty 5%": st.KittyPercent(5),
    "kitty 5% up to 3": st.KittyPercent(5, Units(3)),
    "kitty 1 when shown threes": st.KittyWhenShown(Units(1), "threes"),
    "kitty 1 when shown full house": st.KittyWhenShown(Units(1), "full_house"),
    "kitty 2": st.KittyTakes(Units(2)),
    'kitty pays B 1 "best hand"': st.KittyPays("B", Units(1), "best hand"),
    "kitty pays B 1": st.KittyPays("B", Units(1)),
    'kitty spends 1 "lemonade"': st.KittySpends(Units(1), "lemonade"),
    "hand": st.Hand(),
    "hand dealer A": st.Hand("A"),
    "A cuts Kh": st.Cuts("A", KH),
    "antes": st.Antes(),
    "A antes": st.Antes("A"),
    "A antes 1 red": st.Antes("A", Coloured(((1, "red"),))),
    "A straddles": st.Straddles("A"),
    "A posts small 1": st.Posts("A", "small", Units(1)),
    "A posts big": st.Posts("A", "big"),
    "A posts ante 1 dead": st.Posts("A", "ante", Units(1), "dead"),
    "A posts 2 live": st.Posts("A", None, Units(2), "live"),
    "deal": st.Deal(),
    "misdeal": st.Misdeal(),
    'misdeal "a card faced"': st.Misdeal("a card faced"),
    "A exposed Kh": st.Exposed("A", KH),
    "A exposed Kh by dealer": st.Exposed("A", KH, by_dealer=True),
    "A foul": st.Foul("A"),
    "A foul 4": st.Foul("A", 4),
    "A opens 12": st.Opens("A", Units(12)),
    "A bets 12": st.Bets("A", Units(12)),
    "A raises 12": st.Raises("A", Units(12)),
    "A betters 12": st.Raises("A", Units(12)),
    "A to 15": st.To("A", Units(15)),
    "A calls": st.Calls("A"),
    "A calls 3": st.Calls("A", Units(3)),
    "A sees": st.Calls("A"),
    "A makes-good": st.Calls("A"),
    "A makes good": st.Calls("A"),
    "A checks": st.Checks("A"),
    "A stands": st.Checks("A"),
    "A passes": st.Passes("A"),
    "A folds": st.Passes("A"),
    "A resigns": st.Passes("A"),
    "A abdicates": st.Passes("A"),
    "A all-in": st.AllIn("A"),
    "A draws 2": st.Draws("A", 2),
    "A draws 2 gets Kh 10d": st.Draws("A", 2, (KH, TD)),
    "A pat": st.Pat("A"),
    "A stands pat": st.Pat("A"),
    "A discards Qh 2c": st.Discards("A", (QH, TWO_C)),
    "A discards Qh gets Jk": st.Discards("A", (QH,), (JOKER,)),
    "A gets Kh": st.Gets("A", (KH,)),
    "A holds Kh Kd": st.Holds("A", (KH, KD)),
    "A shows Kh Kd Td 2c Jk": st.Shows("A", (KH, KD, TD, TWO_C, JOKER)),
    "A shows KhKd": st.Shows("A", (KH, KD)),
    "A shows K♥": st.Shows("A", (KH,)),
    "A shows openers Qh Qd": st.ShowsOpeners("A", (QH, QD)),
    "A shows openers Qh Qd threw Qd": st.ShowsOpeners("A", (QH, QD), (QD,)),
    "A declares two_pairs": st.Declares("A", "two_pairs"),
    "A mucks": st.Mucks("A"),
    "A wins": st.Wins("A"),
    "A wins 30": st.Wins("A", Units(30)),
    'A disputes "thirteen"': st.Disputes("A", "thirteen"),
    'A disputes hand 12 "thirteen"': st.Disputes("A", "thirteen", 12),
    'A disputes "thirteen" hand 12': st.Disputes("A", "thirteen", 12),
    'ruling "it stands"': st.Ruling("it stands"),
    'ruling "back" 1 from C to B': st.Ruling("back", None, st.Moves(Units(1), "C", "B")),
    'ruling "back" hand 12 1 from C to B': st.Ruling("back", 12, st.Moves(Units(1), "C", "B")),
    'ruling hand 12 "it stands"': st.Ruling("it stands", 12),
}

AMOUNTS = {
    "12": Units(12),
    "0": Units(0),
    "2 white 1 red": Coloured(((2, "white"), (1, "red"))),
    "2 Ivory": Coloured(((2, "ivory"),)),
    "10 RED": Coloured(((10, "red"),)),
} | {
    text: Money(text)
    for text in (
        *(
            "$2.50",
            "$ 2",
            "€2,50",
            "2,50 €",
            "£1",
            "25¢",
            "5c",
            "10p",
            "50ct",
            "$1 000",
            "0.05 USD",
            "10 USD",
        ),
        *("1s6d", "2s 0d", "£1 2s6d", "£1 2s 6d", "3d", "5s", "½d", "2½d", "1S6D"),
    )
}
MONEY_IN_SWITCHES = {
    "set limit fixed $1 $2": ("fixed", Money("$1"), Money("$2")),
    "set limit fixed $1 200": ("fixed", Money("$1"), Units(200)),
    "set limit £1 2s6d": (Money("£1 2s6d"),),
    "set limit fixed 1s 2s": ("fixed", Money("1s"), Money("2s")),
    "set limit fixed 1 USD 2 USD": ("fixed", Money("1 USD"), Money("2 USD")),
    "set limit $2 pot": (Money("$2"), "pot"),
    'set limit 2 "pot"': (Units(2), "pot"),
}


def read(sheet: str | bytes) -> list[Statement]:
    statements = parse(sheet, file="sheet")
    assert isinstance(statements, list), str(statements)
    return statements


@pytest.mark.parametrize(("source", "body"), FORMS.items())
def test_form(source: str, body: st.Body) -> None:
    assert read(source) == [Statement(1, 1, source, False, body)]


@pytest.mark.parametrize(("written", "amount"), AMOUNTS.items())
def test_amount(written: str, amount: st.Amount) -> None:
    assert read(f"A buys {written}")[0].body == st.Buys("A", amount)


@pytest.mark.parametrize(("source", "values"), MONEY_IN_SWITCHES.items())
def test_values_of_a_switch(source: str, values: tuple[str | st.Amount, ...]) -> None:
    assert read(source)[0].body == st.Switch("limit", values)


def test_every_form_of_statement_is_tried() -> None:
    assert {type(body) for body in FORMS.values()} == set(st.Body.__args__)


@pytest.mark.parametrize("source", [s for s in FORMS if not s.startswith(("rules", "set", "session"))])
def test_letter_case_of_keywords_does_not_matter(source: str) -> None:
    shouted = " ".join(
        word.upper() if word.islower() and word.isalpha() else word for word in source.split(" ")
    )
    if '"' not in source and "threes" not in source:
        assert read(shouted)[0].body == FORMS[source]


@pytest.mark.parametrize(
    ("bare", "with_s"),
    [
        *(
            ("open 3", "opens 3"),
            ("bet 3", "bets 3"),
            ("raise 3", "raises 3"),
            ("call", "calls"),
            ("see", "sees"),
        ),
        *(
            ("check", "checks"),
            ("stand", "stands"),
            ("pass", "passes"),
            ("fold", "folds"),
            ("draw 2", "draws 2"),
        ),
        *(("discard Kh", "discards Kh"), ("hold Kh", "holds Kh"), ("show Kh", "shows Kh"), ("muck", "mucks")),
        *(
            ("win", "wins"),
            ("buy 3", "buys 3"),
            ("cash 3", "cashes 3"),
            ("count 3", "counts 3"),
            ("ante", "antes"),
        ),
        *(("straddle", "straddles"), ("post 3", "posts 3"), ("sit", "sits"), ("leave", "leaves")),
    ],
)
def test_verbs_are_taken_bare_or_with_an_s(bare: str, with_s: str) -> None:
    assert read(f"A {bare}")[0].body == read(f"A {with_s}")[0].body


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_line_ends_and_byte_order_mark(ending: str, mark: bytes) -> None:
    sheet = mark + f"hand{ending}{ending}  A antes ; deal{ending}".encode()
    assert [(s.line, s.column, s.text) for s in read(sheet)] == [
        (1, 1, "hand"),
        (3, 3, "A antes"),
        (3, 13, "deal"),
    ]


def test_several_on_a_line_with_comments_and_quotes() -> None:
    sheet = 'A calls;;B passes # ; C calls\n# deal\nnote "a # b; \\"c\\" \\\\"; deal # "\nnote “x; # "y"”'
    assert [s.body for s in read(sheet)] == [
        st.Calls("A"),
        st.Passes("B"),
        st.Note('a # b; "c" \\'),
        st.Deal(),
        st.Note('x; # "y"'),
    ]


def test_irregular_mark() -> None:
    sheet = "! C raises 13; !D calls;E calls"
    told = [(s.column, s.text, s.irregular) for s in read(sheet)]
    assert told == [(1, "! C raises 13", True), (16, "!D calls", True), (25, "E calls", False)]
    assert read(sheet)[0].body == st.Raises("C", Units(13))


@pytest.mark.parametrize("name", ["É", "राम", "B's", "B’s", "Mr.X", "x_1-y", "7", "7h", "Владимир", "9lives"])
def test_bare_names(name: str) -> None:
    assert read(f"{name} calls; seat {name} A; hand dealer {name}")[0].body == st.Calls(name)


def test_names_are_compared_after_nfc_with_outer_blanks_off() -> None:
    apart = unicodedata.normalize("NFD", "É")
    assert [s.body for s in read(f'{apart} calls; "  {apart} " calls')] == [st.Calls("É"), st.Calls("É")]
    assert read("e calls")[0].body != read("E calls")[0].body


def test_any_name_may_stand_in_quotes() -> None:
    assert read('"Pat" calls; "the \\"Kid\\"; no. 2" calls')[1].body == st.Calls('the "Kid"; no. 2')


@pytest.mark.skipif(not SHARED_CASES.is_dir(), reason="the shared cases are not here")
def test_every_shared_case_is_read() -> None:
    sheets = sorted(SHARED_CASES.glob("*.sheet"))
    assert sheets
    for sheet in sheets:
        parsed = parse(sheet.read_bytes(), file=sheet.name)
        assert isinstance(parsed, list), str(parsed)
        assert isinstance(parsed[0].body, st.Session)


def test_a_switch_s_word_may_begin_with_a_digit() -> None:
    """`24_hours` is a value of loss_limit_counts and no amount."""
    (statement,) = read("set loss_limit_counts 24_hours")
    assert statement.body == st.Switch("loss_limit_counts", ("24_hours",))
