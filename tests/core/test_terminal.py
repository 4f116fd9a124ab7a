"""What is printed: text of strangers cannot command a terminal, and a ``repr`` is short, whatever it holds."""

import ast
import io
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

import gistmill
from gistmill.core.manifest import Manifest
from gistmill.core.records import Origin, Outcome, Pair, Row
from gistmill.core.statistics import Statistics
from gistmill.core.text_output import say, short_repr
from gistmill.rules.documents import AnnotatedDocument, RawDocument
from tests.manifests import made_manifest

ROOT = Path(__file__).parents[2]
HOSTILE = "\x1b[2J\x1b]0;pwn\x07\u202e \x9b31m\u2066\nsecond\r\ud800"
# These print texts of Gistmill, of several lines, or the person's own text.
OWN_TEXTS = {
    "api.py: dump(parsed)",
    "cli.py: '\\n'.join(table(('preset', 'job', ''), rows))",
    "cli.py: _overview()",
    "cli.py: corpora.preset(name).read_text(encoding='utf-8')",
    "cli.py: script.replace('@JOBS@', ' '.join(['help', *names()])).replace('@CASES@', '\\n'.join(cases))",
    "estimate.py: text_output.printable_lines(shown)",
    "fit_profile.py: content",
    "propositions.py: made.text",
    "rebuild/command.py: schema_text()",
}


def test_a_line_stays_one_line_and_commands_nothing(capsys):
    say(f"state: {HOSTILE}")
    shown = capsys.readouterr().err
    assert shown == ("state: \\u001b[2J\\u001b]0;pwn\\u0007\\u202e \\u009b31m\\u2066\\u000asecond\\u000d\\ud800\n")


@pytest.mark.parametrize("ascii_alone", [True, False])
def test_a_line_of_json_keeps_its_value(ascii_alone):
    out = io.StringIO()
    say(json.dumps({HOSTILE: [HOSTILE]}, ensure_ascii=ascii_alone), out)
    assert json.loads(out.getvalue()) == {HOSTILE: [HOSTILE]} and "\x9b" not in out.getvalue()


def test_commands_print_by_say_alone():
    printed = set()
    for path in (ROOT / "pipelines").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print":
                printed.add(f"{path.relative_to(ROOT / 'pipelines')}: {ast.unparse(node.args[0])}")
    assert printed == OWN_TEXTS


TEXT = "The bridge of the town was opened by its mayor. " * 1_000
ORIGIN = Origin(id="t1", source="jsonl", title=TEXT)


@dataclass(frozen=True)
class Record:
    name: str
    values: tuple[int, ...] = ()

    __repr__ = short_repr


def test_what_is_short_is_shown_whole():
    assert repr(Record("x", (1, 2))) == "Record(name='x', values=(1, 2))"
    assert repr(Record("x", tuple(range(9)))) == "Record(name='x', values=(0, 1, 2, ...))"


@pytest.mark.parametrize(
    "record",
    [
        made_manifest(),
        Statistics(counts={f"rows/{n}": {"train": n} for n in range(99)}, distributions={}),
        RawDocument(ORIGIN, TEXT, "plain"),
        gistmill.recipes.clean(TEXT),
        AnnotatedDocument(ORIGIN, ()),
        Row("default", "r1", {f"column{n}": TEXT for n in range(30)}),
        Pair(ORIGIN, TEXT, TEXT, {"inputs": TEXT}, "train"),
        Outcome(ORIGIN, rows=(Row("default", "r1", {"inputs": TEXT}),) * 99),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_record_is_a_few_lines(record):
    assert repr(record).startswith(f"{type(record).__name__}(") and repr(record).endswith(")")
    assert len(repr(record)) < 300 and "\n" not in repr(record)


def test_a_manifest_begins_with_its_recipe():
    assert repr(made_manifest()).startswith(f"{Manifest.__name__}(recipe='")
