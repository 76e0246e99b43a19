"""Every rule of the page has an entry, names switches that exist, and stands in its source where it says."""

import re
from functools import cache
from pathlib import Path

import pytest

from ledger.rules import SWITCHES, names
from ledger.rules.catalogue import RuleEntry, nearest, rule, rules_by_id, sources

SHARED_RULES = Path(__file__).parents[3] / "shared" / "rules"
beside_the_sources = pytest.mark.skipif(
    not SHARED_RULES.exists(), reason="the sources are not beside the project"
)

IDS = [
    "R-PACK",
    "R-SEATS",
    "R-CUT",
    "R-DEAL-ROTATE",
    "R-SHUFFLE",
    "R-DEAL",
    "R-MISDEAL-FACED",
    "R-EXPOSED-ONE",
    "R-EXPOSED-SELF",
    "R-WRONG-COUNT",
    "R-WRONG-HANDS",
    "R-FOUL",
    "R-LIMIT",
    "R-LIMIT-DEFAULT",
    "R-STAKES-FIXED",
    "R-ANTE",
    "R-ANTE-CAP",
    "R-STRADDLE-TURN",
    "R-STRADDLE-STEP",
    "R-STRADDLE-CAP",
    "R-STRADDLE-LAST-SAY",
    "R-BLIND-UNSEEN",
    "R-SAY-FIRST",
    "R-GO-IN",
    "R-TURN",
    "R-GO-IN-RAISE",
    "R-PASS-FINAL",
    "R-PAID-IN",
    "R-TAKE-DOWN",
    "R-UNCALLED",
    "R-ANTE-ALONE",
    "R-DRAW-GOOD",
    "R-DRAW-ORDER",
    "R-DRAW-COUNT",
    "R-DRAW-INTERLEAVE",
    "R-PAT",
    "R-PLAY-FIRST",
    "R-STAND",
    "R-CALL",
    "R-SHOW",
    "R-SHOW-ORDER",
    "R-CALLER-SEES",
    "R-TIE",
    "R-HEARTS",
    "R-ORDER",
    "R-STRAIGHT-FLUSH",
    "R-FOURS",
    "R-STRAIGHT",
    "R-THREES",
    "R-FLUSH",
    "R-PAIR",
    "R-HIGH-CARD",
    "R-RANK-ACE",
    "R-SEQ-ACE",
    "R-FULL",
    "R-TWO-PAIRS",
    "R-BLAZE",
    "R-SKIP",
    "R-JOKER",
    "R-MISTIGRIS",
    "R-JACK-TRIGGER",
    "R-JACK-ANTE",
    "R-JACK-SAY",
    "R-JACK-OPENERS",
    "R-JACK-WIN",
    "R-JACK-SHOW",
    "R-JACK-FALSE",
    "R-BLINDS",
    "R-TABLE-STAKES",
    "R-ALL-IN",
    "R-SIDE-POT",
    "R-MIN-RAISE",
    "R-FIXED-LIMIT",
    "R-POT-LIMIT",
    "R-CHECK",
    "R-DRAW-FIRST",
    "R-COUNTERS",
    "R-BUY-BACK",
    "R-CONSERVE",
    "R-KITTY",
    "R-LOSS-LIMIT",
    "R-TIME-LIMIT",
    "R-OWN-STAKE",
]

