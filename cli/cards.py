"""`mistigris compare HAND HAND` and `mistigris odds HAND`: what beats what, and what a draw gives."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, print_json, show, table
from cli.settings import refuse

if TYPE_CHECKING:
    from ledger.cards import RankRules
    from ledger.cards.duel import Drawer, Unseen, WinOdds
    from ledger.cards.odds import DrawOdds
    from ledger.rules import Rules

RulesName = Annotated[str, typer.Option("--rules", help="A rule set, or the path of rules of your own.")]
Switches = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="SWITCH=VALUE", help="Any switch of the rules; may be repeated."),
]
Throw = Annotated[
    str | None, typer.Option("--throw", metavar="CARDS", help='The cards thrown; "" stands pat.')
]
Best = Annotated[bool, typer.Option("--best", help="Every way to draw, the best for the aim first.")]
AimText = Annotated[
    str,
    typer.Option(
        "--aim",
        metavar="AIM",
        help="What is wanted: improve (the class), a class such as flush, or a hand to beat.",
    ),
]
Known = Annotated[
    str, typer.Option("--known", metavar="CARDS", help="Cards known to be elsewhere, which cannot come.")
]
Against = Annotated[
    list[str] | None,
    typer.Option(
        "--against",
        metavar="CARDS[:DRAWS]",
        help="Another's cards, and how many he draws (else what is missing to five); unknown is a hand of which "
        "nothing is known, unknown:DRAWS one of whom only the draw is. May be repeated.",
    ),
]
EveryRank = Annotated[bool, typer.Option("--ranks", help="Every rank that can come, not only the classes.")]
Seed = Annotated[int, typer.Option("--seed", help="The seed, where deals have to be sampled.")]
Samples = Annotated[int, typer.Option("--samples", min=1, help="How many deals are sampled then.")]

_BAR_WIDTH = 20


def register(app: typer.Typer) -> None:
    """Adds the two commands to the command line."""
    app.command("compare")(compare)
    app.command("odds")(odds)


def compare(
    a: Annotated[str, typer.Argument(metavar="HAND", help='One hand, as "Kh Kd 9s 9c 2d".')],
    b: Annotated[str, typer.Argument(metavar="HAND", help="The other.")],
    *,
    rules: RulesName = "modern",
    switches: Switches = None,
    as_json: AsJson = False,
) -> None:
    """Say which of two hands is better, and by which rule."""
    from ledger import cards

    with _card_errors():
        found = cards.compare(_rank_rules(rules, switches), cards.parse_cards(a), cards.parse_cards(b))
    if not as_json:
        typer.echo(f"{found.explanation} ({found.rule}).")
        return
    print_json(
        {
            "a": {"hand": found.a_class, "words": found.a_words},
            "b": {"hand": found.b_class, "words": found.b_words},
            "better": found.better,
            "rule": found.rule,
            "explanation": found.explanation,
        }
    )


def odds(
    hand: Annotated[str, typer.Argument(metavar="HAND", help='The hand as dealt, "9s 9h Kd 7c 4s".')],
    *,
    throw: Throw = None,
    best: Best = False,
    aim: AimText = "improve",
    known: Known = "",
    against: Against = None,
    every_rank: EveryRank = False,
    seed: Seed = 0,
    samples: Samples = 100_000,
    rules: RulesName = "modern",
    switches: Switches = None,
    as_json: AsJson = False,
) -> None:
    """Count what a draw gives: every hand that can come of it, none guessed."""
    from ledger.cards import duel, parse_cards
    from ledger.cards import odds as counting

    if (throw is None) != best:
        refuse('give --throw CARDS (--throw "" stands pat) or --best, one of the two', 2)
    if best and (against or every_rank):
        refuse("--against and --ranks go with --throw CARDS, not with --best", 2)
    rank_rules = _rank_rules(rules, switches)
    with _card_errors():
        cards, elsewhere = parse_cards(hand), parse_cards(known)
        least = _least_rank(rank_rules, cards, aim)
        if throw is None:
            _print_ways(counting.all_draws(rank_rules, cards, elsewhere, least), aim, as_json)
            return
        thrown = parse_cards(throw)
        draw = counting.draw_odds(rank_rules, cards, thrown, elsewhere, least)
        ranks = counting.rank_counts(rank_rules, cards, thrown, elsewhere) if every_rank else None
        win = None
        if against:
            mine = duel.Drawer(draw.kept, len(thrown))
            others = [_other(text) for text in against]
            gone = (*thrown, *elsewhere)
            win = duel.win_odds(rank_rules, mine, others, gone, seed=seed, samples=samples)
    if as_json:
        print_json(_draw_as_json(draw, aim, ranks, win))
    else:
        _print_draw(draw, aim, ranks, win)


def _rank_rules(name: str, switches: Sequence[str] | None) -> "RankRules":
    """The switches that rank hands, from the rule set and what `--set` changes in it."""
    from ledger.rules.ranks import rank_rules

    return rank_rules(_rules(name, switches or ()))


def _rules(name: str, switches: Sequence[str]) -> "Rules":
    from ledger.rules import RulesError, SwitchRefused, UnknownRulesError, load, set_switch

    try:
        rules = load(name)
    except RulesError as fault:
        refuse(str(fault), 1 if isinstance(fault, UnknownRulesError) else 2)
    for text in switches:
        switch, equals, value = text.partition("=")
        if not equals:
            refuse(f'--set "{text}": write SWITCH=VALUE, as in --set joker=higher', 2)
        changed = set_switch(rules, switch, value.split())
        if isinstance(changed, SwitchRefused):
            refuse(f'--set "{text}": {changed.message}', 2)
        rules = changed
    return rules


def _least_rank(rules: "RankRules", hand: Sequence[int], aim: str) -> int:
    """The least rank that reaches the aim: a class above the hand's, a class by its name, or what beats a hand."""
    from ledger.cards import CLASSES, check_hand, parse_cards
    from ledger.cards import odds as counting

    name = aim.strip().lower().replace(" ", "_").replace("-", "_")
    if name in CLASSES:
        return counting.at_least(name)
    joker = rules.joker != "off"
    check_hand(hand, joker, size=None)
    if name == "improve":
        return counting.improve(rules, hand)
    if not any(letter.isdigit() for letter in aim) and len(aim) > 2 and " " not in aim:
        refuse(f'--aim "{aim}": say improve, a hand to beat, or one of {", ".join(CLASSES)}', 2)
    beaten = parse_cards(aim)
    check_hand(beaten, joker, size=None)
    return counting.beat(rules, beaten)


