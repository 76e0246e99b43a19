"""The reports as pages: what stands in them, and what must not."""

import re
import shutil
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from typer.testing import CliRunner

from analytics import plots
from analytics.facts import Facts
from analytics.report.evening import Report, report, take
from analytics.report.lifetime import Lifetime, lifetime
from analytics.report.page import evening_page, lifetime_page
from analytics.report.receipt import receipt_of
from analytics.report.settling import AS_RECORDED
from analytics.report.words import signed
from analytics.scope import Scope
from bench.generator import play_evening, random_rules
from cli.app import app
from ledger.commands import Naming, SeatPlayers
from ledger.corrections import correct, put_right
from ledger.counters.bank import Bank
from ledger.importing import Imported, import_history
from ledger.loading import load_session
from ledger.names import Names, name_hash
from ledger.recorder import Recorder
from ledger.refusal import Refusal
from ledger.store.model import Appended, Broken, NameRow
from ledger.store.store import Store
from tests.support import recorded

EVENINGS = files("cli") / "evenings"
SECOND = (EVENINGS / "second-evening.sheet").read_text("utf-8")
VOID = {"meta", "br"}

PLAIN = """
session "Plain" on 2026-10-03
rules english
set ante 1
set limit 12
seat A B C
A buys 50; B buys 50; C buys 50
"""


class Page(HTMLParser):
    """A page taken apart: its elements with their attributes, its text by section, and whether it is well formed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[tuple[str, str | None]] = []
        self.text: dict[str, list[str]] = {}
        self.rows: dict[str, list[list[str]]] = {}
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append((tag, dict(attrs).get("id")))
        if tag in ("li", "tr"):
            self.rows.setdefault(self.section, []).append([])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop()[0] == tag

    @property
    def section(self) -> str:
        """The id of the section that is open."""
        return next((id_ or "" for tag, id_ in reversed(self.open) if tag == "section"), "")

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1][0] == "style":
            return
        self.text.setdefault(self.section, []).append(data)
        if any(tag in ("li", "tr") for tag, _ in self.open) and data.strip():
            self.rows[self.section][-1].append(data.strip())

    def said(self, section: str) -> str:
        """The text of a section, blanks as one."""
        return " ".join("".join(self.text.get(section, [])).split())


def record(store: Store, text: str, **options: Any) -> str:
    """Records a sheet that must be taken; gives the session's id."""
    return recorded.record(store, text, **options).session.id


def names(store: Store) -> Names:
    return Names(store.names(), bytes)


def told(store: Store, session: str, **asked: bool | str) -> Report:
    return report(take(store, session), names(store).name, store.verify(), **asked)  # type: ignore[arg-type]


def page(store: Store, text: str, **asked: bool | str) -> Page:
    return Page(evening_page(told(store, record(store, text), **asked), all_limits="limits" in asked))


def generated(store: Store, seed: int, hands: int, players: int) -> str:
    """An evening of the generator, recorded, its players called P0, P1 ..."""
    rng = Random(seed)
    recorder = Recorder(store, f"{seed:032x}")
    for command in play_evening(rng, random_rules(rng, "english"), hands, players=players):
        if isinstance(command, SeatPlayers):
            rows = [
                NameRow(p, f"P{n}", bytes(16), name_hash(f"P{n}", bytes(16)))
                for n, p in enumerate(command.players)
            ]
            recorder.names.new += rows
            named = tuple(Naming(player=row.player, name_hash=row.name_hash.hex()) for row in rows)
            command = command.model_copy(update={"named": named})  # noqa: PLW2901
        assert not isinstance(recorder.apply(command), Refusal)
    assert isinstance(recorder.flush(), Appended)
    return recorder.session.id


def test_the_settlement_comes_first_and_says_who_owes_whom(store: Store) -> None:
    found = page(store, SECOND)
    assert next(s["id"] for tag, s in found.elements if tag == "section") == "settlement"
    assert found.rows["settlement"] == [
        ["A", "pays", "D", "0.25 GBP", "5 counters"],
        ["C", "pays", "B", "1.95 GBP", "39 counters"],
        ["C", "pays", "D", "0.45 GBP", "9 counters"],
        ["C", "pays", "E", "0.95 GBP", "19 counters"],
    ]
    assert "A second evening, 27 November 2026\nA pays D 0.25 GBP\n" in "".join(found.text["settlement"])


