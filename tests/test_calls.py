"""How many functions six articles of the slice call in each stage, from markup to rows: a measure of speed that is the
same on every machine. ``python -m tests.test_calls --record`` records the numbers again."""

from __future__ import annotations

import dataclasses
import json
import re
import subprocess
import sys
import types
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import TypeVar

import pytest

from tests.dumps import pages

pytestmark = pytest.mark.slow
RECORD = Path(__file__).parent / "data" / "calls.json"
ALLOWED = 0.05
_TEXT = re.compile(r"<text[^>]*>(.*?)</text>", re.S)
T = TypeVar("T")


@pytest.fixture(scope="module")
def measured():
    """In a process of its own: what others have looked up before is not called again."""
    done = subprocess.run([sys.executable, "-m", __name__], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("stage", ["clean", "annotate", "coreference", "rules"])
def test_a_stage_calls_as_many_functions_as_on_record(measured, stage):
    assert measured[stage] == pytest.approx(json.loads(RECORD.read_text())[stage], rel=ALLOWED)


def calls(run: Callable[[], T]) -> tuple[int, T]:
    """How many functions of Gistmill are called, and what ``run`` returns."""
    count = 0

    def profile(frame: types.FrameType, event: str, _: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_globals.get("__name__", "").startswith("gistmill.")

    sys.setprofile(profile)
    try:
        found = run()
    finally:
        sys.setprofile(None)
    return count, found


def measure() -> dict[str, int]:
    """The calls of each stage."""
    from gistmill.core.records import Origin
    from gistmill.rules.coreference.scorer import Sieve
    from gistmill.rules.discofuse.config import DiscoFuseConfig
    from gistmill.rules.discofuse.recipe import DiscoFuse
    from gistmill.rules.documents import CleanDocument
    from gistmill.rules.wiki.wikitext import clean_wikitext
    from gistmill.transforms.models import load_model
    from gistmill.transforms.steps.annotator import Annotator

    articles = sorted((p.decode() for p in pages() if b"<redirect" not in p and b"<ns>0</ns>" in p), key=len)
    chosen = [unescape(_TEXT.findall(page)[0]) for page in articles[40:46]]
    found: dict[str, int] = {}
    found["clean"], cleaned = calls(lambda: [clean_wikitext(text) for text in chosen])
    documents = [CleanDocument(Origin(str(n), "calls"), tuple(sections)) for n, sections in enumerate(cleaned)]
    annotator, sieve, recipe = Annotator(load_model(), None), Sieve(), DiscoFuse(DiscoFuseConfig())
    found["annotate"], parsed = calls(lambda: list(annotator.annotate(documents)))
    found["coreference"], clusters = calls(lambda: [sieve.resolve(d.sentences, title="") for d in parsed])
    linked = [dataclasses.replace(d, clusters=c) for d, c in zip(parsed, clusters, strict=True)]
    found["rules"], _ = calls(lambda: [recipe.process(document) for document in linked])
    return found


if __name__ == "__main__":
    numbers = json.dumps(measure(), indent=2)
    if sys.argv[1:] == ["--record"]:
        RECORD.write_text(f"{numbers}\n", encoding="utf-8")
    else:
        print(numbers)