# A few words of each cited page of 000 that the rule rests on.
ON_THE_PAGE = {
    "R-PACK": {41: "an additional card"},
    "R-CUT": {31: "cuts the lowest card deals first"},
    "R-DEAL-ROTATE": {32: "the player to the left of the previous dealer", 40: "the deal passes to him"},
    "R-SHUFFLE": {32: "a right to the last shuffle"},
    "R-DEAL": {33: "deals one card, face downwards, to each player"},
    "R-FOUL": {33: "a greater or less number of cards than five", 42: "more or less than five cards"},
    "R-LIMIT": {
        31: "does not refer to the total amount",
        33: "any sum not exceeding the limit",
        37: "by a sum not exceeding the limit",
        42: "maximum amount by which stakes may be",
        43: "increased at one time",
    },
    "R-STAKES-FIXED": {43: "fixed before play begins", 44: "should not be altered in any circumstances"},
    "R-ANTE": {32: "must in every game be laid", 41: "the only compulsory stake"},
    "R-ANTE-CAP": {41: "must not exceed one half the limit", 44: "must not exceed half the limit"},
    "R-STRADDLE-TURN": {32: "If No. 1 does not straddle the ante", 33: "no other player may do so"},
    "R-STRADDLE-STEP": {32: "may increase the straddle by the amount of the ante"},
    "R-STRADDLE-CAP": {32: "an amount exceeding one-half of the limit"},
    "R-STRADDLE-LAST-SAY": {
        34: "The last straddler has thus the last say",
        44: "the last say before the draw",
    },
    "R-BLIND-UNSEEN": {32: "before the cards are dealt", 41: "before the cards have been dealt"},
    "R-SAY-FIRST": {33: "the player to the left of ante has the", 34: "or of the last straddler"},
    "R-GO-IN": {
        33: "at least twice the amount of ante",
        34: "double the ante and straddles together",
        42: "to qualify for drawing",
    },
    "R-TURN": {
        33: "Each succeeding player",
        34: "so on round the table",
        37: "Each player in succession",
        43: "comes to each player in turn",
    },
    "R-GO-IN-RAISE": {
        33: "increase this sum by an amount not exceeding the limit",
        34: "a further sum not exceeding the limit",
        36: "he raises the stakes by the maximum amount allowed",
    },
    "R-PAID-IN": {36: "stakes one shilling and threepence, making his stake equal"},
    "R-UNCALLED": {38: "claims _B's_ stake"},
    "R-ANTE-ALONE": {40: "ante's stake remains in the pool"},
    "R-DRAW-GOOD": {35: "Before exchanging any of his cards"},
    "R-DRAW-ORDER": {34: "Beginning with ante"},
    "R-DRAW-COUNT": {35: "cannot afterwards modify his choice"},
    "R-DRAW-INTERLEAVE": {35: "the stakes are all equal", 36: "discards two of his cards"},
    "R-PAT": {43: "without drawing"},
    "R-PLAY-FIRST": {
        36: "No. 1 then begins play",
        37: "The turn then passes to No. 2",
        38: "begins play by betting",
    },
    "R-STAND": {37: "decline to bet until the next round"},
    "R-CALL": {37: "Resign his stake and the game"},
    "R-SHOW": {37: "throws his cards face upwards", 44: "every hand must be exposed"},
    "R-SHOW-ORDER": {37: "throws his cards face upwards", 38: "compelled to show his hand"},
    "R-CALLER-SEES": {37: "he has the right to see No. 1's hand when the game is over"},
    "R-ORDER": {
        38: "in order of value",
        39: "_A Pair_",
        41: "takes precedence of two pairs",
        44: "precedence of _triplets_",
    },
    "R-STRAIGHT-FLUSH": {38: "A sequence of five cards of the same suit"},
    "R-FOURS": {38: "Four aces take precedence"},
    "R-STRAIGHT": {39: "wins, of course, against any lower sequence"},
    "R-THREES": {39: "Three aces are highest"},
    "R-FLUSH": {39: "the highest card taking precedence"},
    "R-PAIR": {39: "Two aces are the highest pair"},
    "R-HIGH-CARD": {39: "holds the next highest card wins"},
    "R-RANK-ACE": {38: "Four aces take precedence", 39: "Three aces are highest"},
    "R-SEQ-ACE": {38: "the ace is the lowest card", 39: "Nine to king is the highest sequence"},
    "R-FULL": {38: "_Full Hand_", 39: "without regard to the value of the other two cards"},
    "R-TWO-PAIRS": {39: "the value is decided by the second pair"},
    "R-BLAZE": {41: "a hand containing ace or aces being best", 42: "five court cards"},
    "R-SKIP": {44: "A sequence of alternate cards"},
    "R-JOKER": {41: "better than the real king of spades"},
    "R-JACK-TRIGGER": {40: "The next hand is called a Jack-pot"},
    "R-JACK-ANTE": {40: "he and every other player must put into the pool"},
    "R-JACK-SAY": {40: "every other player must put into the pool a sum equal to the ante"},
    "R-JACK-OPENERS": {40: "continues the same series of minimum hands"},
    "R-JACK-WIN": {40: "takes the accumulated pool"},
    "R-JACK-SHOW": {40: "before he can claim the pool, show"},
    "R-JACK-FALSE": {40: "a sum double that of the ante into the pool as a penalty"},
    "R-COUNTERS": {44: "treble the value of ante"},
    "R-BUY-BACK": {45: "bought back at the same rate"},
    "R-KITTY": {42: "set aside in every game"},
    "R-LOSS-LIMIT": {45: "Fix a limit to your losses"},
    "R-TIME-LIMIT": {45: "Fix a time to cease play"},
    "R-OWN-STAKE": {45: "a stake you are not prepared to lose"},
}
# The other sources have no pages.
IN_THE_TEXT = {
    "R-PACK": {"002": "in the pack", "003": "ordinary pack of fifty-two cards"},
    "R-SEATS": {"003": "five, or at most six, players"},
    "R-CUT": {"003": "must cut again for the deal"},
    "R-DEAL-ROTATE": {
        "002": "the deal passing to the player who was the age",
        "003": "left of the previous dealer",
        "004": "The deal passes to the left",
    },
    "R-SHUFFLE": {"003": "the last shuffle", "004": "tapping the pack with his knuckles"},
    "R-DEAL": {"001": "five cards dealt him", "003": "deals one card", "004": "one at a time in rotation"},
    "R-MISDEAL-FACED": {"004": "any card is found faced in the pack"},
    "R-EXPOSED-ONE": {"004": "cannot be compelled to take two exposed cards"},
    "R-EXPOSED-SELF": {"004": "he has no remedy"},
    "R-WRONG-COUNT": {"004": "placed on the bottom of the pack"},
    "R-WRONG-HANDS": {"004": "there must be a new deal"},
    "R-FOUL": {"002": "still have only four cards after the draw", "003": "less number of cards than five"},
    "R-LIMIT": {
        "001": "any less sum than the limit may be staked",
        "002": "as much more as he pleases within the limit",
        "003": "the greatest sum by which he may increase",
        "004": "putting up three times the limit",
    },
    "R-LIMIT-DEFAULT": {"004": "fifty times the amount of the blind"},
    "R-ANTE": {
        "001": "deposited by the oldest hand",
        "002": "has already put up as a blind",
        "003": "known as ante throughout the game",
        "004": "The age having put up the amount of the blind",
    },
    "R-ANTE-CAP": {"004": "must not exceed the betting limit"},
    "R-STRADDLE-TURN": {
        "003": "the option of straddling",
        "004": "put up by the player to the left of the age",
    },
    "R-STRADDLE-STEP": {
        "003": "by the amount of the ante",
        "004": "four times the amount of the original blind",
    },
    "R-STRADDLE-CAP": {"003": "one-half of the limit", "004": "more than half the limit"},
    "R-STRADDLE-LAST-SAY": {"002": "the left of the last straddler", "003": "has thus the last say"},
    "R-BLIND-UNSEEN": {
        "001": "then look at their hands",
        "002": "the blind is made before seeing it",
        "003": "before the cards are dealt",
        "004": "has not even seen the cards cut",
    },
    "R-SAY-FIRST": {
        "001": "each in order after the ante",
        "002": "the first announcement",
        "003": "left of ante has the say",
    },
    "R-GO-IN": {
        "001": "a sum equal to twice the ante",
        "002": "or of the last straddle",
        "003": "double the ante and straddles together",
        "004": "twice the amount of the last straddle",
    },
    "R-TURN": {"001": "each in order", "002": "every player in his turn", "003": "in his turn"},
    "R-GO-IN-RAISE": {
        "001": "chip to fill",
        "002": "This is called raising the ante",
        "003": "increase this sum by an amount",
    },
    "R-PASS-FINAL": {"002": "a hand once thrown down cannot be taken up again"},
    "R-PAID-IN": {"001": "makes good the ante", "002": "adding one to it he can make his ante good"},
    "R-TAKE-DOWN": {
        "001": "the one left in takes the pool",
        "002": "takes down all the counters in the pool",
    },
    "R-ANTE-ALONE": {"001": "the one left in takes the pool"},
    "R-DRAW-GOOD": {"002": "who have made the ante good", "003": "Before exchanging any of his cards"},
    "R-DRAW-ORDER": {"002": "The age has the first draw", "003": "Beginning with ante"},
    "R-DRAW-COUNT": {
        "001": "an equal number of cards from the top of the pack",
        "002": "more or less cards than he discards",
        "003": "cannot afterwards modify his choice",
    },
    "R-DRAW-INTERLEAVE": {"001": "When all have filled", "002": "they will then be ready to draw cards"},
    "R-PAT": {"002": "stand pat, refusing to draw any"},
    "R-STAND": {"001": "must either raise his stake or go out of the game"},
    "R-CALL": {"001": "see the raise", "002": "a b c of Poker"},
    "R-SHOW": {"001": "The best poker hand takes the pool"},
    "R-SHOW-ORDER": {"001": "The player to the left of the one who compelled a call"},
    "R-TIE": {"001": "the pool is divided"},
    "R-HEARTS": {"003": "takes precedence of other suits"},
    "R-ORDER": {"001": "beginning with the best", "002": "he can beat a royal flush"},
    "R-STRAIGHT-FLUSH": {"001": "the sequence headed by the highest card wins"},
    "R-FOURS": {"001": "the highest fours win"},
    "R-STRAIGHT": {"001": "the same as between two straights"},
    "R-THREES": {"001": "the highest triplets in triplet hands"},
    "R-FLUSH": {"001": "if these tie, the next highest, and so on"},
    "R-PAIR": {"001": "with one pair, the same"},
    "R-HIGH-CARD": {"001": "each shows his highest card"},
    "R-RANK-ACE": {"001": "as at whist (ace highest)", "003": "ace is the highest in each suit"},
    "R-SEQ-ACE": {"001": "ace may be highest or lowest", "003": "the ace is the lowest card"},
    "R-FULL": {"001": "the holder of the highest triplets wins"},
    "R-TWO-PAIRS": {"001": "the remaining highest card wins"},
    "R-MISTIGRIS": {"002": "the hand with the mistigris wins"},
    "R-COUNTERS": {"002": "two blues, or fifty whites", "004": "one white counter"},
}