def test_who_won_what_stands_in_order(store: Store) -> None:
    found = page(store, SECOND)
    assert found.rows["won"][1:] == [
        ["B", "+1.95 GBP", "+39", "60 → 99"],
        ["E", "+0.95 GBP", "+19", "62 → 81"],
        ["D", "+0.55 GBP", "+11", "60 → 71"],
        ["A", "−0.25 GBP", "−5", "60 → 55"],
        ["C", "−3.35 GBP", "−67", "84 → 17"],
    ]


def test_the_kitty_the_dispute_and_the_irregularity_are_told(store: Store) -> None:
    found = page(store, SECOND)
    assert "It holds 2 counters (0.10 GBP), kept by D." in found.said("kitty")
    assert "Spent 1 counter (0.05 GBP) “lemonade”" in found.said("kitty")
    put_right = found.said("corrections")
    assert "C disputes hand 4 “a raise of thirteen under a limit of twelve”" in put_right
    assert "“the excess goes back”: 1 from B to C" in put_right
    assert "hand 4, B: a raise of 13 is too much; 1 to 12" in put_right
    assert "R-LIMIT" in put_right


def test_rake_is_the_houses_and_no_kitty(store: Store) -> None:
    history = Path(__file__).parents[3] / "shared/data/pokerstars/limit-session-14-hands.txt"
    if not history.exists():
        pytest.skip("the shared histories are not here")
    assert isinstance(import_history(store, history.read_bytes()), Imported)
    found = Page(evening_page(told(store, store.sessions()[0].session)))
    assert "kept 30 counters (0.30 USD) of the pools" in found.said("rake")
    assert "kitty" not in found.text


def test_a_hand_is_told_in_its_stages(store: Store) -> None:
    found = page(store, SECOND)
    hands = found.said("hands")
    for part in (
        "The biggest pool",
        "Before the deal",
        "Before the draw",
        "The draw B draws 1; C stands pat.",
        "After the draw B stands; C bets 12;",
        "The show B shows 5c 6c 7c 8c Jc",
        "Afterwards C disputes",
    ):
        assert part in hands
    assert ("span", {"class": "card red", "role": "img", "aria-label": "four of hearts"}) in found.elements


def test_limits_are_there_only_on_request_or_for_the_player_himself(store: Store) -> None:
    session = record(store, SECOND)
    who = names(store).player("C")
    assert who is not None
    assert "limits" not in Page(evening_page(told(store, session))).text
    everybody = Page(evening_page(told(store, session, limits=True))).rows["limits"]
    assert [
        "C",
        "40 counters (2.00 GBP)",
        "−68",
        "reached at hand 4, no hands after it",
        "23:30",
        "kept",
    ] in everybody
    assert {row[0] for row in everybody[1:]} == set("ABCDE")
    his = Page(evening_page(told(store, session, player=who))).rows["limits"]
    assert [row[0] for row in his[1:]] == ["C"]


def test_a_limit_is_in_no_other_part_of_the_page(store: Store) -> None:
    sheet = (
        PLAIN
        + """
C loss-limit 19; undo; C loss-limit 5; C stops-at 23:30
hand dealer A; B antes; deal; C opens 5; A calls; B passes; C pat; A pat
C loss-limit 4; C bets 1; A raises 3; C passes
"""
    )
    session = record(store, sheet)
    assert not re.search(r"limit of|stops", evening_page(told(store, session)))
    assert Page(evening_page(told(store, session, limits=True))).rows["limits"][1][:2] == ["C", "4 counters"]


def test_cards_that_were_not_shown_stay_out(store: Store) -> None:
    sheet = (
        PLAIN
        + """
hand dealer A
B antes
deal
C opens 4; A calls; B passes
C holds Kh Kd 9s 8c 7d
C discards 8c 7d
C gets 4s 4h
A discards 2h
C bets 2; A raises 2; C passes
"""
    )
    text = evening_page(told(store, record(store, sheet), limits=True))
    for card in ("Kh", "Kd", "9s", "8c", "7d", "4s", "4h", "2h", "K♥", "9♠", "8♣", "2♥", "king of hearts"):
        assert not re.search(rf"\b{card}\b", text), card
    assert "C draws 2; A draws 1" in Page(text).said("hands")


