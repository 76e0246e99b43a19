"""PokerStars histories: what is printed is what is recorded, and a file that was cut or changed is refused.

The small files beside this test are made up in the shape of real ones; the real ones are read where they are at hand.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from ledger import events as ev
from ledger.audit import audit
from ledger.codec import to_recorded
from ledger.formats.pokerstars.played import Played, Unreadable
from ledger.formats.pokerstars.reader import read
from ledger.importing import Imported, import_history
from ledger.loading import load_session
from ledger.session.state import Session
from ledger.store import open_store
from ledger.store.store import Store

OWN = sorted((Path(__file__).parent / "data").glob("*.txt"))
REAL = sorted((Path(__file__).parents[3] / "shared" / "data" / "pokerstars").glob("*.txt"))
FILES = [*OWN, *REAL]
AMOUNT = re.compile(
    r"(?<=[$€])\d+(?:\.\d\d)?"  # money
    r"|(?<=[ (])\d+(?=[ .)\n])(?! cards?)|(?<=\()\d+(?=/)|(?<=/)\d+(?=\))"  # chips
)
HEADING = b"PokerStars "


def hands_of(files: list[Path]) -> list[tuple[str, bytes]]:
    """Every hand of some files, with a name for it."""
    found: list[tuple[str, bytes]] = []
    for file in files:
        hands = re.split(rb"(?m)^(?=PokerStars )", file.read_bytes().removeprefix(b"\xef\xbb\xbf"))
        found += [(f"{file.stem}-{n}", hand) for n, hand in enumerate(hands) if hand.strip()]
    return found


HANDS = hands_of(FILES)
each_file = pytest.mark.parametrize("file", FILES, ids=lambda p: p.stem)
each_hand = pytest.mark.parametrize("hand", [hand for _, hand in HANDS], ids=[name for name, _ in HANDS])


@pytest.fixture
def store() -> Iterator[Store]:
    with open_store("sqlite://", create=True) as opened:
        yield opened


def taken(store: Store, content: bytes | str) -> Imported:
    done = import_history(store, content if isinstance(content, bytes) else content.encode())
    assert isinstance(done, Imported), done
    return done


def refused(store: Store, content: bytes | str) -> Unreadable:
    before = store.head()
    found = import_history(store, content if isinstance(content, bytes) else content.encode())
    assert isinstance(found, Unreadable), "it was taken in"
    assert store.head() == before
    assert store.names() == [] or before.position > 0
    assert found.message
    assert "\n" not in found.message
    return found


def sessions(store: Store) -> list[Session]:
    return [load_session(store, span.session) for span in store.sessions()]


def sold_as_found(session: Session) -> dict[str, int]:
    """What was found on import to be sold to each player, less what was bought back from him."""
    found: dict[str, int] = {}
    for recorded in session.log:
        if isinstance(recorded.event, (ev.CountersSold, ev.CountersBoughtBack)):
            assert recorded.event.found
            sign = 1 if isinstance(recorded.event, ev.CountersSold) else -1
            player = recorded.event.player
            found[player] = found.get(player, 0) + sign * recorded.event.units
    return found


@each_file
def test_every_counter_of_every_hand_is_accounted_for(store: Store, file: Path) -> None:
    printed = {hand.id: hand for hand in _read(file)}
    taken(store, file.read_bytes())
    seen = 0
    for session in sessions(store):
        for hand in session.hands:
            seen += 1
            told = printed[hand.source_id or ""]
            put_in = sum(hand.staked.values()) - sum(hand.returned.values())
            paid_out = sum(award.units for award in hand.awards)
            assert put_in == hand.won_pool == told.total
            assert paid_out + told.rake == put_in
            assert hand.raked == told.rake
            assert hand.kitty == 0
            assert sum(session.hand_net(hand).values()) == -told.rake
        bank = session.bank
        assert sum(sold_as_found(session).values()) == sum(bank.held.values()) + bank.spent
        assert (bank.kitty, bank.pool, bank.spent) == (0, 0, bank.rake)
    assert seen == len(printed)


@each_file
def test_the_audit_finds_nothing_against_the_hands_as_played(store: Store, file: Path) -> None:
    taken(store, file.read_bytes())
    for span in store.sessions():
        assert audit(span.session, (to_recorded(e) for e in store.read(span.session))) == []


@each_file
def test_importing_twice_adds_nothing(store: Store, file: Path) -> None:
    first = taken(store, file.read_bytes())
    head = store.head()
    again = taken(store, file.read_bytes())
    assert (again.added, again.known, again.events) == (0, first.added, 0)
    assert again.sessions == first.sessions
    assert store.head() == head


@each_file
def test_a_byte_order_mark_and_other_line_ends_change_nothing(store: Store, file: Path) -> None:
    plain = file.read_bytes().removeprefix(b"\xef\xbb\xbf")
    taken(store, plain)
    head = store.head()
    for ends in (b"\r\n", b"\r", b"\n\n"):
        other = b"\xef\xbb\xbf" + plain.replace(b"\n", ends)
        assert taken(store, other).added == 0
    assert store.head() == head


@each_file
def test_a_file_cut_after_any_line_is_refused(store: Store, file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for count in range(1, len(lines)):
        rest = b"".join(lines[count:]).strip()
        if rest and not rest.startswith(HEADING):
            found = refused(store, b"".join(lines[:count]))
            assert found.line <= count


@each_file
def test_a_file_begun_after_any_line_is_refused(store: Store, file: Path) -> None:
    lines = file.read_bytes().splitlines(keepends=True)
    for count in range(1, len(lines)):
        rest = b"".join(lines[count:])
        if rest.strip() and not rest.strip().startswith(HEADING):
            refused(store, rest)


@pytest.mark.parametrize("hand", [h for _, h in hands_of(OWN)], ids=[n for n, _ in hands_of(OWN)])
def test_a_hand_cut_anywhere_in_a_line_is_refused(store: Store, hand: bytes) -> None:
    content = hand.rstrip()
    for length in range(1, len(content)):
        if content[length:].strip():
            refused(store, content[:length])


@each_hand
def test_a_hand_that_lacks_one_line_is_refused_unless_it_only_remarks(store: Store, hand: bytes) -> None:
    lines = hand.splitlines(keepends=True)
    for at, line in enumerate(lines):
        if line.strip() and not any(remark in line for remark in _MAY_LACK):
            refused(store, b"".join(lines[:at] + lines[at + 1 :]))


_MAY_LACK = (
    b" said, ",
    b" joins ",
    b" leaves ",
    b"sits out",
    b"sitting out",
    b"Dealt to",
    b"connected",
    b"was removed",
    b"show hand",
    b"SHOW DOWN",
    b"reshuffled",
)


def changed(content: str) -> Iterator[tuple[str, str]]:
    """The text with one amount a cent (or chip) more or less, and the line that was changed."""
    for found in AMOUNT.finditer(content):
        start = content.rfind("\n", 0, found.start()) + 1
        line = content[start : content.find("\n", start)]
        if " said, " in line:
            continue
        units = round(float(found[0]) * 100)
        chips = "." not in found[0] and content[found.start() - 1] not in "$€"
        for by in (-1, 1):
            cents = f"{(units + by) // 100}.{(units + by) % 100:02}"
            text = str(int(found[0]) + by) if chips else cents
            if units + by >= 0:
                yield content[: found.start()] + text + content[found.end() :], line


@each_hand
def test_a_hand_with_one_amount_changed_is_refused(store: Store, hand: bytes) -> None:
    """But for what lies before a player: nothing binds that, so it is found as bought or sold, and nothing else is."""
    content = hand.decode()
    tries = 0
    for text, line in changed(content):
        tries += 1
        if " in chips)" not in line:
            refused(store, text)
        else:
            assert _other_than_before(text, content) in ("refused", "found")
    assert tries > 20


def _other_than_before(text: str, content: str) -> str:
    """What a changed stack comes to: the file is refused, or more or less is found on import, or another play."""
    plays = []
    for version in (content, text):
        with open_store("sqlite://", create=True) as store:
            if not isinstance(import_history(store, version.encode()), Imported):
                return "refused"
            plays.append([_play(s) for s in sessions(store)])
    return "found" if plays[0] == plays[1] else "another play"


@pytest.mark.long
@pytest.mark.parametrize("file", [f for f in FILES if len(hands_of([f])) > 1], ids=lambda p: p.stem)
def test_a_file_of_many_hands_with_one_amount_changed_is_refused(store: Store, file: Path) -> None:
    for text, line in changed(file.read_bytes().decode("utf-8-sig")):
        if " in chips)" not in line:
            refused(store, text)


def _play(session: Session) -> list[object]:
    """What was played: stakes, returns and awards of every hand, by the places in it."""
    return [
        (
            hand.source_id,
            [hand.staked.get(p, 0) for p in hand.players],
            [hand.returned.get(p, 0) for p in hand.players],
            [(hand.players.index(a.player), a.units, a.pot, a.hand) for a in hand.awards],
        )
        for hand in session.hands
    ]


def _read(file: Path) -> list[Played]:
    hands = read(file.read_bytes())
    assert isinstance(hands, list), hands
    return hands


# --- single matters ---


def own(name: str) -> str:
    return (Path(__file__).parent / "data" / f"{name}.txt").read_text(encoding="utf-8")


def only_session(store: Store, content: str) -> Session:
    taken(store, content)
    (session,) = sessions(store)
    return session


def by_name(store: Store, session: Session) -> dict[str, str]:
    return {row.name: row.player for row in store.names() if row.player in session.seats}


def test_side_pots_pay_their_own_rake_and_go_to_their_own_winners(store: Store) -> None:
    session = only_session(store, own("three-all-ins"))
    id_of = by_name(store, session)
    (hand,) = session.hands
    awards = {(a.pot, a.player): a.units for a in hand.awards}
    assert awards == {(0, id_of["Player2"]): 2033, (1, id_of["Player3"]): 2178, (2, id_of["Hero"]): 3339}
    assert hand.rake == {0: 67, 1: 72, 2: 111}
    assert hand.returned == {id_of["Player1"]: 1000}


def test_a_hand_keeps_its_number_whole_and_the_dealer_is_marked_as_found(store: Store) -> None:
    session = only_session(store, own("comings-and-goings"))
    begun = [r.event for r in session.log if isinstance(r.event, ev.HandBegun)]
    assert [e.source_id for e in begun] == ["900000000401", "900000000402", "900000000403"]
    assert begun[0].found


def test_a_hand_thrown_away_is_known_from_the_summary_and_not_shown(store: Store) -> None:
    session = only_session(store, own("pot-limit"))
    loser = by_name(store, session)["Player2"]
    (hand,) = session.hands
    assert len(hand.known[loser]) == 5
    assert loser not in hand.shown


def test_a_newcomers_small_blind_is_dead_and_his_big_one_live(store: Store) -> None:
    session = only_session(store, own("comings-and-goings"))
    id_of = by_name(store, session)
    extra = [r.event for r in session.log if isinstance(r.event, ev.BlindPosted) and r.event.blind == "extra"]
    assert [(e.player, e.units, e.live) for e in extra] == [
        (id_of["Player5"], 50, False),
        (id_of["Player5"], 100, True),
        (id_of["Player6"], 100, True),
    ]


def test_who_is_gone_takes_his_counters_and_who_moved_sits_where_he_sits_now(store: Store) -> None:
    session = only_session(store, own("comings-and-goings"))
    id_of = by_name(store, session)
    here = [p for p in session.seats if p not in session.gone]
    first = here.index(id_of["Player5"])
    assert [*here[first:], *here[:first]] == [id_of[n] for n in ("Player5", "Player3", "Player1")]
    assert session.away == {id_of["Player1"]}
    assert session.bank.cashed[id_of["Player2"]] == 4100
    assert session.bank.held[id_of["Player1"]] == 4000


def test_when_the_clocks_go_back_the_later_hand_has_the_later_hour(store: Store) -> None:
    session = only_session(store, own("comings-and-goings"))
    minutes = [(hand.begun_at - session.hands[0].begun_at) // 60_000_000 for hand in session.hands]
    assert minutes == [0, 30, 72]


def test_play_money_has_no_price_and_an_all_in_ante_its_own_pot(store: Store) -> None:
    session = only_session(store, own("antes"))
    assert session.unit is None
    assert session.rules is not None
    assert (session.rules.small, session.rules.big, session.rules.ante) == (5, 10, 5)
    assert sorted((a.pot, a.units) for a in session.hands[0].awards) == [(0, 12), (1, 106)]


@pytest.mark.parametrize(
    ("old", "new", "line", "why"),
    [
        ("5 Card Draw Limit", "Hold'em Limit", 1, "only cash games of 5 Card Draw"),
        ("5 Card Draw Limit", "Triple Draw 2-7 Lowball Limit", 1, "only cash games of 5 Card Draw"),
        (":  5 Card Draw", ": Tournament #77, $1+$0.10 USD 5 Card Draw", 1, "only cash games of 5 Card Draw"),
        ("($0.10/$0.20 USD)", "($0.10/$0.20 XAU)", 1, "the currency"),
        ("2010/01/02", "2010/13/02", 1, "there is no such time"),
        ("Table 'Capella'", "Tisch 'Capella'", 2, "the table and its button"),
        ("Seat 2: Player2 ($3.10", "Seat 1: Player2 ($3.10", 4, "twice"),
        ("Player3: checks", "Player3: dances", 14, "no line of a hand"),
        ("[As Kd Qh 9c 8c] (high", "[As Kd Qh 9c 8x] (high", 17, "is no card"),
        ("[As Kd Qh 9c 8c] (high", "[As Kd Qh 9c] (high", 17, "it takes 5"),
        ("collected $0.22", "collected 0.22", 20, "is no amount"),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_refused_with_its_line(
    store: Store, old: str, new: str, line: int, why: str
) -> None:
    content = own("odd-cent")
    assert old in content
    found = refused(store, content.replace(old, new, 1))
    assert (found.line, found.broken) == (line, False)
    assert why in found.message


def test_no_text_no_hand(store: Store) -> None:
    assert "no hand" in refused(store, b"\n\n").message
    assert "UTF-8" in refused(store, own("three-all-ins").encode("cp1252")).message


def test_a_winner_by_print_who_is_none_by_the_rules_is_refused(store: Store) -> None:
    content = own("pot-limit").replace("[Jd Js Jc 5h 4h]", "[Jd Js 6c 5h 4h]")
    found = refused(
        store, content.replace("mucks hand", "shows [Ah Ks Kd 8c 8d] (two pair, Kings and Eights)")
    )
    assert "by the rules he takes" in found.message


def test_a_raise_the_rules_forbid_is_refused_by_its_rule(store: Store) -> None:
    content = own("pot-limit").replace("raises $0.25 to $0.35", "raises $0.26 to $0.36")
    found = refused(store, content)
    assert (found.line, found.rule, found.broken) == (9, "R-POT-LIMIT", True)


# --- sessions of one table ---


def hands_at(*times: tuple[int, str]) -> str:
    """A short hand of one table for each number and time."""
    walk = own("comings-and-goings").split("\n\n\n")[0]
    return "\n\n\n".join(
        walk.replace("900000000401", str(number)).replace("2013/11/03 0:50:00", time)
        for number, time in times
    )


def test_more_than_six_hours_apart_is_another_session(store: Store) -> None:
    taken(
        store,
        hands_at(
            (1, "2013/06/01 12:00:00"),
            (2, "2013/06/01 18:00:00"),
            (3, "2013/06/02 0:00:01"),
            (4, "2013/06/02 1:00:00"),
        ),
    )
    assert [len(s.hands) for s in sessions(store)] == [2, 2]
    assert [s.date for s in sessions(store)] == ["2013-06-01", "2013-06-02"]


def test_a_file_that_goes_on_where_another_ended_adds_only_what_is_new(store: Store) -> None:
    first = hands_at((1, "2013/06/01 12:00:00"), (2, "2013/06/01 12:05:00"))
    taken(store, first)
    done = taken(
        store, hands_at((2, "2013/06/01 12:05:00"), (3, "2013/06/01 12:10:00"), (4, "2013/06/01 12:15:00"))
    )
    assert (done.added, done.known) == (2, 1)
    (session,) = sessions(store)
    assert [h.source_id for h in session.hands] == ["1", "2", "3", "4"]


def test_hands_of_a_file_are_taken_in_the_order_they_were_played(store: Store) -> None:
    taken(store, hands_at((3, "2013/06/01 12:10:00"), (1, "2013/06/01 12:00:00"), (2, "2013/06/01 12:05:00")))
    assert [h.source_id for h in sessions(store)[0].hands] == ["1", "2", "3"]


def test_hands_played_before_those_on_record_are_a_session_of_their_own_and_it_is_said(store: Store) -> None:
    taken(store, hands_at((5, "2013/06/01 12:00:00"), (6, "2013/06/01 12:05:00")))
    done = taken(store, hands_at((3, "2013/06/01 11:00:00"), (4, "2013/06/01 11:30:00")))
    assert "hand 3 was played before" in done.notes[0]
    assert [[h.source_id for h in s.hands] for s in sessions(store)] == [["5", "6"], ["3", "4"]]
    again = taken(
        store, hands_at((3, "2013/06/01 11:00:00"), (6, "2013/06/01 12:05:00"), (7, "2013/06/01 12:10:00"))
    )
    assert (again.added, again.known) == (1, 2)
    assert [[h.source_id for h in s.hands] for s in sessions(store)] == [["5", "6", "7"], ["3", "4"]]


def test_a_hand_that_is_on_record_otherwise_is_refused(store: Store) -> None:
    content = own("odd-cent")
    taken(store, content)
    found = refused(store, content.replace("Seat 2: Player2 ($3.10", "Seat 2: Player2 ($3.11"))
    assert (found.line, found.broken) == (1, True)
    assert "on record, and otherwise" in found.message


def test_a_hand_that_stands_in_a_file_twice_is_refused(store: Store) -> None:
    content = own("odd-cent")
    found = refused(store, content + "\n\n" + content)
    assert "stands on line 1 already" in found.message


def test_two_tables_in_a_file_are_two_sessions_with_the_same_players(store: Store) -> None:
    other = own("odd-cent").replace("'Capella'", "'Castor'").replace("900000000201", "900000000202")
    done = taken(store, own("odd-cent") + "\n\n" + other)
    assert len(done.sessions) == 2
    assert sorted(row.name for row in store.names()) == ["Player1", "Player2", "Player3"]
    one, two = sessions(store)
    assert set(one.seats) == set(two.seats)


def test_one_bad_hand_keeps_the_whole_file_out(store: Store) -> None:
    bad = own("odd-cent").replace("Rake $0.02", "Rake $0.03")
    refused(store, own("pot-limit") + "\n\n" + own("three-all-ins") + "\n\n" + bad)


def test_where_the_small_blind_fell_to_an_empty_seat_the_dealers_left_posts_the_big_one(store: Store) -> None:
    """The button is at an empty seat too: who sits next to its right has the deal, and all speak in turn."""
    session = only_session(store, own("dead-small-blind"))
    id_of = by_name(store, session)
    (hand,) = session.hands
    assert hand.dead_small
    assert [hand.players.index(id_of[name]) for name in ("Player3", "Player1", "Player2")] == [0, 1, 2]
    posted = [r.event for r in session.log if isinstance(r.event, ev.BlindPosted)]
    assert [(e.player, e.blind, e.units) for e in posted] == [(id_of["Player3"], "big", 200)]


def test_a_small_blind_that_is_owed_and_not_printed_is_refused(store: Store) -> None:
    content = own("odd-cent").replace("Player2: posts small blind $0.05\n", "")
    assert refused(store, content).rule == "R-BLINDS"


def test_who_says_too_late_that_he_sits_out_is_dealt_in(store: Store) -> None:
    session = only_session(store, own("dead-small-blind"))
    assert session.away == set()
    assert by_name(store, session)["Player2"] in session.hands[0].players


def test_cards_thrown_away_come_again_only_once_the_pack_has_run_out(store: Store) -> None:
    """The last to draw got two of the cards that Hero threw away; with one card fewer drawn before that cannot be."""
    content = own("reshuffled")
    for fewer in ("Player1: discards 5", "Player2: discards 5", "Player3: discards 5"):
        content = content.replace(fewer, fewer.replace("5", "4"))
    assert refused(store, content).rule == "R-PACK"
    session = only_session(store, own("reshuffled"))
    assert [a.units for a in session.hands[0].awards] == [11]
