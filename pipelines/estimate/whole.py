"""From a trial to the whole: counts, bytes, processor time, and what they take on a machine."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.annotation_parts import REUSE
from gistmill.core.row_budget import ROWS, RowBudget
from gistmill.core.sampling import Estimated
from gistmill.pipelines.estimate.sample import Machine, Prices, RunnerCosts, Trial
from gistmill.pipelines.publishing.publication import UNITS
from gistmill.pipelines.reporting.diff_text import duration, per_cent, size, table
from gistmill.rules.recipe import Recipe
from gistmill.transforms.sinks.spills import RangeResult


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """What is expected of a job over the whole input. Times are seconds of processor time.

    Attributes:
        ranges, sampled: how many ranges there are, and how many the sample has.
        before: how many were read before these.
        share: of the input that the sample has, by the sizes in the frame.
        looked: whether the input was read and cleaned whole to know its sentences.
        counts: by the keys of a manifest's counts, before ``--rows``; what the sample does not have is not there.
        rows: by configuration, after ``--rows``.
        dataset_bytes: of the published dataset.
        work_seconds: of all ranges.
        start_seconds: of each process that starts, until its caches are filled.
        plan_seconds: of finding the ranges.
        finish_seconds: of merging.
        longest_seconds: of the longest range of the sample.
        memory_bytes: the most that a worker held.
    """

    ranges: int
    sampled: int
    before: int
    share: float
    looked: bool
    counts: Mapping[str, Estimated]
    rows: Mapping[str, Estimated]
    dataset_bytes: Estimated
    work_seconds: Estimated
    start_seconds: float
    plan_seconds: float
    finish_seconds: Estimated
    longest_seconds: float
    memory_bytes: int

    def cpu_seconds(self, workers: int, *, overhead: float = 0.0) -> Estimated:
        """Returns the processor time of the job with so many workers; one works in the process of the driver."""
        fixed = self.plan_seconds + self.start_seconds * (1 if workers == 1 else workers + 1)
        parts = zip(self.work_seconds.times(1 + overhead), self.finish_seconds, strict=True)
        return Estimated(*(work + last + fixed for work, last in parts))

    def wall_seconds(self, workers: int, *, overhead: float = 0.0, start: float = 0.0, speed: float = 1.0) -> Estimated:
        """Returns the time from start to end where every worker has a core of its own.

        Args:
            workers: how many.
            overhead: processor time of the runner, as a share of the work.
            start: seconds before the workers begin.
            speed: of a core, where one of this machine has 1.
        """
        fixed = self.plan_seconds + self.start_seconds * (1 if workers == 1 else 2)

        def at(work: float, last: float) -> float:
            return start + (fixed + max(work * (1 + overhead) / workers, self.longest_seconds) + last) / speed

        return Estimated(*map(at, self.work_seconds, self.finish_seconds))


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """What a job takes on a kind of machine. ``price`` is None where nobody said one, ``machine`` is "" for this one.

    Attributes:
        machine, workers: what was asked for.
        machines: how many are needed, one core for each worker.
        cpu, wall: seconds of processor time, and from start to end.
        price: of the machines for the time, and of the runner's fee.
        fits: whether the workers of a machine have the memory they need.
    """

    machine: str
    workers: int
    machines: int
    cpu: Estimated
    wall: Estimated
    price: Estimated | None
    fits: bool


def whole_of(trial: Trial, budget: RowBudget) -> Whole:
    """Returns what a trial says of the whole."""
    frame, drawn = trial.frame, trial.drawn
    keys = sorted({key for r in trial.ranges for key in r.counts if not key.startswith(f"{REUSE}/")})
    counts = {key: _count(trial, key) for key in keys}
    if frame.documents is not None:
        read = float(sum(frame.documents))
        counts["documents/read"] = Estimated(read, read, read)
    read_all, of_ranges = [*trial.ranges, *trial.before], [_of_rows(r.counts) for r in trial.ranges]
    made, rows = drawn.of_rows.estimate(of_ranges), _rows(trial, budget)
    left = sum(e.value for e in rows.values()) / (made.value or 1.0)
    work = drawn.of_work.estimate(trial.seconds)
    # what is read first takes longer, once in each process
    filling = max(trial.before_seconds - work.value * drawn.before_size, 0.0)
    return Whole(
        ranges=len(frame.ranges),
        sampled=len(trial.ranges),
        before=len(trial.before),
        share=float(drawn.sample.sizes.sum()),
        looked=frame.documents is not None,
        counts=counts,
        rows=rows,
        dataset_bytes=drawn.of_rows.estimate([_spilled(r) for r in trial.ranges]).times(
            left * trial.shard_bytes / max(sum(map(_spilled, read_all)), 1)
        ),
        work_seconds=work,
        start_seconds=trial.start_seconds + filling,
        plan_seconds=frame.plan_seconds,
        finish_seconds=made.times(trial.finish_seconds / max(sum(_of_rows(r.counts) for r in read_all), 1)),
        longest_seconds=max(trial.seconds),
        memory_bytes=trial.peak_bytes,
    )


def offers(
    whole: Whole, workers: Sequence[int], prices: Prices | None, *, runner: str, only: str | None
) -> list[Offer]:
    """Returns what each number of workers takes: on this machine, or on every machine of the prices.

    Args:
        whole: what is expected.
        workers: numbers of them.
        prices: None for this machine, without a price.
        runner: its name in the prices.
        only: the machine to look at, None for all.
    """
    if prices is None:
        return [_offer(whole, n, "", None, RunnerCosts()) for n in workers]
    costs = prices.runners.get(runner, RunnerCosts())
    named = {name: m for name, m in prices.machines.items() if only in (None, name)}
    return [_offer(whole, n, name, machine, costs) for name, machine in named.items() for n in workers]


def _offer(whole: Whole, workers: int, name: str, machine: Machine | None, costs: RunnerCosts) -> Offer:
    speed, cores = (machine.speed, machine.cores or 1) if machine else (1.0, workers)
    machines = math.ceil(workers / cores)
    cpu = whole.cpu_seconds(workers, overhead=costs.overhead).times(1 / speed)
    wall = whole.wall_seconds(workers, overhead=costs.overhead, start=costs.start_seconds, speed=speed)
    price, fits = None, True
    if machine is not None:
        hourly = machines * (machine.hour or 0.0) + workers * costs.core_hour
        price = wall.times(hourly / 3600)
        fits = min(workers, cores) * whole.memory_bytes <= (machine.memory_gb or 0.0) * 1e9
    return Offer(machine=name, workers=workers, machines=machines, cpu=cpu, wall=wall, price=price, fits=fits)


def _spilled(result: RangeResult) -> int:
    return sum(spill.bytes for spill in result.spills)


def _count(trial: Trial, key: str) -> Estimated:
    """Documents and sentences follow what a range holds, everything else its rows."""
    by = trial.drawn.sample if key.partition("/")[0] in UNITS else trial.drawn.of_rows
    return by.estimate([r.counts.get(key, 0) for r in trial.ranges])


def _of_rows(counts: Mapping[str, int]) -> int:
    return sum(number for key, number in counts.items() if key.startswith(f"{ROWS}/"))


def _rows(trial: Trial, budget: RowBudget) -> dict[str, Estimated]:
    """The rows of each configuration; of splits with a budget some are left out."""
    found: dict[str, dict[str, Estimated]] = {}
    for key in sorted({key for r in trial.ranges for key in r.counts}):
        group, _, rest = key.partition("/")
        if group == ROWS:
            config, _, split = rest.rpartition("/")
            made = _count(trial, key)
            found.setdefault(config, {})[split] = made.at_most(budget.most.get(split, math.inf))
    if budget.most:  # the intervals of splits add up to one that is too wide, rather than too narrow
        return {config: Estimated(*map(sum, zip(*splits.values(), strict=True))) for config, splits in found.items()}
    return {
        config: trial.drawn.of_rows.estimate(
            [sum(r.counts.get(f"{ROWS}/{config}/{s}", 0) for s in splits) for r in trial.ranges]
        )
        for config, splits in found.items()
    }


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
            map(_text_offer, offers),
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


def _text_offer(offer: Offer) -> list[str]:
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