def test_of_a_show_that_was_taken_back_no_card_is_told(store: Store) -> None:
    found = page(
        store,
        PLAIN
        + "hand dealer A; B antes; deal; C opens 4; A calls; B passes; C pat; A draws 1; C bets 2; A calls;"
        "C shows Kh Kd 9s 9c 7d; undo; C shows Qh Qd 8s 8c 7d; A shows Ah 2d 3s 5c 6d",
    )
    assert "Taken back: C shows a hand." in found.said("corrections")
    everything = " ".join(found.said(section) for section in found.text)
    assert "Kd" not in everything
    assert "Qh Qd 8s 8c 7d" in found.said("hands")


def test_names_are_escaped_and_told_whole(store: Store) -> None:
    odd = "<script>1</script>"
    sheet = SECOND.replace('"A second evening"', '"<b>&amp;</b> évening"')
    sheet = re.sub(r"\bE\b(?=[ ,;\n])", f'"{odd}"', sheet).replace("seat A", 'seat "O\'Brien $x$ {{ 7 }}"')
    sheet = re.sub(r"(?<![\w\"])A (?=antes|buys|passes|straddles)", '"O\'Brien $x$ {{ 7 }}" ', sheet)
    found = page(store, sheet)
    assert "script" not in {tag for tag, _ in found.elements}
    assert "<b>&amp;</b> évening" in found.said("")
    assert odd in found.said("won")
    assert "O'Brien $x$ {{ 7 }}" in found.said("won")
    assert f"■ \u2068{odd}\u2069 +19" in "".join(found.text["counters"])


def test_names_from_the_right_are_kept_apart(store: Store) -> None:
    found = told(
        store, record(store, SECOND.replace(" D", " עדי").replace("\nD", "\nעדי").replace("(D", "(עדי"))
    )
    assert any("pays \u2068עדי\u2069 0.25 GBP" in line for line in found.message.splitlines())


def test_the_page_asks_nothing_of_anybody(store: Store) -> None:
    text = evening_page(told(store, record(store, SECOND), limits=True))
    assert "http:" not in text
    assert "https:" not in text
    assert "url(" not in re.sub(r"url\(#(narrow|broad)-", "", text)
    assert {tag for tag, _ in Page(text).elements}.isdisjoint(
        {"script", "link", "img", "iframe", "object", "base"}
    )
    assert len(text.encode()) < 200_000


