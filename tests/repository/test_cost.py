"""docs/cost.md follows from the stored figures, and its figures from those of the benchmarks."""

import json
from pathlib import Path

import pytest

from benchmarks.cost import FIGURES, Assumptions, Figures, main, page

PAGE = Path(__file__).parents[2] / "docs" / "cost.md"
# A thousand words in ten articles take 10 s; twenty stubs of two words take 0.4 s more than the 0.4 s of their words.
MADE = {
    "commands": {
        "amounts": {
            "pages": 12,
            "articles": 10,
            "xml_bytes": 9000,
            "bz2_bytes": 3000,
            "words": 1000,
        },
        "stubs": 20,
        "stub_words": 40,
        "rows": [
            {
                "job": "discofuse",
                "dump_seconds": 10.0,
                "stub_seconds": 0.8,
                "peak_bytes": 500_000_000,
                "disk_bytes": 4000,
                "dataset_bytes": 2000,
            }
        ],
    },
    "pipeline": [
        {"stage": "read", "unit": "MB/s", "rate": 10.0},
        {"stage": "annotate", "unit": "words/s", "rate": 125.0},
    ],
}
ASKED = Assumptions(words=3_600_000, articles=18_000, dump=12_800_000, price=0.5, cores=4)


def test_the_page_is_in_step_with_the_stored_figures():
    wanted = page(json.loads(FIGURES.read_text("utf-8")), Assumptions())
    assert PAGE.read_text("utf-8") == wanted, "run python -m benchmarks.cost > docs/cost.md"


def test_every_figure_is_derived():
    figures = Figures(MADE, ASKED)
    (cost,) = figures.costs()
    assert figures.times == 3600 and figures.xml == 3 * 12_800_000
    # 38.4 MB of XML, of which the words account for 9,000 bytes x 3,600 = 32.4 MB
    assert figures.other_hours == pytest.approx(6 / 10 / 3600)
    assert figures.article_seconds(MADE["commands"]["rows"][0]) == pytest.approx(0.02)
    assert cost.hours == pytest.approx(10 + 0.02 * 18_000 / 3600 + figures.other_hours)
    assert (cost.memory, cost.dataset) == (500_000_000, 2000 * 3600)
    assert cost.disk == 12_800_000 + 4000 * 3600


def test_the_command_takes_prices_of_ones_own(capsys):
    main(["--price", "2", "--cores", "10", "--words", "9e9"])
    text = " ".join(capsys.readouterr().out.split())
    assert "price of 2 per core-hour on 10 cores" in text and "articles with 9 billion words" in text
