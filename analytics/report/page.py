"""Reports as pages: one HTML document each, with its style and pictures in it, no script, nothing from elsewhere.

Every name and text of the ledger is escaped by the template engine; only our own pictures and style are put in as they
are. The page forbids itself any request (its Content-Security-Policy).
"""

from importlib.resources import files

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from analytics import plots
from analytics.report.evening import Curve, Report
from analytics.report.figures import RATES
from analytics.report.lifetime import Account, Lifetime
from analytics.report.words import signed

_HERE = "analytics.report"


def _environment() -> Environment:
    return Environment(
        loader=PackageLoader("analytics", "report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def _style() -> Markup:
    return Markup((files(_HERE) / "style.css").read_text("utf-8"))


def evening_page(report: Report, *, all_limits: bool = False) -> str:
    """The report of an evening as a page; `all_limits`: everybody's limits were asked for."""
    narrow = broad = Markup("")
    if report.curves:
        narrow = _nets("narrow", report.curves, 360, 340)
        broad = _nets("broad", report.curves, 800, 420)
    return _environment().get_template("evening.html.j2").render(
        title=report.title,
        style=_style(),
        r=report,
        priced=any(person.money for person in report.people),
        narrow=narrow,
        broad=broad,
        rates=RATES,
        all_limits=all_limits,
    )  # fmt: skip


def _nets(name: str, curves: list[Curve], width: int, height: int) -> Markup:
    standing = ", ".join(f"{c.name} {signed(c.points[-1][1])}" for c in curves)
    picture = plots.Picture(
        name,
        "Counters won or lost, hand by hand",
        f"A line for each player; in the end {standing}. The table below has the same numbers.",
        width,
        max(height, 17 * len(curves) + 80),
    )
    lines = [plots.Line(c.name.strip("\u2068\u2069"), signed(c.points[-1][1]), c.points) for c in curves]
    return Markup(plots.nets(picture, lines))


def lifetime_page(report: Lifetime) -> str:
    """A player's report over his lifetime as a page."""
    pictures = [
        (_band(f"narrow{n}", a, 360, 300), _band(f"broad{n}", a, 800, 380))
        for n, a in enumerate(report.accounts)
    ]
    return (
        _environment()
        .get_template("lifetime.html.j2")
        .render(title=report.name, style=_style(), r=report, pictures=pictures)
    )


def _band(name: str, account: Account, width: int, height: int) -> Markup:
    picture = plots.Picture(
        name,
        "Net over time",
        f"The sum of nets after each of {len(account.evenings)} sessions, in the end {account.total}, with the band of "
        "its interval of 95 %. The table below has the same sums.",
        width,
        height,
    )
    return Markup(plots.band(picture, account.steps, "session", f"won or lost, {account.up}"))
