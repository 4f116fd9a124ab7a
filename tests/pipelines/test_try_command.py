"""``gistmill try`` and ``gistmill.fusion.explain``: the same splits as the recipe's, with reasons."""

from __future__ import annotations

import io
import os
import subprocess

import pytest
from rich.console import Console

import gistmill
from gistmill.pipelines import splitting as command
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.splitting import explain
from tests.commands import COMMAND, make
from tests.html_page import Page

TEXT = (
    "Open workouts are held every Sunday unless the gym is closed for a holiday or other special events. Many people "
    "come to see the players train there.\n\nThe LOI burn was only two minutes away, so the crew had little time to appreciate the view."
)


@pytest.fixture(scope="module")
def found():
    return explain(TEXT)


def shown(found, **options):
    stream = io.StringIO()
    command.show(found, Console(file=stream, width=200), **options)
    return stream.getvalue()


def test_every_sentence_and_pair_of_a_paragraph_is_there_with_its_splits(found):
    starts = [unit.text[:12] for unit in found.units]
    assert starts == ["Open workout", "Open workout", "Many people ", "The LOI burn"]  # no pair across paragraphs
    ((candidate, how),) = (s for s in found.units[0].splits if s[0].verdict.accepted)
    assert (candidate.discourse_type.name, candidate.connective_string) == ("SINGLE_CONN_INNER", "unless")
    assert [o.name for o in how.operations] == ["DELETE", "SPLIT", "FINISH"]
    ((_, how),) = found.units[3].splits
    assert [(p.text, p.changed) for p in how.result][1] == ("away. The", True)


def test_it_says_what_the_recipe_says(found):
    recipe = gistmill.recipes.DiscoFuse(gistmill.recipes.DiscoFuseConfig())
    rows = recipe.process(gistmill.recipes.annotate(TEXT)).rows
    wanted = sorted((r.values["discourse_type"], r.values["inputs"]) for r in rows if r.config == "full")
    accepted = [(c, how) for unit in found.units for c, how in unit.splits if c.verdict.accepted]
    assert sorted((c.discourse_type.name, " ".join(p.text for p in how.result)) for c, how in accepted) == wanted


def test_refused_splits_stand_with_their_reason_unless_they_are_left_out():
    found = explain("The gym is closed, so we ran.")
    assert "x SINGLE_S_COORD (sentence coordination) [, so]  TOO_SHORT: too few tokens" in shown(found)
    assert shown(found, refused=False) == ""
    assert "- TOO_SHORT: too few tokens" in shown(explain(f"It rained hard. {TEXT}"))
    assert shown(explain("Nothing")) == "The text contains no sentences.\n"


def test_operations_are_shown_on_demand(found):
    assert "SPLIT" not in shown(found) and "SPLIT    into" in shown(found, operations=True)


def test_markup_in_a_text_is_text():
    hostile = (
        "The <script>alert(1)</script> burn [red]was[/red] only two minutes away, so the crew had little time there."
    )
    page = Page(explain(hostile)._repr_html_())
    assert not page.open and "script" not in page.seen and "<script>alert(1)</script>" in page.text
    assert "[red]was[/red]" in shown(explain(hostile))


def test_the_statements_of_each_grain_are_shown_with_quality_and_operations(tmp_path):
    (tmp_path / "a.txt").write_text("Ada Lane, a nurse, left Leeds in 1815. It rained.\n\nWhy did she?")
    lines = make("try --accepted --input a.txt", cwd=tmp_path).stdout.partition("Statements by grain")[2].splitlines()
    facts = slice(lines.index("  fact"), lines.index("It rained.") - 1)
    assert any(
        line.endswith("  Ada Lane left Leeds.  SPLIT SINGLE_APPOSITION; DELETE in 1815") for line in lines[facts]
    )
    del lines[facts]
    assert lines[1:] == [
        "",
        "Ada Lane, a nurse, left Leeds in 1815.",
        "  sentence",
        "    1.00  Ada Lane, a nurse, left Leeds in 1815.",
        "  clause",
        "    0.98  Ada Lane left Leeds in 1815.  SPLIT SINGLE_APPOSITION",
        "    0.98  Ada Lane was a nurse.  SPLIT SINGLE_APPOSITION",
        "",
        "It rained.",
        "  sentence, clause, fact",
        "    1.00  It rained.",
        "",
        "Why did she?",
        "  - STATES_A_QUESTION: a question asserts nothing",
        "",
    ]
    assert "Statements" not in make("try 12").stdout


@pytest.mark.slow
@pytest.mark.parametrize(("job", "typed"), [("split", b""), ("fuse", b""), ("try", b"He ran.\n")])
def test_a_command_that_waits_for_a_person_says_so(job, typed):
    leader, follower = os.openpty()
    with subprocess.Popen([*COMMAND, job], stdin=follower, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        os.close(follower)
        said = process.stderr.readline().decode()
        assert said == f"gistmill {job}: type the input, then press Ctrl-D\n"
        os.write(leader, typed + b"\x04")
        assert process.wait(timeout=120) == 0
    os.close(leader)


def test_what_cannot_be_done_is_said_in_a_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for arguments, data, message in [
        (["a text", "--input", "x"], b"", "not both"),
        (["--input", "nowhere.txt"], b"", "--input nowhere.txt: No such file"),
        (["--input", "bad.txt"], b"caf\xe9", "not valid UTF-8"),
        (["--input", "bad.txt"], b" \n", "the text is empty"),
        (["--conventions", "other", "x"], b"", "invalid choice"),
        (["--spacy-model", "nothing_here", "x"], b"", "nothing_here"),
    ]:
        (tmp_path / "bad.txt").write_bytes(data)
        with pytest.raises(ConfigError, match=message):
            command.try_main(arguments)