@cache
def source_text(number: str) -> str:
    (path,) = (SHARED_RULES / "sources").glob(f"{number}_*.txt")
    return path.read_text(encoding="utf-8")


@cache
def pages_of_000() -> dict[int, str]:
    """The number in square brackets stands before its page; what is before the first one is page 31."""
    first, *rest = re.split(r"\[(\d+)\]", source_text("000"))
    return {31: first} | {int(number): text for number, text in zip(rest[::2], rest[1::2], strict=True)}


def cited_pages(entry: RuleEntry) -> set[int]:
    found = set()
    for citation in entry.sources:
        for part in (citation.pages or "").split(", "):
            if part:
                first, _, last = part.partition("-")
                found |= set(range(int(first), int(last or first) + 1))
    return found


def test_the_catalogue_holds_these_rules_and_no_others() -> None:
    assert sorted(rules_by_id()) == sorted(IDS)


@beside_the_sources
def test_the_catalogue_holds_the_rules_of_the_page() -> None:
    page = (SHARED_RULES / "RULES.md").read_text(encoding="utf-8")
    heads = re.findall(r"^\| (R-[A-Z, -]+) \|", page, flags=re.MULTILINE)
    assert sorted(rules_by_id()) == sorted(each for head in heads for each in head.split(", "))


