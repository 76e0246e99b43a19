"""Pictures as SVG to stand in a page: counters over an evening, and a net over time with its band.

They are drawn by matplotlib, which is loaded with this file: import it late. A picture takes its letters and colours
from the page (its variables `--ink`, `--rule` and `--line-0` to `--line-5`), so that light, dark and print are the
page's matter. Lines differ in dash and mark as well, and stand beside their names. The same input, the same bytes.
"""

import io
import logging
import re
from collections.abc import Sequence
from html import escape
from typing import NamedTuple

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

# a machine where no cache can be kept is told so on every run, which is nothing to a reader of reports
logging.getLogger("matplotlib").setLevel(logging.ERROR)

# no colour of a picture is its own: these stand for the page's variables until the picture is written
_INK, _RULE = "#000a01", "#000a02"
_LINES = tuple(f"#000b0{n}" for n in range(6))
_VARIABLES = {_INK: "--ink", _RULE: "--rule"} | {line: f"--line-{n}" for n, line in enumerate(_LINES)}
_DASHES = ("solid", (0, (6, 2)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)))
_MARKS = "os^Dv<>*"
_MARKS_IN_TEXT = "●■▲◆▼◀▶★"
_FONT = 12.0
_LETTER = 0.6
"""How wide a letter is at most, on the average of a name, as a part of its size."""
_PIXELS_OF_A_LETTER = 36
"""A name beside a line has one letter for so many pixels of the picture's width."""
_LABEL = "label {};"
_GAP = _FONT * 1.25


class Line(NamedTuple):
    """One player's line: his name and what stands after it at the line's end, and (hand, units) in order of hands."""

    name: str
    standing: str
    points: Sequence[tuple[int, int]]


class Step(NamedTuple):
    """A point of a net over time, with the bounds of its band; no bounds: too little to say."""

    value: float
    low: float | None
    high: float | None


class Picture(NamedTuple):
    """What a picture is called, and its size in the page's pixels.

    `name` begins every id in it, so several can stand in one page.
    """

    name: str
    title: str
    description: str
    width: int
    height: int


