"""Charts as SVG by pygal. The page's style sheet colours them, so that they follow light, dark and print."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pygal
from lxml import etree
from markupsafe import Markup
from pygal.style import Style

_WIDTH = 440
_BAR, _FRAME = 17, 26  # height of a bar, and of the axis
_STYLE = Style(label_font_size=13, major_label_font_size=13, value_font_size=11, font_family="sans-serif")
_LONGEST_LABEL = 34
_DROPPED = frozenset({"defs", "desc", "title"})  # styles, scripts and texts for tooltips, which the page has no use for


def bars(labels: Sequence[str], series: Mapping[str, Sequence[float | None]], *, title: str, unit: str = "") -> Markup:
    """Returns horizontal bars, a group for each label.

    Args:
        labels: from top to bottom.
        series: values for the labels by name of the series; None draws nothing.
        title: what a screen reader says of the chart.
        unit: stands behind each number.
    """
    height = _FRAME + len(labels) * (_BAR * len(series) + 6)
    chart = pygal.HorizontalBar(**_settings(height, unit), print_values=True, print_values_position="top")
    chart.x_labels = [_short(label) for label in reversed(labels)]  # pygal draws labels from the bottom
    for name, values in series.items():
        chart.add(name, list(reversed(values)))
    return _drawn(chart, title, list(series))


def columns(labels: Sequence[str], series: Mapping[str, Sequence[float | None]], *, title: str) -> Markup:
    """Returns a histogram: a column for each label, from left to right; see ``bars``."""
    chart = pygal.Bar(**_settings(220, ""))
    chart.x_labels = list(labels)
    chart.x_labels_major_every = 4
    chart.show_minor_x_labels = False
    for name, values in series.items():
        chart.add(name, list(values))
    return _drawn(chart, title, list(series))


def _settings(height: int, unit: str) -> dict[str, object]:
    return {
        "style": _STYLE,
        "js": (),
        "no_prefix": True,
        "explicit_size": False,
        "width": _WIDTH,
        "height": height,
        "margin": 2,
        "margin_right": 34,
        "show_legend": False,
        "max_scale": 6,
        "truncate_label": -1,
        "value_formatter": lambda value: "" if value is None else f"{value:.3g}{unit}",
    }


def _short(label: str) -> str:
    label = "".join(c if c.isprintable() else "\ufffd" for c in label)  # XML has no place for control characters
    return label if len(label) <= _LONGEST_LABEL else label[: _LONGEST_LABEL - 1] + "…"


def _drawn(chart: pygal.graph.graph.Graph, title: str, names: Sequence[str]) -> Markup:
    root = chart.render_tree()
    for node in list(root.iter()):
        if not isinstance(node.tag, str) or etree.QName(node).localname in _DROPPED or node.get("class") == "tooltip":
            node.getparent().remove(node)
    for number, name in enumerate(names):  # a series keeps its colour whatever the order in which it is drawn
        for node in root.iter():
            if f"color-{number}" in (node.get("class") or "").split():
                node.set("data-series", name)
    root.attrib.pop("id", None)
    root.set("role", "img")
    root.set("aria-label", title)
    return Markup(etree.tostring(root, encoding="unicode"))