def test_ids_are_unique_and_what_points_at_them_finds_them(store: Store) -> None:
    text = evening_page(told(store, record(store, SECOND)))
    ids = [attrs["id"] for _, attrs in Page(text).elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    pointed = re.findall(r'href="#([^"]+)"|url\(#([^)]+)\)', text)
    assert pointed
    assert {a or b for a, b in pointed} <= set(ids)
    for _, attrs in Page(text).elements:
        assert set((attrs.get("aria-labelledby") or "").split()) <= set(ids)


def test_the_same_ledger_gives_the_same_page(store: Store) -> None:
    session = record(store, SECOND)
    assert evening_page(told(store, session)) == evening_page(told(store, session))


@pytest.mark.parametrize("seed", [3, 4])
def test_the_curves_end_where_the_settlement_stands(store: Store, seed: int) -> None:
    taken = take(store, generated(store, seed, 12, 6))
    found = report(taken, names(store).name, store.verify())
    bank: Bank = taken.evening.session.bank
    ends = {curve.name: curve.points[-1] for curve in found.curves}
    nets = {names(store).name(p): bank.net(p) for p in taken.evening.session.people()}
    assert set(nets) == {"P0", "P1", "P2", "P3", "P4", "P5"}
    assert {name: (12, nets[name]) for name in ends} == ends
    assert all(nets[name] == 0 for name in nets if name not in ends)


def test_a_picture_has_every_name_and_a_table_beside_it(store: Store) -> None:
    found = page(store, SECOND)
    pictures = [attrs for tag, attrs in found.elements if tag == "svg"]
    assert len(pictures) == 2
    assert all(attrs["role"] == "img" for attrs in pictures)
    table = found.rows["counters"]
    assert table[0] == ["hand", "B", "E", "D", "A", "C"]
    assert table[-1] == ["end", "+39", "+19", "+11", "−5", "−67"]


@pytest.mark.parametrize(
    ("sheet", "wanted"),
    [
        ('session "None" on 2026-10-03; rules english; set ante 1; set limit 12', "Nobody owes anybody anything."),
        (PLAIN, "Nobody owes anybody anything."),
        (PLAIN + "close", "Nobody owes anybody anything."),
        (PLAIN + "hand dealer A; B antes; deal; C opens 4", "Hand 1 is not finished; the 5 counters in its pool"),
        (PLAIN + "hand dealer A; B antes; deal; C passes; A passes; B passes", "A pool of 1 counter is carried"),
        (PLAIN + "A counts 48; difference borne by banker; close", "the bank is owed 2 counters"),
    ],
)  # fmt: skip
def test_evenings_that_came_to_little_are_told(store: Store, sheet: str, wanted: str) -> None:
    found = page(store, sheet, limits=True)
    assert wanted in found.said("settlement")
    assert "GBP" not in found.said("settlement")
    assert "the chain holds" in found.said("receipt")
    assert ("not closed" in found.said("settlement")) == (not sheet.endswith("close"))


def test_a_sheet_changed_later_is_told_with_what_it_withdrew(store: Store) -> None:
    sheet = PLAIN + "hand dealer A; B antes; deal; C opens 4; A passes; B passes"
    record(store, sheet)
    session = record(store, sheet.replace("C opens 4", "C opens 6"), amend="it was six")
    put_right = Page(evening_page(told(store, session))).said("corrections")
    assert "The sheet was changed, “it was six”: C opens with 4; A passes; B passes." in put_right


def test_a_broken_chain_is_said_to_be_broken() -> None:
    receipt = receipt_of(7, bytes(32), Broken(3, "the payload was changed"))
    assert not receipt.holds
    assert receipt.answer == "The chain is broken at event 3: the payload was changed."


def test_the_receipt_is_the_evenings_last_event(store: Store) -> None:
    session = record(store, SECOND)
    last = list(store.read(session))[-1]
    record(store, PLAIN)
    said = Page(evening_page(told(store, session))).said("receipt")
    assert f"event {last.position}" in said
    assert last.hash.hex() in said


def test_a_long_evening_with_a_full_table_stays_small(store: Store) -> None:
    text = evening_page(told(store, generated(store, 8, 60, 9), limits=True))
    assert len(text.encode()) < 200_000
    assert len(Page(text).rows["counters"]) <= 42


@pytest.mark.long
def test_a_thousand_hands(store: Store) -> None:
    text = evening_page(told(store, generated(store, 8, 1000, 9)))
    assert len(Page(text).rows["counters"]) <= 42
    assert len(text.encode()) < 200_000


def test_many_points_are_thinned_to_their_extremes() -> None:
    points = [(hand, hand % 7 - (500 if hand == 777 else 0)) for hand in range(1001)]
    picture = plots.Picture("p", "t", "d", 360, 340)
    drawn = plots.nets(picture, [plots.Line("A", "+1", points)])
    flat = plots.nets(picture, [plots.Line("A", "+1", [(hand, 0) for hand in range(1001)])])
    assert len(drawn) < 12_000
    heights = [float(y) for y in re.findall(r"[ML] [\d.]+ ([\d.]+)\n(?!\" clip)", drawn)]
    assert max(heights) - min(heights) > 250, "the one deep fall is still drawn"
    assert drawn != flat


def test_labels_of_equal_ends_do_not_lie_on_each_other() -> None:
    lines = [plots.Line(f"player {n}", "0", [(0, 0), (1, 0)]) for n in range(12)]
    drawn = plots.nets(plots.Picture("p", "t", "d", 800, 420), lines)
    heights = sorted(float(y) for y in re.findall(r'y="([\d.]+)"[^>]*>[●■▲◆▼◀▶★] ', drawn))
    assert len(heights) == 12
    assert all(above - below >= 14.5 for below, above in pairwise(heights))
    assert heights[0] > 0
    assert heights[-1] < 420


def over_lifetime(store: Store, facts: Facts, player: str, *, as_recorded: bool = False) -> Lifetime:
    facts.catch_up(store)
    head = store.head()
    id_ = names(store).player(player)
    assert id_ is not None
    receipt = receipt_of(head.position, head.hash, store.verify())
    return lifetime(facts.connection, Scope(player=id_, as_recorded=as_recorded), player, receipt)


def test_a_lifetime_adds_up_by_sort_of_money(store: Store, facts: Facts) -> None:
    record(store, SECOND)
    record(store, (EVENINGS / "worked-example.sheet").read_text("utf-8"))
    record(
        store,
        SECOND.replace("A second", "A third")
        .replace("2026-11-27", "2026-12-04")
        .replace("unit 5p", "unit 0.10 GBP"),
    )
    found = over_lifetime(store, facts, "C")
    assert [(a.heading, a.total) for a in found.accounts] == [
        ("shillings and pence", "+6s 6d"),
        ("GBP", "−10.05 GBP"),
    ]
    assert [e.so_far for e in found.accounts[1].evenings] == ["−3.35 GBP", "−10.05 GBP"]
    assert [s.value for s in found.accounts[1].steps] == [0, -3.35, -10.05]
    assert found.accounts[1].verdict == "There are too few hands to say whether this is more than luck."
    shown = Page(lifetime_page(found))
    limits = {row[0]: row[1] for row in shown.rows["limits"]}
    assert limits["A third evening, 2026-12-04"] == "40 counters (4.00 GBP)"
    assert ["vpip", "5/9", "56 % (27–81)"] in shown.rows["figures"]


def test_the_band_of_a_lifetime_lies_about_its_net(store: Store, facts: Facts) -> None:
    for number in range(12):
        cards = ("D shows Jh Jd Js 8h 4c", "D shows Jh Jd 9s 8h 4c")[number % 3 == 0]
        record(
            store,
            SECOND.replace("A second", f"No. {number}").replace("2026-11-27", f"2026-12-{number + 1:02}")
            .replace("D shows Jh Jd Js 8h 4c", cards).replace("unit 5p\n", ""),
        )  # fmt: skip
    (account,) = over_lifetime(store, facts, "D").accounts
    assert account.up == "counters"
    known = [step for step in account.steps if step.low is not None and step.high is not None]
    assert len(known) >= 7, "from twenty hands on"
    assert all(s.low is not None and s.high is not None and s.low <= s.value <= s.high for s in known)
    text = lifetime_page(over_lifetime(store, facts, "D"))
    assert "The band is where" in text
    assert text == lifetime_page(over_lifetime(store, facts, "D"))


@pytest.mark.parametrize("as_recorded", [False, True])
def test_a_report_is_told_as_corrected_or_as_recorded(store: Store, facts: Facts, as_recorded: bool) -> None:
    """The curves end where the settlement stands either way, and a lifetime goes by the same nets."""
    sheet = SECOND.replace(
        "C shows Kh Kd 9s 9c 2d\n", 'C shows Kh Kd 9s 9c 2d\nruling "as agreed" 2 from C to B\n'
    )
    session = record(store, sheet)
    correct(store, session, "D was paid twice", hand=2, units=7, giver="D", taker="B")
    correct(store, session, "a drink", units=2, giver="B", taker="C")
    played = {curve.name: curve.points for curve in told(store, session).curves}
    right = put_right(store, load_session(store, session), as_recorded=as_recorded)
    found = report(take(store, session), names(store).name, store.verify(), right=right)
    assert len(found.people) == 5
    for person in found.people:
        points = next(curve.points for curve in found.curves if curve.name == person.name)
        assert signed(points[-1][1]) == person.net
        plain = person.name.strip("\u2068\u2069")
        ruled = {"B": 2, "C": -2}.get(plain, 0) if as_recorded else 0
        assert points[:-1] == [(n, units - ruled * (n > 1)) for n, units in played[person.name][:-1]]
        life = over_lifetime(store, facts, plain, as_recorded=as_recorded)
        assert life.accounts[0].evenings[0].net == person.net
        assert (AS_RECORDED in Page(lifetime_page(life)).said("")) == as_recorded


def test_a_player_without_a_session_has_a_page(store: Store, facts: Facts) -> None:
    record(store, 'session "None" on 2026-10-03; rules english; set ante 1; set limit 12; seat A B')
    assert "no session yet" in Page(lifetime_page(over_lifetime(store, facts, "A"))).said("")


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#") * (2 if len(colour) == 4 else 1)
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


@pytest.mark.parametrize("scheme", [0, 1, 2])
def test_letters_and_lines_can_be_told_from_the_paper(scheme: int) -> None:
    """WCAG 2.2 AA: letters 4.5 to 1 (1.4.3), lines of a picture 3 to 1 (1.4.11); light, dark and print."""
    style = (files("analytics.report") / "style.css").read_text("utf-8")
    block = style.split(":root")[scheme + 1].split("}")[0]
    colour = dict(re.findall(r"--([\w-]+): (#\w+);", block))
    for paper in ("paper", "card"):
        for letters in ("ink", "soft", "good", "bad", "red", *(f"line-{n}" for n in range(6))):
            lighter, darker = sorted((_luminance(colour[letters]), _luminance(colour[paper])), reverse=True)
            wanted = 3 if letters.startswith("line") else 4.5
            assert (lighter + 0.05) / (darker + 0.05) >= wanted, (letters, paper)


def run(folder: Path, *arguments: str) -> tuple[int, str]:
    done = CliRunner().invoke(app, ["--db", str(folder / "ledger.db"), *arguments])
    return done.exit_code, done.output


def test_the_command_writes_the_page_and_says_what_it_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "evening.sheet").write_text(SECOND, "utf-8")
    assert run(tmp_path, "record", "evening.sheet")[0] == 0
    code, said = run(tmp_path, "report", "last", "--out", "evening.html")
    assert (code, "replac" in said or "in the place" in said) == (0, False)
    Page((tmp_path / "evening.html").read_text("utf-8"))
    assert "in the place of the one before" in run(tmp_path, "report", "last", "--out", "evening.html")[1]
    code, text = run(tmp_path, "report", "--out", "-")
    assert code == 0
    assert Page(text).rows["settlement"]
    assert run(tmp_path, "report")[0] == 0
    assert (tmp_path / "evening-2026-11-27.html").exists()
    assert run(tmp_path, "report", "--player", "C", "--out", "life.html")[0] == 0
    assert "Net over time" in (tmp_path / "life.html").read_text("utf-8")