def nets(picture: Picture, lines: Sequence[Line]) -> str:
    """How every player stood after each hand, as SVG; a line of more than 200 hands is thinned to its extremes.

    There is at least one line, and a point in each.
    """
    longest = picture.width // _PIXELS_OF_A_LETTER
    labels = [_label(line, place, longest) for place, line in enumerate(lines)]
    figure, axes = _begin(picture, [y for line in lines for _, y in line.points], max(map(len, labels)))
    for place, line in enumerate(lines):
        points = _thinned(line.points)
        apart = max(len(points) // 8, 1)
        axes.plot(
            [x for x, _ in points],
            [y for _, y in points],
            color=_LINES[place % len(_LINES)],
            linestyle=_DASHES[(place // len(_LINES) * 2 + place % 2) % len(_DASHES)],
            linewidth=1.7,
            marker=_MARKS[place % len(_MARKS)],
            markersize=5,
            markevery=(place * apart // len(lines), apart),
        )
    _name_axes(axes, picture, "hand", "counters won or lost")
    _labels(axes, picture, lines)
    return _written(figure, picture, labels)


def band(picture: Picture, steps: Sequence[Step], across: str, up: str) -> str:
    """A net after every session with the band of its interval, as SVG; `across` and `up` name the axes."""
    figure, axes = _begin(picture, [v for step in steps for v in step if v is not None], 0)
    known = [(x, s.low, s.high) for x, s in enumerate(steps) if s.low is not None and s.high is not None]
    if known:
        x, low, high = zip(*known, strict=True)
        axes.fill_between(x, low, high, color=_LINES[0], alpha=0.22, linewidth=0)
        for edge in (low, high):
            axes.plot(x, edge, color=_LINES[0], linewidth=0.9, linestyle=_DASHES[1])
    axes.plot(range(len(steps)), [s.value for s in steps], color=_LINES[0], linewidth=2, marker="o", markersize=4,
              markevery=max(len(steps) // 20, 1))  # fmt: skip
    _name_axes(axes, picture, across, up)
    return _written(figure, picture)


def _begin(picture: Picture, values: Sequence[float], label: int) -> tuple[Figure, Axes]:
    """An empty picture with room for the values' numbers on the left and for labels of so many letters on the right."""
    figure = Figure(figsize=(picture.width / 72, picture.height / 72), dpi=72, facecolor="none")
    FigureCanvasSVG(figure)
    left = (max(len(f"{value:.0f}") for value in values) + 2) * _LETTER * _FONT
    right = max(label * _LETTER * _FONT + 14, 8)
    below, above = 3.4 * _FONT, 2 * _FONT
    axes = figure.add_axes(
        (
            left / picture.width,
            below / picture.height,
            1 - (left + right) / picture.width,
            1 - (below + above) / picture.height,
        )
    )
    axes.set_facecolor("none")
    axes.axhline(0, color=_INK, linewidth=1)
    axes.grid(color=_RULE, linewidth=0.6)
    axes.set_axisbelow(True)
    for side in axes.spines.values():
        side.set_visible(False)
    axes.tick_params(colors=_INK, labelsize=_FONT, length=0)
    return figure, axes


def _name_axes(axes: Axes, picture: Picture, across: str, up: str) -> None:
    """What the axes count, and as many numbers on them as can be read at this size; across they are whole."""
    axes.set_xlabel(across, color=_INK, size=_FONT)
    axes.set_title(up, color=_INK, size=_FONT, loc="left")
    steps = [1, 2, 5, 10]
    axes.xaxis.set_major_locator(MaxNLocator(max(picture.width // 80, 3), integer=True, steps=steps))
    axes.yaxis.set_major_locator(MaxNLocator(max(picture.height // 50, 3), steps=steps))
    axes.ticklabel_format(style="plain", useOffset=False)
    axes.margins(x=0.02)


def _labels(axes: Axes, picture: Picture, lines: Sequence[Line]) -> None:
    """Places for the names beside the ends of the lines, moved apart where they would lie on each other."""
    low, high = axes.get_ylim()
    scale = axes.get_position().height * picture.height / (high - low)
    ends = sorted((line.points[-1][1] * scale, place) for place, line in enumerate(lines))
    heights = _apart([height for height, _ in ends], low * scale, high * scale)
    for (end, place), height in zip(ends, heights, strict=True):
        axes.annotate(
            _LABEL.format(place),
            xy=lines[place].points[-1],
            xytext=(9, height - end),
            textcoords="offset points",
            va="center",
            size=_FONT,
            color=_INK,
            annotation_clip=False,
            arrowprops={"arrowstyle": "-", "color": _RULE, "linewidth": 0.8, "shrinkA": 0, "shrinkB": 3},
        )


def _apart(heights: Sequence[float], low: float, high: float) -> list[float]:
    """Heights in rising order, each a line of letters over the one before, kept within bounds where they can be."""
    moved: list[float] = []
    for height in heights:
        moved.append(max(height, moved[-1] + _GAP) if moved else max(height, low + _GAP / 2))
    above = high
    for place in reversed(range(len(moved))):
        moved[place] = min(moved[place], above)
        above = moved[place] - _GAP
    return moved


def _thinned(points: Sequence[tuple[int, int]], most: int = 200) -> list[tuple[int, int]]:
    """Of many points the lowest and the highest of each stretch, and both ends: no swing is lost to the eye."""
    if len(points) <= most:
        return list(points)
    size = -(-len(points) // (most // 2))
    kept = {points[0], points[-1]}
    for at in range(0, len(points), size):
        stretch = points[at : at + size]
        kept |= {min(stretch, key=lambda p: p[1]), max(stretch, key=lambda p: p[1])}
    return sorted(kept)


def _label(line: Line, place: int, longest: int) -> str:
    """The line's mark, the name cut to so many letters (kept apart from what is written another way), the standing."""
    name = line.name if len(line.name) <= longest else f"{line.name[: longest - 1]}…"
    return f"{_MARKS_IN_TEXT[place % len(_MARKS)]} \u2068{name}\u2069 {line.standing}"


def _written(figure: Figure, picture: Picture, labels: Sequence[str] = ()) -> str:
    """The picture as an element of a page: without what names another place, its ids and colours the page's."""
    out = io.StringIO()
    name = picture.name
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": name, "path.simplify": False}):
        figure.savefig(out, format="svg", transparent=True, metadata={"Date": None, "Creator": None})
    svg = out.getvalue()
    svg = svg[svg.index(">", svg.index("<svg")) + 1 :]
    for wanted, instead in (
        (r"<!--.*?-->|<metadata>.*?</metadata>|<style.*?</style>", ""),
        (r'<g id="[^"]*"', "<g"),
        (r' id="', f' id="{name}-'),
        (r'xlink:href="#', f'href="#{name}-'),
        (r"url\(#", f"url(#{name}-"),
        (r"(font-size: [\d.]+px); font-family: [^;\"]*", r"\1"),
        (r"(?<=\d\.\d)\d+", ""),
        (r"\s*\n\s*", "\n"),
    ):
        svg = re.sub(wanted, instead, svg, flags=re.DOTALL)
    svg = re.sub(r"#000[ab]0\d", lambda found: f"var({_VARIABLES[found[0]]})", svg)
    # a name is put in last, and as it is: nothing above may take it for something else
    for place, label in enumerate(labels):
        svg = svg.replace(f">{_LABEL.format(place)}<", f">{escape(label)}<")
    return (
        f'<svg class="plot" viewBox="0 0 {picture.width} {picture.height}" role="img" '
        f'aria-labelledby="{name}-title {name}-desc">\n<title id="{name}-title">{escape(picture.title)}</title>\n'
        f'<desc id="{name}-desc">{escape(picture.description)}</desc>{svg}'
    )
