"""Whether the switches of one session agree, and what has to be said before its first hand."""

from ledger.rules.model import CapLimit, Rules
from ledger.rules.switches import SwitchRefused


def check(rules: Rules) -> list[SwitchRefused]:
    """The switches that contradict each other, among those already said.

    Asked after each `set`, so only of amounts: those start unset and can be set in any order. How the
    switches fit that always have a value is `missing`'s question, or a house could never change two that
    belong together.
    """
    found = _ante_refused(rules) if rules.structure == "ante" and rules.ante is not None else []
    if rules.small is not None and rules.big is not None and rules.small > rules.big:
        message = f"the small blind may be up to the big one: {rules.small} is more than {rules.big}"
        found.append(SwitchRefused("R-BLINDS", message))
    return found


def _ante_refused(rules: Rules) -> list[SwitchRefused]:
    ante, limit = rules.ante, rules.effective_limit
    assert ante is not None
    if ante == 0:
        return [SwitchRefused("R-ANTE", "an ante of nothing is none: it is 1 or more")]
    if rules.ante_cap == "none" or not isinstance(limit, CapLimit) or 2 * ante <= limit.units:
        return []
    at_most = f"the ante may be up to {limit.units // 2}, or " if limit.units > 1 else ""
    message = (
        f"an ante of {ante} is more than half the limit of {limit.units}: "
        f"{at_most}the limit must be {2 * ante} or more"
    )
    return [SwitchRefused("R-ANTE-CAP", message)]


def missing(rules: Rules) -> list[SwitchRefused]:
    """What stands between these rules and a first hand: unset amounts, switches that do not fit."""
    unset = [
        SwitchRefused("R-STAKES-FIXED", f"{name} must be set before the first hand: set {name} 2")
        for name in needed(rules)
        if getattr(rules, name) is None
    ]
    return unset + (_misfits_with_ante if rules.structure == "ante" else _misfits_with_blinds)(rules)


def needed(rules: Rules) -> tuple[str, ...]:
    """The amounts that have to be set before the first hand, set or not."""
    if rules.structure == "blinds":
        return ("small", "big", "limit")
    return ("ante",) if rules.limit_multiple else ("ante", "limit")


def _misfits_with_ante(rules: Rules) -> list[SwitchRefused]:
    if rules.go_in != "big_blind":
        return []
    message = "go_in big_blind needs structure blinds; with an ante it is double_last or double_total"
    return [SwitchRefused("R-GO-IN", message)]


def _misfits_with_blinds(rules: Rules) -> list[SwitchRefused]:
    found = []
    if rules.big == 0 and not rules.ante:
        message = "somebody must stake before the deal: set big, or an ante from everybody"
        found.append(SwitchRefused("R-BLINDS", message))
    if rules.go_in != "big_blind":
        message = f"go_in {rules.go_in} needs structure ante; with blinds it is big_blind"
        found.append(SwitchRefused("R-GO-IN", message))
    if rules.straddle != "none":
        message = "a straddle raises the ante of one player: with structure blinds it is straddle none"
        found.append(SwitchRefused("R-STRADDLE-TURN", message))
    if rules.jackpots:
        message = "a jack-pot follows when the ante passes too: with structure blinds it is jackpots off"
        found.append(SwitchRefused("R-JACK-TRIGGER", message))
    return found