@pytest.mark.parametrize("entry", rules_by_id().values(), ids=list(rules_by_id()))
def test_an_entry_is_whole(entry: RuleEntry) -> None:
    assert entry.kind in ("forbids", "decides", "informs")
    assert entry.text.endswith(".")
    assert set(entry.switches) <= set(SWITCHES)
    assert set(entry.sets) <= set(names())
    assert {citation.source for citation in entry.sources} <= set(sources())
    assert all(bool(citation.pages) == (citation.source == "000") for citation in entry.sources)
    # a set without the rule has a switch that brings it in
    assert entry.sets or entry.switches


def test_every_switch_belongs_to_a_rule() -> None:
    assert {switch for entry in rules_by_id().values() for switch in entry.switches} == set(SWITCHES)


def test_every_switch_a_rule_speaks_of_is_named_by_it() -> None:
    for entry in rules_by_id().values():
        spoken = set(re.findall(r"`(\w+) = ", f"{entry.text} {entry.ours}"))
        assert spoken <= set(entry.switches), entry.id


@pytest.mark.parametrize("entry", rules_by_id().values(), ids=list(rules_by_id()))
def test_every_citation_is_vouched_for(entry: RuleEntry) -> None:
    assert cited_pages(entry) == set(ON_THE_PAGE.get(entry.id, {}))
    assert {each.source for each in entry.sources} - {"000"} == set(IN_THE_TEXT.get(entry.id, {}))


