"""The check that a dataset has rows: nearly always one without any comes of the wrong input or of wrong options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gistmill.core.row_budget import LEFT_OUT, ROWS
from gistmill.pipelines.errors import JobFailed
from gistmill.transforms.sinks.results import Results
from gistmill.transforms.sinks.samples import Samples

_SHOWN = 3  # reasons, or kinds of records
_LONGEST = 360  # characters of a detail


class EmptyDatasetError(JobFailed):
    """A dataset would have no rows; the text is one line that says why, with an example of each of the commonest
    reasons."""


def check_rows(results: Results, samples: Samples, *, reads: str) -> None:
    """Checks that a dataset has a row, in any configuration and split.

    Args:
        results: what the pipeline handed over, with the rows that stay.
        samples: of its rejects.
        reads: what a document is, in the plural: READS of the recipe.

    Raises:
        EmptyDatasetError: it has none.
    """
    if not any(key.startswith(f"{ROWS}/") for key in results.counts):
        said = "; ".join(_said(results, samples.rejects, reads))
        raise EmptyDatasetError(
            f"there are no rows: {said}; nothing was published; --allow-empty publishes a dataset without rows, with "
            "all rejects"
        )


def _said(results: Results, rejects: Mapping[str, Sequence[Mapping[str, Any]]], reads: str) -> Iterator[str]:
    """Yields what can be said of why there are no rows."""
    counts = results.counts
    read, used = counts.get("documents/read", 0), counts.get("documents/used", 0)
    if left_out := sum(n for key, n in counts.items() if key.startswith(f"{LEFT_OUT}/")):
        yield f"--rows leaves out all {left_out:,} that were made"
    elif not read:
        yield f"the input holds no {reads}{_instead(results)}"
    else:
        yield f"{used:,} of {read:,} {reads} were used" + (", and gave none" if used else "")
        for reason, number in _commonest(counts):
            yield f"{reason} {number:,}{_example(rejects.get(reason, ()))}"


def _instead(results: Results) -> str:
    """Names the input, and what it holds."""
    paths = [str(source["path"]) for source in results.sources]
    more = f" and {len(paths) - 1:,} more files" if len(paths) > 1 else ""
    files = f" ({paths[0]}{more})" if paths else ""
    kinds = Counter({key.partition("/")[2]: n for key, n in results.counts.items() if key.startswith("records/")})
    records = ", ".join(f"{number:,} {kind}" for kind, number in kinds.most_common(_SHOWN))
    return files + (f", but records of other types: {records}" if records else "")


def _commonest(counts: Mapping[str, int]) -> list[tuple[str, int]]:
    """Returns reasons and how often they occur; those of whole documents come first."""
    found: Counter[tuple[bool, str]] = Counter()
    for key, number in counts.items():
        group, _, rest = key.partition("/")
        if group == "rejects" and "/document/" not in rest:
            found[True, rest.rpartition("/")[2]] += number
        elif key.startswith("documents/rejected/"):
            found[False, rest.rpartition("/")[2]] += number
    ordered = sorted(found.items(), key=lambda item: (item[0][0], -item[1], item[0][1]))
    return [(reason, number) for (_, reason), number in ordered[:_SHOWN]]


def _example(rejects: Sequence[Mapping[str, Any]]) -> str:
    """Returns what the reason means, with the first of some rejects; "" where a large dataset drew none."""
    if not rejects:
        return ""
    first = min(rejects, key=lambda reject: (reject["file"], reject["offset"], reject["index"]))
    detail = str(first["detail"])
    shown = detail if len(detail) <= _LONGEST else f"{detail[:_LONGEST]}…"
    return f": {first['text']} ({': '.join(filter(None, (first['id'], shown)))})"
