"""How often the code for six pages of DiscoFuse crosses from one module and package to another.

    python -m benchmarks.crossings [--pages 6] [--shown 12]

A job over the slice runs in this process with one worker, under Python's profiler. A call of a function in another
module is a change, and its return is one. Libraries in between do not count, nor do methods that a dataclass generates
and what runs while a module is imported. Pages are cleaned in a process of their own, which is not seen.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType

from benchmarks.slice import slice_path
from gistmill import build

Counts = Counter[tuple[str, ...]]


class Crossings(threading.local):
    """Counts of all threads: ``calls`` by module and function, ``changes`` by the modules before and after."""

    def __init__(self, calls: Counts, changes: Counts) -> None:
        self.calls, self.changes = calls, changes
        self._stack: list[str] = []
        self._last = ""
        self._importing = 0

    def __call__(self, frame: FrameType, event: str, _: object) -> None:
        """Takes an event of the profiler."""
        code, module = frame.f_code, frame.f_globals.get("__name__", "")
        if event not in ("call", "return") or not module.startswith("gistmill.") or code.co_filename[0] == "<":
            return
        if code.co_name == "<module>":
            self._importing += 1 if event == "call" else -1
        elif not self._importing and event == "call":
            self._stack.append(module)
            self.calls[module, code.co_qualname] += 1
            self._go_to(module)
        elif not self._importing and self._stack and self._stack.pop() == module and self._stack:
            self._go_to(self._stack[-1])

    def _go_to(self, module: str) -> None:
        if self._last not in ("", module):
            self.changes[self._last, module] += 1
        self._last = module


def main() -> None:
    """Prints the counts, and the calls and changes that there are most of."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=6, help="number of pages to read")
    parser.add_argument("--shown", type=int, default=12, help="number of lines in each list (default: 12)")
    asked, seen = parser.parse_args(), Crossings(Counter(), Counter())
    with tempfile.TemporaryDirectory() as folder:
        threading.setprofile(seen)
        sys.setprofile(seen)
        build("discofuse", input=str(slice_path()), output=str(Path(folder, "dataset")), limit=asked.pages, workers=1)
        sys.setprofile(None)
        threading.setprofile(None)
    visits: Counts = Counter()
    across: Counts = Counter()
    for modules, times in seen.changes.items():
        if len(packages := tuple(dict.fromkeys(module.split(".")[1] for module in modules))) > 1:
            visits[modules], across[packages] = times, across[packages] + times
    entered = len({module for module, _ in seen.calls})
    print(f"{entered:,} modules entered, {len(seen.calls):,} functions, {seen.calls.total():,} calls")
    print(f"{seen.changes.total():,} module changes, {across.total():,} between top-level packages")
    for title, counts in (("packages", across), ("modules of two packages", visits), ("calls", seen.calls)):
        print(f"\n{title}")
        print("\n".join(f"{n:>9,}  {' > '.join(key)}" for key, n in counts.most_common(asked.shown)))


if __name__ == "__main__":
    main()
