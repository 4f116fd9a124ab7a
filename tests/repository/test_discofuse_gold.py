"""The counts of the benchmark against released rows."""

from __future__ import annotations

import json

from benchmarks import discofuse_gold as gold
from tests.samples import DISCOFUSE_ROWS, REAL_DATA, needs_real


def figures_of(path, capsys):
    assert gold.main(["--gold", str(path)]) == 0
    return json.loads(capsys.readouterr().out.splitlines()[-1])


def test_the_released_conventions_find_the_type_of_every_plain_row(capsys):
    figures = figures_of(DISCOFUSE_ROWS, capsys)
    assert figures["rows"] == 52 and figures["hits"] == figures["types_per_text"] == 1
    assert figures["kept_anaphora"] == 1 and figures["kept"] >= 0.9


@needs_real
def test_what_the_released_conventions_reach(capsys):
    figures = figures_of(REAL_DATA / "discofuse-gold-dev.tsv", capsys)
    assert figures["hits"] >= 0.92 and figures["hits_suffix_ignored"] >= 0.98
    assert figures["suffix_agreement"] >= 0.88 and figures["types_per_text"] <= 1.05