@pytest.mark.parametrize(
    ("arguments", "code", "wanted"),
    [
        (("--player", "Z"), 1, "nobody is called Z"),
        (("no such",), 1, "there is no session"),
        (("--out", "no/such/folder.html"), 2, "no/such/folder.html"),
        (("--out", "-", "--pdf"), 2, "--pdf needs a file"),
        (("--out", "evening.pdf"), 2, "add --pdf"),
        (("--out", "evening.html", "--pdf"), 1, "no browser"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], code: int, wanted: str
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(tmp_path))
    (tmp_path / "evening.sheet").write_text(SECOND, "utf-8")
    run(tmp_path, "record", "evening.sheet")
    got, said = run(tmp_path, "report", *arguments)
    assert got == code
    assert wanted in said
    assert "Traceback" not in said


@pytest.mark.long
@pytest.mark.skipif(shutil.which("chromium") is None, reason="no browser is here")
def test_a_browser_makes_a_pdf(tmp_path: Path) -> None:
    (tmp_path / "evening.sheet").write_text(SECOND, "utf-8")
    run(tmp_path, "record", str(tmp_path / "evening.sheet"))
    code, said = run(tmp_path, "report", "--out", str(tmp_path / "evening.html"), "--pdf")
    assert code == 0, said
    assert (tmp_path / "evening.pdf").read_bytes().startswith(b"%PDF")
