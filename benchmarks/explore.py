"""gistmill explore on a large dataset: the index, the memory of the server, and how long a reader waits in a browser.

    python -m benchmarks.explore --dataset out/demo [--rows 1000000] [--folder out/explore]

The rows of a dataset under new ids, as many as asked for, become a dataset of their own; it and its index are kept in
the folder for the next run. The command serves it, and a headless Chromium (make setup-browser) opens the page, chooses
types, searches for words, and opens a row by its address. Seconds are those that a reader waits until the rows are
shown, the median and the most of all tries. Totals have to be those that Arrow counts in the Parquet files. The last
line is one JSON object.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from playwright.sync_api import Page, sync_playwright

from benchmarks.measuring import machine, median, table, timed
from gistmill.core.manifest import MANIFEST
from gistmill.explorer.index.files import read_json
from gistmill.published.dataset import Dataset

BARS = {"first page": 2.0, "a filter": 0.3, "server MB": 500}
_SHOWN = "document.body.dataset.shown"
_GROUP_ROWS = 10_000
_SHARD_ROWS = 250_000
_TRIES = 8


def multiply(source: Dataset, folder: Path, rows: int) -> None:
    """Writes a dataset of one configuration, the first of another, whose rows come again and again under new ids."""
    config, split = source.configs[0], source.splits()[0]
    one = source.table(split)
    path = Path(config) / "parquet"
    (folder / path).mkdir(parents=True)
    copies, files = -(-rows // len(one)), []
    per_shard = max(1, _SHARD_ROWS // len(one))
    for shard, first in enumerate(range(0, copies, per_shard)):
        tables = [_copy(one, number) for number in range(first, min(copies, first + per_shard))]
        name = path / f"{split}-{shard:05}-of-{-(-copies // per_shard):05}.parquet"
        made = pa.concat_tables(tables)
        made = made.slice(0, rows - shard * per_shard * len(one))
        pq.write_table(made, folder / name, row_group_size=_GROUP_ROWS, compression="zstd")
        data = (folder / name).read_bytes()
        files.append({"path": str(name), "bytes": len(data), "sha256": hashlib.sha256(data).hexdigest()})
        files[-1] |= {"rows": len(made), "config": config, "split": split, "format": "parquet"}
    manifest = source.manifest.to_json()
    manifest |= {"files": files, "columns": {config: manifest["columns"][config]}}
    manifest["counts"] = {f"rows/{config}": {split: rows}}
    (folder / MANIFEST).write_text(json.dumps(manifest), encoding="utf-8")


def _copy(one: pa.Table, number: int) -> pa.Table:
    for name in ("id", "document_id"):
        column = pc.binary_join_element_wise(f"{number:06}", one[name], "-")
        one = one.set_column(one.schema.get_field_index(name), name, column)
    return one


class Reader:
    """A reader with a page before her."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url = page, url

    def wait_for(self, action: Callable[[], object]) -> float:
        """Returns the seconds from an action until other rows are shown."""
        before = self._page.evaluate(_SHOWN)
        start = time.perf_counter()
        action()
        self._page.wait_for_selector(f'body:not([data-shown="{before}"])')
        return time.perf_counter() - start

    def opens(self, hash: str = "") -> float:
        """Returns the seconds until the page has rows, in a new page."""
        self._page.goto("about:blank")
        return timed(lambda: (self._page.goto(self._url + hash), self._page.wait_for_selector("article")))

    @property
    def total(self) -> int:
        """The number of rows that the page says."""
        return int(re.sub(r"\D", "", self._page.inner_text("#total")))


