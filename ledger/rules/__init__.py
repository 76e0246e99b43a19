"""House rules: the switches of one session, the rule sets that are shipped, and the catalogue of rule ids."""

from ledger.rules.agreement import check, missing, needed
from ledger.rules.load import RulesError, UnknownRulesError, load, names
from ledger.rules.model import (
    SWITCHES,
    CapLimit,
    FixedLimit,
    HandName,
    Kitty,
    Limit,
    NoLimit,
    PotLimit,
    Rules,
)
from ledger.rules.switches import (
    SwitchRefused,
    choices,
    custom,
    in_words,
    kitty_in_words,
    limit_in_words,
    parse_kitty,
    set_switch,
)

__all__ = [
    "SWITCHES",
    "CapLimit",
    "FixedLimit",
    "HandName",
    "Kitty",
    "Limit",
    "NoLimit",
    "PotLimit",
    "Rules",
    "RulesError",
    "SwitchRefused",
    "UnknownRulesError",
    "check",
    "choices",
    "custom",
    "in_words",
    "kitty_in_words",
    "limit_in_words",
    "load",
    "missing",
    "names",
    "needed",
    "parse_kitty",
    "set_switch",
]
