"""The receipt at the end of a report: what a player keeps, and can later hold the ledger to."""

from typing import NamedTuple

from analytics.report.words import listed
from ledger.store.model import Broken, Verified


class Receipt(NamedTuple):
    """What a player keeps: the position and hash of the last event, and what verifying the chain said."""

    position: int
    hash: str
    holds: bool
    answer: str


def receipt_of(position: int, hash_: bytes, verified: Verified | Broken) -> Receipt:
    """The receipt for an event, with what verifying the chain said."""
    if isinstance(verified, Broken):
        answer = f"The chain is broken at event {verified.position}: {verified.reason}."
        return Receipt(position, hash_.hex(), False, answer)
    answer = f"Every hash was computed again from what is stored: the chain holds, {verified.events} events."
    if verified.withheld:
        ranges = listed(f"{first} to {end}" for first, end in verified.withheld)
        answer += f" Of events {ranges} only the hash is in this copy."
    return Receipt(position, hash_.hex(), True, answer)
