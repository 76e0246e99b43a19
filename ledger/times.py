"""Times at the table: from the clock on the wall, in the host's zone, to microseconds UTC and back."""

import datetime as dt
import os
import pathlib
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

MICROSECOND = dt.timedelta(microseconds=1)
EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_DAY = dt.timedelta(days=1)
_FURTHEST = 2**53
"""Microseconds from 1970, 285 years: what JSON's numbers hold."""


def zone_named(name: str) -> ZoneInfo | None:
    """The zone of an IANA name, or None where there is none of that name."""
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return None


def host_zone() -> str:
    """The zone of this machine, as an IANA name: MISTIGRIS_ZONE, TZ, the system's; UTC where none tells one."""
    for name in (os.environ.get("MISTIGRIS_ZONE"), os.environ.get("TZ")):
        if name and zone_named(name):
            return name
    target = str(pathlib.Path("/etc/localtime").resolve())
    name = target.partition("zoneinfo/")[2]
    return name if name and zone_named(name) else "UTC"


def instant(moment: dt.datetime) -> int:
    """Microseconds since 1970 UTC of an aware moment."""
    return (moment - EPOCH) // MICROSECOND


def moment(microseconds: int, zone: str) -> dt.datetime:
    """The moment of an instant, on the clock of a zone.

    An instant that no store takes (it stands in a record that was tampered with) is told as the furthest that one does.
    """
    there = max(-_FURTHEST, min(microseconds, _FURTHEST))
    return (EPOCH + dt.timedelta(microseconds=there)).astimezone(zone_named(zone) or dt.UTC)


def rfc3339(microseconds: int, zone: str) -> str:
    """The instant with the offset of its zone, as RFC 3339."""
    return moment(microseconds, zone).isoformat(timespec="seconds")


def on_date(date: dt.date, time: dt.time | None, zone: str) -> int:
    """The instant of a date and a time of day in a zone; without a time the first moment of the date."""
    return instant(dt.datetime.combine(date, time or dt.time(), zone_named(zone) or dt.UTC))


def next_told(time: dt.time, told_at: int, zone: str, *, first: bool) -> int:
    """The instant meant by a time of day told after `told_at`: of the day before, the same or the next the nearest one.

    `first`: no hour was known before, so the date itself is meant. Of an hour that comes twice when clocks go back, the
    one that is not before what was told last.
    """
    last = moment(told_at, zone)
    if first:
        return on_date(last.date(), time, zone)
    days = (last.date() - _DAY, last.date(), last.date() + _DAY)
    meant = [
        [instant(dt.datetime.combine(day, time, last.tzinfo).replace(fold=fold)) for fold in (0, 1)]
        for day in days
    ]
    nearest = min(meant, key=lambda both: (min(abs(at - told_at) for at in both), -max(both)))
    return min((at for at in nearest if at >= told_at), default=max(nearest))


def next_after(time: dt.time, start: int, zone: str) -> int:
    """The first instant after `start` at which the clock shows the time."""
    day = moment(start, zone).date()
    at = on_date(day, time, zone)
    return at if at > start else on_date(day + _DAY, time, zone)
