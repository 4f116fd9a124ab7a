"""The counts of the benchmark against released rows."""

from __future__ import annotations

import json

import pytest

from benchmarks import discofuse_gold as gold
from gistmill.core.records import Reason, Verdict
from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.checks import DiscoFuseReason
from tests.samples import DISCOFUSE_ROWS, REAL_DATA, needs_real


def candidate(name: str, reason: Reason | None = None) -> Candidate:
    """A candidate of a type, perhaps refused."""
    return Candidate(
        discourse_type=DiscourseType[name],
        connective_string="",
        first=(),
        second=(),
        verdict=Verdict(reason, ""),
    )


class TestScore:
    def test_hits_with_and_without_the_suffix(self):
        score = gold.Score()
        assert score.add("PAIR_ANAPHORA", [candidate("PAIR_ANAPHORA")])
        assert not score.add("PAIR_ANAPHORA", [candidate("PAIR_NONE")])
        assert not score.add("PAIR_CONN", [candidate("PAIR_NONE")])
        assert score.add("SINGLE_RELATIVE", [candidate("SINGLE_RELATIVE", DiscoFuseReason.TOO_SHORT)])
        assert not score.add("SINGLE_RELATIVE", [])
        assert score.summary() == {
            "rows": 5,
            "hits": 0.4,
            "hits_suffix_ignored": 0.6,
            "suffix_agreement": 0.5,
            "types_per_text": 0.8,
            "kept": 0.6,
            "kept_anaphora": 1.0,
            "kept_others": 0.3333,
        }

    def test_several_types_a_text(self):
        score = gold.Score()
        assert score.add("SINGLE_VP_COORD", [candidate("SINGLE_APPOSITION"), candidate("SINGLE_VP_COORD")])
        assert score.summary()["types_per_text"] == 2.0

    @pytest.mark.parametrize(
        ("name", "bare", "question"),
        [
            ("PAIR_ANAPHORA", "PAIR_NONE", True),
            ("PAIR_CONN", "PAIR_CONN", True),
            ("SINGLE_S_COORD_ANAPHORA", "SINGLE_S_COORD", True),
            ("SINGLE_VP_COORD", "SINGLE_VP_COORD", False),
        ],
    )
    def test_suffix(self, name, bare, question):
        assert (gold.bare(name), gold.has_suffix_question(name)) == (bare, question)


class TestRows:
    HEADER = "discourse_type\tcoherent_first_sentence\tcoherent_second_sentence\n"

    def test_a_gold_file_is_read(self, tmp_path):
        path = tmp_path / "gold.tsv"
        path.write_text(self.HEADER + 'PAIR_NONE\tA "b" .\tC .\n', encoding="utf-8")
        assert gold.read_gold(path) == [("PAIR_NONE", 'A "b" .', "C .")]

    @pytest.mark.parametrize("text", ["type\nPAIR_NONE\n", HEADER + "PAIR_SOME\ta\tb\n"])
    def test_bad_files_are_named(self, tmp_path, text):
        path = tmp_path / "gold.tsv"
        path.write_text(text, encoding="utf-8")
        with pytest.raises(ValueError, match="gold.tsv"):
            gold.read_gold(path)


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