@beside_the_sources
@pytest.mark.parametrize(
    ("rule_id", "page", "words"),
    [(rule_id, page, words) for rule_id, pages in ON_THE_PAGE.items() for page, words in pages.items()],
)
def test_the_words_stand_on_the_cited_page(rule_id: str, page: int, words: str) -> None:
    assert words in pages_of_000()[page], f"{rule_id}: not on page {page}"


@beside_the_sources
@pytest.mark.parametrize(
    ("rule_id", "source", "words"),
    [(rule_id, source, words) for rule_id, texts in IN_THE_TEXT.items() for source, words in texts.items()],
)
def test_the_words_stand_in_the_cited_text(rule_id: str, source: str, words: str) -> None:
    assert words in source_text(source), f"{rule_id}: not in {source}"


@beside_the_sources
def test_the_rules_are_told_in_our_own_words() -> None:
    """No run of eight words of a source is to be found in the catalogue."""

    def runs(text: str) -> set[tuple[str, ...]]:
        words = re.findall(r"[a-z0-9]+", text.lower())
        return {tuple(words[at : at + 8]) for at in range(len(words) - 7)}

    taken = runs(" ".join(source_text(number) for number in sources()))
    for entry in rules_by_id().values():
        assert not runs(f"{entry.text} {entry.ours}") & taken, entry.id


@pytest.mark.parametrize("asked", ["R-STRADDLE-CAP", "r-straddle-cap", "straddle-cap", " Straddle_Cap "])
def test_an_id_is_found_however_it_is_typed(asked: str) -> None:
    entry = rule(asked)
    assert entry is not None
    assert entry.id == "R-STRADDLE-CAP"
    assert [str(citation) for citation in entry.sources] == ["000, p. 32", "003", "004"]


def test_an_unknown_id_is_told_the_nearest() -> None:
    assert rule("R-STRADLE-CAPS") is None
    assert nearest("R-STRADLE-CAPS")[0] == "R-STRADDLE-CAP"
    assert nearest("xyzzy") == []