def _other(text: str) -> "Drawer | Unseen":
    """An opponent as `--against` names him."""
    from ledger.cards import CardError, parse_cards
    from ledger.cards.duel import Drawer, Unseen

    cards, colon, draws = text.partition(":")
    if colon and not (draws.isascii() and draws.isdigit()):
        raise CardError(f'--against "{text}": after the colon stands how many he draws, 0 to 5')
    if cards.strip().lower() == "unknown":
        return Unseen(int(draws)) if colon and int(draws) != 5 else Drawer((), 5)
    kept = parse_cards(cards)
    return Drawer(kept, int(draws) if colon else max(5 - len(kept), 0))


def _draw_as_json(
    draw: "DrawOdds", aim: str, ranks: list[tuple[int, int]] | None, win: "WinOdds | None"
) -> dict[str, Any]:
    from ledger.cards import CLASSES, cards_text
    from ledger.cards.order import CLASS_SHIFT
    from ledger.cards.words import rank_words

    content: dict[str, Any] = {
        "kept": cards_text(draw.kept),
        "thrown": cards_text(draw.thrown),
        "total": draw.total,
        "classes": draw.classes,
        "better": draw.better,
        "equal": draw.equal,
        "worse": draw.worse,
        "improves": draw.improves,
        "aim": aim,
        "reaching": draw.reaching,
    }
    if ranks is not None:
        content["ranks"] = [
            {"hand": CLASSES[rank >> CLASS_SHIFT], "words": rank_words(rank), "count": count}
            for rank, count in ranks
        ]
    if win is not None:
        content["win"] = {
            "total": win.total,
            "alone": win.alone,
            "shared": {str(hands): deals for hands, deals in win.shared},
            "lost": win.lost,
            "share": f"{win.share.numerator}/{win.share.denominator}",
            "exact": win.exact,
            "method": win.method,
            "error": f"{win.error:.6f}",
        }
    return content


def _print_draw(
    draw: "DrawOdds", aim: str, ranks: list[tuple[int, int]] | None, win: "WinOdds | None"
) -> None:
    from ledger.cards import cards_text, class_words
    from ledger.cards.words import rank_words

    counts = table("hand", ">draws", ">chance", "")
    for name, count in draw.classes.items():
        counts.add_row(class_words(name), str(count), _percent(count, draw.total), _bar(count, draw.total))
    for rank, count in ranks or ():
        counts.add_row(f"  {rank_words(rank)}", str(count), _percent(count, draw.total))
    show(f"keep {cards_text(draw.kept) or 'none'}, throw {cards_text(draw.thrown) or 'none'}")
    show(counts)
    show(
        f"of {draw.total}: better {draw.better} ({_percent(draw.better, draw.total)}), equal {draw.equal}, "
        f"worse {draw.worse}; the class rises in {draw.improves} ({_percent(draw.improves, draw.total)})"
    )
    if aim != "improve":
        show(f"aim {aim}: {draw.reaching} ({_percent(draw.reaching, draw.total)})")
    if win is not None:
        _print_win(win)


def _print_win(win: "WinOdds") -> None:
    shared = "".join(
        f", shared by {hands} {deals} ({_percent(deals, win.total)})" for hands, deals in win.shared
    )
    error = "" if win.exact else f", give or take {100 * win.error:.2f}% (19 times in 20)"
    show(
        f"the show: won {win.alone} ({_percent(win.alone, win.total)}){shared}, lost {win.lost} of {win.total}; "
        f"{_percent(win.share.numerator, win.share.denominator)} of the pool{error}; {win.method}"
    )


def _print_ways(ways: "Sequence[DrawOdds]", aim: str, as_json: bool) -> None:
    """All ways to draw, as a picture: a bar for the chance to reach the aim, and the classes that come oftenest."""
    from ledger.cards import cards_text, class_words

    if as_json:
        print_json({"aim": aim, "ways": [_draw_as_json(way, aim, None, None) for way in ways]})
        return
    picture = table("keep", "throw", f">{aim}", "", "oftenest")
    for way in ways:
        oftenest = sorted(way.classes.items(), key=lambda each: -each[1])[:2]
        picture.add_row(
            cards_text(way.kept),
            cards_text(way.thrown),
            _percent(way.reaching, way.total),
            _bar(way.reaching, way.total),
            ", ".join(f"{class_words(name)} {_percent(count, way.total)}" for name, count in oftenest),
        )
    show(picture)


def _bar(count: int, total: int) -> str:
    mark = "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
    return mark * round(_BAR_WIDTH * count / total)


def _percent(count: int, total: int) -> str:
    return f"{100 * count / total:.3f}%"


@contextmanager
def _card_errors() -> Iterator[None]:
    """Cards that are none, or no hand, end the command with one line."""
    from ledger.cards import CardError

    try:
        yield
    except CardError as fault:
        refuse(str(fault), 2)