def measure(page: Page, url: str, rows: pa.Table) -> tuple[dict[str, list[float]], list[str]]:
    """Returns the seconds of each kind of action, and a line for each total that is wrong."""
    reader, wrong = Reader(page, url), []
    seconds: dict[str, list[float]] = {"first page": [reader.opens() for _ in range(_TRIES)]}

    def check(name: str, wanted: int) -> None:
        if reader.total != wanted:
            wrong.append(f"{name}: {reader.total} instead of {wanted}")

    check("everything", len(rows))
    types = pc.value_counts(rows["discourse_type"]).to_pylist()
    seconds["a filter"] = []
    for found in types[:_TRIES]:
        box = page.locator("fieldset", has_text="discourse type").get_by_label(re.compile(f"^{found['values']} "))
        click = functools.partial(box.evaluate, "box => box.click()")
        seconds["a filter"].append(reader.wait_for(click))
        check(found["values"], found["counts"])
        reader.wait_for(click)
    seconds["a search"] = []
    for word in ("the", "king", "philosophy", "war", "nowhere"):
        seconds["a search"].append(reader.wait_for(functools.partial(page.fill, "#words", word)))
        check(word, _rows_with(rows, word))
    seconds["a row by its address"] = [
        reader.opens(f"#row={rows['id'][len(rows) * n // _TRIES].as_py()}") for n in range(_TRIES)
    ]
    return seconds, wrong


def _rows_with(rows: pa.Table, word: str) -> int:
    has = [pc.match_substring_regex(rows[c], rf"(?i)(^|[^\pL\pN_]){word}($|[^\pL\pN_])") for c in ("inputs", "targets")]
    return int(pc.sum(pc.or_(*has)).as_py() or 0)


@contextmanager
def served(dataset: Path, index: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Starts the command; yields it and the address that it says, and ends it."""
    command = [sys.executable, "-m", "gistmill", "explore", str(dataset), "--port", "0", "--index", str(index)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield process, re.findall(r"http\S+", process.stdout.readline())[0]
    finally:
        process.terminate()
        process.wait()


def main(argv: Sequence[str] | None = None) -> int:
    """Measures, and prints a table and a line of JSON; returns 1 where a bar is missed or a total is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", required=True, help="a dataset of gistmill discofuse, such as out/demo")
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, default=Path("out/explore"), help="where dataset and index are kept")
    args = parser.parse_args(argv)
    dataset, index = args.folder / f"rows-{args.rows}", args.folder / "index"
    if not (dataset / MANIFEST).exists():
        shutil.rmtree(dataset, ignore_errors=True)
        multiply(Dataset(args.dataset), dataset, args.rows)
    opened = Dataset(dataset)
    rows = opened.table(opened.splits()[0], columns=["id", "discourse_type", "inputs", "targets"])
    started = time.perf_counter()
    with served(dataset, index) as (process, url):
        ready = time.perf_counter() - started
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
            seconds, wrong = measure(browser.new_page(), url, rows)
            browser.close()
        used = psutil.Process(process.pid).memory_info().rss / 1e6
    found = figures(seconds, used, index)
    found |= {"rows": len(rows), "ready_seconds": round(ready, 1), "wrong_totals": wrong}
    print(machine(("pyarrow", "starlette", "uvicorn")))
    lines = [(name, f"{median(s):.3f}", f"{max(s):.3f}", str(BARS.get(name, ""))) for name, s in seconds.items()]
    print(table(("seconds until", "median", "most", "bar"), lines))
    print(f"server {used:.0f} MB (bar {BARS['server MB']}); index {found['index_bytes']:,} bytes")
    print(f"served after {ready:.1f} s")
    print("\n".join(wrong) or "all totals are exact")
    print(json.dumps(found))
    return int(bool(wrong) or used > BARS["server MB"] or any(median(s) > BARS.get(n, 1e9) for n, s in seconds.items()))


def figures(seconds: dict[str, list[float]], used: float, index: Path) -> dict[str, Any]:
    """Returns what the last line says."""
    size = sum(path.stat().st_size for path in index.rglob("*") if path.is_file())
    assert read_json(next(index.glob("*/meta.bin")))["tables"]
    return {
        "seconds": {name: {"median": round(median(s), 4), "most": round(max(s), 4)} for name, s in seconds.items()},
        "server_megabytes": round(used),
        "index_bytes": size,
    }


if __name__ == "__main__":
    sys.exit(main())
