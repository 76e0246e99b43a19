"""`mistigris rule ID` and `mistigris rules [NAME]`: a rule and its source; the rule sets."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from cli.output import AsJson, print_json, row_by_row
from cli.settings import refuse

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from ledger.rules import Rules
    from ledger.rules.catalogue import RuleEntry

_KINDS = {"forbids": "forbids", "decides": "decides", "informs": "tells"}


def register(app: typer.Typer) -> None:
    """Adds the two commands to the command line."""
    app.command("rule")(show_rule)
    app.command("rules")(show_rules)


def show_rule(
    rule_id: Annotated[str, typer.Argument(metavar="ID", help="A rule's id, such as R-STRADDLE-CAP.")],
    as_json: AsJson = False,
) -> None:
    """Print a rule in our words, its source and page, and its switches in each rule set."""
    from ledger.rules.catalogue import nearest, rule, rules_by_id

    entry = rule(rule_id)
    if entry is None:
        likely = nearest(rule_id) or list(rules_by_id())
        refuse(f"{rule_id}: no such rule; did you mean {', '.join(likely)}?", 1)
    if as_json:
        print_json(_rule_as_json(entry))
    else:
        _print(*_rule_for_reading(entry))


def show_rules(
    name: Annotated[str | None, typer.Argument(help="A rule set, or the path of rules of your own.")] = None,
    as_json: AsJson = False,
) -> None:
    """Print the rule sets with their switches side by side, or one of them."""
    from ledger.rules import RulesError, UnknownRulesError, load, names

    try:
        chosen = [load(each) for each in ([name] if name is not None else names())]
    except RulesError as fault:
        refuse(str(fault), 1 if isinstance(fault, UnknownRulesError) else 2)
    if as_json:
        print_json({"sets": [_set_as_json(rules) for rules in chosen]})
    elif name is not None:
        _print(_one_set(chosen[0]))
    else:
        _print(*_side_by_side(chosen))


def _print(*parts: "RenderableType") -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, markup=False)  # texts hold square brackets
    for part in parts:
        if isinstance(part, Table) and part.columns[0].header and console.width < _NARROW:
            for line in row_by_row(part):
                console.print(line, soft_wrap=True)
        else:
            console.print(part)


_NARROW = 72
"""Columns under which the sets side by side would break most of their words, and one set lose its values."""


def _set_as_json(rules: "Rules") -> dict[str, Any]:
    switches = rules.model_dump(mode="json", exclude={"name"})
    return {"name": rules.name, "switches": switches}


def _rule_as_json(entry: "RuleEntry") -> dict[str, Any]:
    from ledger.rules import load, names
    from ledger.rules.catalogue import sources

    sets = {name: load(name).model_dump(mode="json") for name in names()}
    return {
        "id": entry.id,
        "kind": entry.kind,
        "text": entry.text,
        "ours": entry.ours,
        "sources": [
            {"source": each.source, "pages": each.pages, "title": sources()[each.source]}
            for each in entry.sources
        ],
        "sets": list(entry.sets),
        "switches": {
            switch: {name: switches[switch] for name, switches in sets.items()} for switch in entry.switches
        },
    }


def _rule_for_reading(entry: "RuleEntry") -> "list[RenderableType]":
    from rich.table import Table
    from rich.text import Text

    from ledger.rules import load, names
    from ledger.rules.catalogue import sources

    where = ", ".join(entry.sets) or "no set until a house turns it on"
    cited = "\n".join(f"{each}: {sources()[each.source]}" for each in entry.sources)
    uncited = "none of the old texts: " + ("today's custom" if entry.sets == ("modern",) else "ours")
    facts = Table.grid(padding=(0, 2))
    for head, text in (
        ("Rule", entry.text),
        ("Ours", entry.ours),
        ("Holds in", where),
        ("Source", cited or uncited),
    ):
        if text:
            facts.add_row(Text(head, style="bold"), Text(text))
    parts: list[RenderableType] = [Text(f"{entry.id} ({_KINDS[entry.kind]})", style="bold"), facts]
    if entry.switches:
        sets = [load(name) for name in names()]
        parts += ["", _switch_table(entry.switches, sets)]
    return parts


def _side_by_side(sets: "list[Rules]") -> "list[RenderableType]":
    """Two tables, for a narrow terminal: where the sets differ, and what all of them say."""
    from ledger.rules import SWITCHES

    differ = tuple(name for name in SWITCHES if len({_value(rules, name) for rules in sets}) > 1)
    alike = _table("switch", "in every set")
    for name in SWITCHES:
        if name not in differ:
            alike.add_row(name, _value(sets[0], name))
    return [_switch_table(differ, sets), "", alike]


def _switch_table(switches: tuple[str, ...], sets: "list[Rules]") -> "RenderableType":
    table = _table("switch", *(rules.name for rules in sets))
    for switch in switches:
        table.add_row(switch, *(_value(rules, switch) for rules in sets))
    return table


def _one_set(rules: "Rules") -> "RenderableType":
    from ledger.rules import SWITCHES, choices
    from ledger.rules.catalogue import rules_by_id

    table = _table("switch", rules.name, "may be", "rules")
    for switch in SWITCHES:
        concerned = "\n".join(entry.id for entry in rules_by_id().values() if switch in entry.switches)
        table.add_row(switch, _value(rules, switch), choices(switch), concerned)
    return table


def _table(*headers: str) -> "Table":
    from rich.table import Column, Table

    # names that a reader will type again stay in one piece
    columns = (Column(each, no_wrap=each in ("switch", "rules"), overflow="fold") for each in headers)
    return Table(*columns, box=None, pad_edge=False)


def _value(rules: "Rules", switch: str) -> str:
    """A switch as a reader wants it: also what must be set, and the set's own custom where it is off."""
    from ledger.rules import custom, in_words, needed

    words = in_words(rules, switch)
    if words == "unset":
        if switch == "limit" and rules.limit_multiple:
            return f"{rules.limit_multiple} antes"
        if switch == "difference":
            return "named at closing"
        return "must be set" if switch in needed(rules) else "-"
    known = custom(rules.name, switch)
    return f"{words} (its own: {known})" if words == "off" and known else words
