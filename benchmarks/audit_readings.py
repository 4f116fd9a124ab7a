"""What the marks of a split audit add up to: shares beside their bars, agreement of two readers, classes of faults."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from scipy.stats import binomtest

from benchmarks.audit_sheets import FAULTS, Entry, Mark, Reading
from benchmarks.measuring import table

# The shares of examples that shall be without a fault of that kind.
BARS: Mapping[str, float] = {"understandable": 0.97, "grammatical": 0.97, "both": 0.95}


def interval(good: int, of: int) -> tuple[float, float]:
    """Returns the 95% confidence interval of a share (E. B. Wilson, 1927)."""
    bounds = binomtest(good, of).proportion_ci(method="wilson")
    return float(bounds.low), float(bounds.high)


def kappa(first: Sequence[bool], second: Sequence[bool]) -> float | None:
    """Returns the agreement of two readers beyond chance (J. Cohen, "A coefficient of agreement for nominal scales",
    1960); None where both gave all examples the same mark, so that chance alone would agree."""
    n = len(first)
    agreed = sum(a == b for a, b in zip(first, second, strict=True)) / n
    yes = sum(first) / n, sum(second) / n
    chance = yes[0] * yes[1] + (1 - yes[0]) * (1 - yes[1])
    return None if chance == 1 else (agreed - chance) / (1 - chance)


def strict(readings: Sequence[Reading]) -> dict[str, Mark]:
    """Returns the marks of which every reader is sure: an example is good if all say so, its fault is the first
    reader's who names one."""
    return {
        name: Mark(
            all(reading[name].understandable for reading in readings),
            all(reading[name].grammatical for reading in readings),
            next((reading[name].fault for reading in readings if reading[name].fault), ""),
        )
        for name in readings[0]
    }


def faults(reading: Reading) -> Counter[str]:
    """Returns how many examples have a fault of each class."""
    return Counter(mark.fault for mark in reading.values() if mark.fault)


def shares(reading: Reading) -> dict[str, dict[str, float]]:
    """Returns the share of examples that a reading finds good by each of the bars, with its 95% interval."""
    return {name: share_of([getattr(mark, name) for mark in reading.values()]) for name in BARS}


def share_of(good: Sequence[bool]) -> dict[str, float]:
    """Returns the share of marks that are good, with its 95% interval, to four decimals."""
    low, high = interval(sum(good), len(good))
    return {"share": round(sum(good) / len(good), 4), "low": round(low, 4), "high": round(high, 4)}


def agreement(first: Reading, second: Reading) -> dict[str, dict[str, float | None]]:
    """Returns the share of examples on which two readings agree, and Cohen's kappa, of each question."""
    out: dict[str, dict[str, float | None]] = {}
    for name in BARS:
        pairs = [(getattr(mark, name), getattr(second[example], name)) for example, mark in first.items()]
        out[name] = agreed([a for a, _ in pairs], [b for _, b in pairs])
    return out


def agreed(first: Sequence[bool], second: Sequence[bool]) -> dict[str, float | None]:
    """Returns the share of marks that are equal, and Cohen's kappa, to four decimals."""
    beyond, equal = kappa(first, second), sum(a == b for a, b in zip(first, second, strict=True)) / len(first)
    return {"equal": round(equal, 4), "kappa": None if beyond is None else round(beyond, 4)}


def figures(key: Mapping[str, Entry], readings: Mapping[str, Reading]) -> dict[str, Any]:
    """Returns what one or two readings, by their names, add up to.

    With two there are also the marks of both together, by which an example is good if both say so, and their agreement.
    Types count by the marks of all.
    """
    together = strict(list(readings.values()))
    columns = {**readings, "both readings": together} if len(readings) > 1 else readings
    read = Counter(e.type for e in key.values())
    faulty = Counter(key[name].type for name, mark in together.items() if not mark.both)
    return {
        "n": len(key),
        "shares": {name: shares(reading) for name, reading in columns.items()},
        "agreement": agreement(*readings.values()) if len(readings) > 1 else {},
        "faults": {name: dict(faults(reading).most_common()) for name, reading in columns.items()},
        "types": {kind: {"read": number, "faulty": faulty[kind]} for kind, number in sorted(read.items())},
    }


def show(found: Mapping[str, Any]) -> str:
    """Returns the figures as tables."""
    by_bar = [
        (name, question, f"{100 * s['share']:.1f}", f"{100 * s['low']:.1f} to {100 * s['high']:.1f}", f"{bar:.0%}")
        for name, by_question in found["shares"].items()
        for (question, s), bar in zip(by_question.items(), BARS.values(), strict=True)
    ]
    parts = [table(("reading", "without fault", "%", "95% interval", "bar"), by_bar)]
    if found["agreement"]:
        parts.append(agreement_table(found["agreement"]))
    counts = found["faults"].values()
    classes = [c for c in FAULTS if any(c in of for of in counts)]
    parts.append(table(("fault", *found["faults"]), [(c, *(str(of.get(c, 0)) for of in counts)) for c in classes]))
    types = [(kind, str(of["read"]), str(of["faulty"])) for kind, of in found["types"].items()]
    parts.append(table(("type", "read", "with a fault"), types))
    return "\n\n".join(parts)


def agreement_table(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Returns the agreement of two readings as a table: by question, what ``agreed`` gives."""
    lines = [
        (name, f"{100 * a['equal']:.1f}", "undefined" if a["kappa"] is None else f"{a['kappa']:.2f}")
        for name, a in found.items()
    ]
    return table(("agreement", "equal %", "kappa"), lines)


def faulty_lines(key: Mapping[str, Entry], readings: Sequence[Reading]) -> list[str]:
    """Returns a line for each example in which a reader found a fault: class, type, its name, and its row."""
    found = [(mark.fault, key[name]) for name, mark in strict(readings).items() if not mark.both]
    return [
        f"{fault:12} {entry.type:28} {entry.example} {entry.id}"
        for fault, entry in sorted(found, key=lambda item: (item[0], item[1].type, item[1].example))
    ]
