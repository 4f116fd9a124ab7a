"""An estimate for a person, and for programs."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gistmill.core.sampling import Estimated
from gistmill.pipelines.estimate.whole import Offer, Whole
from gistmill.pipelines.reporting.tables import duration, per_cent, size, table
from gistmill.rules.recipe import Recipe

_JSON_VERSION = 1
_SHOWN = 15  # values of a distribution


def text(
    whole: Whole,
    offers: Sequence[Offer],
    *,
    recipe: type[Recipe[Any]],
    currency: str,
    assumptions: Sequence[str],
    everything: bool = False,
) -> str:
    """Returns the lines for a person, the most important first.

    Args:
        whole: what is expected.
        offers: time and price.
        recipe: of the job.
        currency: of the prices, "" where nobody said.
        assumptions: what the estimate takes for granted.
        everything: whether no table is cut.
    """
    lines = [
        f"{whole.sampled:,} of {whole.ranges:,} ranges are the sample, {per_cent(whole.share)} of the input. "
        "Intervals are of 95%.",
        "",
        *table(("", "estimate", "from", "to"), _numbers(whole, recipe)),
        "",
        *table(
            ("workers", "machines", "processor time", "time", "from", "to", f"price {currency}".strip(), ""),
            map(_offer, offers),
        ),
    ]
    for kind, heading in recipe.DISTRIBUTIONS.items():
        for config, values in _distribution(whole, kind).items():
            shown = values if everything else values[:_SHOWN]
            cut = f" (the {len(shown)} most frequent of {len(values)})" if len(shown) < len(values) else ""
            lines += ["", *table((f"{heading} in {config}{cut}", "estimate", "from", "to"), shown)]
    return "\n".join([*lines, "", *assumptions]) + "\n"


def to_json(
    whole: Whole, offers: Sequence[Offer], *, recipe: type[Recipe[Any]], currency: str, assumptions: Sequence[str]
) -> dict[str, Any]:
    """Returns the estimate as JSON values; an interval is ``[value, low, high]``, null for what has no bound."""
    return {
        "estimate_version": _JSON_VERSION,
        "job": recipe.NAME,
        "ranges": whole.ranges,
        "ranges_sampled": whole.sampled,
        "ranges_before": whole.before,
        "share_sampled": whole.share,
        "looked": whole.looked,
        "rows": {name: _interval(e) for name, e in whole.rows.items()},
        "dataset_bytes": _interval(whole.dataset_bytes),
        "work_seconds": _interval(whole.work_seconds),
        "start_seconds": whole.start_seconds,
        "plan_seconds": whole.plan_seconds,
        "finish_seconds": _interval(whole.finish_seconds),
        "memory_bytes": whole.memory_bytes,
        "currency": currency,
        "offers": [
            {
                "machine": o.machine,
                "workers": o.workers,
                "machines": o.machines,
                "cpu_seconds": _interval(o.cpu),
                "seconds": _interval(o.wall),
                "price": None if o.price is None else _interval(o.price),
                "fits": o.fits,
            }
            for o in offers
        ],
        "counts": {key: _interval(e) for key, e in whole.counts.items()},
        "assumptions": list(assumptions),
    }


def _numbers(whole: Whole, recipe: type[Recipe[Any]]) -> Iterator[list[str]]:
    for config, rows in whole.rows.items():
        yield _line(f"rows of {config}", rows)
    for key, name in (("documents/read", "read"), ("documents/used", "used")):
        if key in whole.counts:
            yield _line(f"{recipe.READS} {name}", whole.counts[key])
    yield ["dataset", *(_bounded(n, lambda v: size(round(v))) for n in whole.dataset_bytes)]
    yield ["processor time", *(_bounded(n, duration) for n in whole.cpu_seconds(1))]
    yield ["memory of a worker", size(whole.memory_bytes), "", ""]


def _offer(offer: Offer) -> list[str]:
    money = ""
    if offer.price is not None:
        price, least, most = (_bounded(n, _short) for n in offer.price)
        money = f"{price} ({least} to {most})"
    times = [_bounded(n, duration) for n in (offer.cpu.value, *offer.wall)]
    machines = f"{offer.machines:,} x {offer.machine}" if offer.machine else "this one"
    note = "" if offer.fits else "too little memory for a worker on each core"
    return [f"{offer.workers:,}", machines, *times, money, note]


def _distribution(whole: Whole, kind: str) -> Mapping[str, list[list[str]]]:
    """The lines of a distribution by configuration, the most frequent value first."""
    found: dict[str, list[tuple[str, Estimated]]] = {}
    for key, estimated in whole.counts.items():
        if key.startswith(f"{kind}/"):
            config, _, value = key.removeprefix(f"{kind}/").partition("/")
            found.setdefault(config, []).append((value, estimated))
    return {
        config: [_line(value, e) for value, e in sorted(values, key=lambda v: (-v[1].value, v[0]))]
        for config, values in found.items()
    }


def _line(name: str, number: Estimated) -> list[str]:
    return [name, *(_bounded(n, lambda v: f"{v:,.0f}") for n in number)]


def _bounded(number: float, shown: Any) -> str:
    return str(shown(number)) if math.isfinite(number) else "any"


def _short(number: float) -> str:
    return f"{number:,.1f}" if number >= 100 else f"{number:.3g}"


def _interval(number: Estimated) -> list[float | None]:
    return [n if math.isfinite(n) else None for n in number]
