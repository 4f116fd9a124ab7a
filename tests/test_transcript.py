"""What every command prints, and how it ends: the files of tests/transcript, compared with what happens now.

A line ``$ COMMAND`` is run; ``< FILE`` and ``| FILTER`` may follow it, as in a shell. The lines after it are on record: standard
output after ``>``, standard error after ``!``, and the exit code. To change words on purpose, or to add a command, edit the lines
that begin with ``$`` and record all others again:

    python -m tests.test_transcript --record
"""

from __future__ import annotations

import difflib
import io
import json
import logging
import os
import re
import shlex
import shutil
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest import mock

import pytest

from gistmill.pipelines import cli
from gistmill.training import cli as training
from gistmill.transforms.arithmetic import settle_arithmetic
from tests.docs.world import TEXT, World

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[1]
CASES = sorted((ROOT / "tests" / "transcript").glob("*.txt"))
MAINS: Mapping[str, Callable[[Sequence[str]], int]] = {"gistmill": cli.main, "gistmill-train": training.main}
GIVEN = ("DUMP", "enwiki_namespace_0.tar.gz", "news.warc.gz", "pairs.jsonl", "texts.jsonl.gz")
# Only these variables of the environment decide what a command prints.
ENVIRONMENT = {"PATH": os.environ["PATH"], "COLUMNS": "200", "LC_ALL": "C.UTF-8", "TZ": "UTC", "GRPC_VERBOSITY": "NONE"}
_SENTENCES = "The mill on the river was old. The miller had sold the mill to the town. The town burned in the spring."
FILES: Mapping[str, str | bytes] = {
    "texts.jsonl": "".join(
        json.dumps({"id": f"t{n}", "title": f"The mill {n}", "date": f"2020-01-0{n}", "text": f"{n}. {TEXT}"}) + "\n"
        for n in (1, 2, 3)
    ),
    "text.txt": _SENTENCES,
    "rows.tsv": "The mill was old, but the town bought it.\nThe mill was old.\tThe mill was bought.\n",
    "empty.jsonl": "",
    "utf16.jsonl": json.dumps({"text": _SENTENCES}).encode("utf-16"),
    "latin1.txt": "Café".encode("latin-1"),
    "notjson.jsonl": "text: no\n",
    "twice.jsonl": json.dumps({"id": "a", "text": _SENTENCES}) * 2,
    "list.yaml": "- a\n- b\n",
    "broken.yaml": "input: [\n",
    "unknown.yaml": "shard: 3\n",
    "wrong.yaml": "overwrite: 3\n",
    "other.yaml": "job: annotate\n",
    "beam.yaml": "beam: {runer: x}\n",
    "cyclic.yaml": "splits: &a [*a]\n",
    "table.csv": "id,text\n1,One line.\n",
    "old.corpus.yaml": "publish: out\nsources: {wiki: {wiki: enwiki}}\nrecipes: {a: {recipe: discofus, reads: wiki}}\n",
    "corpus.yaml": "publish: versions\nsources: {news: {source: jsonl, input: texts.jsonl, languages: en}}\n"
    "recipes: {gaps: {recipe: gap-sentences, reads: news, splits: [1, 0, 0]}}\nrunner: {workers: 1}\n",
    "profile.yaml": "name: mine\n",
    "experiment.yaml": "title: x\n",
}
VARYING = {
    r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?": "TIME",
    r"(gistmill(?:-train)?) \d+\.\d+\.\d+": r"\1 VERSION",
    r"\.gistmill-\d{8}T\d{6}-[0-9a-f]{8}": ".gistmill-RUN",
    r"20\d{6}(?=-\d\b)": "DATE",
    r'(seconds": )[\d.]+': r"\1N",
    r"(?m)^writing: .*\n": "",  # how often progress is shown
}
FORGED = {
    "newer": lambda manifest: {**manifest, "manifest_version": 999},
    "hostile": lambda manifest: {
        **manifest,
        "files": [{**manifest["files"][0], "path": "../../etc/passwd"}, *manifest["files"][1:]],
    },
    "list": lambda manifest: [manifest],
}


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """A folder with all files, and the datasets that the first transcript makes, which is returned."""
    place = tmp_path_factory.mktemp("transcript") / "world"
    (place / "empty").mkdir(parents=True)
    (place / "taken").mkdir()
    (place / "taken" / "mine.txt").write_text("keep me")
    for name, content in FILES.items():
        (place / name).write_bytes(content.encode() if isinstance(content, str) else content)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(place)
        for name in GIVEN:
            World(place).provide(name)
    (place / "cut.jsonl.gz").write_bytes((place / "texts.jsonl.gz").read_bytes()[:-20])
    builds = played(CASES[0], place)
    for name, forge in FORGED.items():
        manifest = shutil.copytree(place / "synthetic", place / name) / "manifest.json"
        manifest.write_text(json.dumps(forge(json.loads(manifest.read_text()))))
    (shutil.copytree(place / "synthetic", place / "edited") / "README.md").write_text("edited")
    return place, builds


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_commands_print_what_is_on_record(case, world):
    place, builds = world
    now = builds if case == CASES[0] else played(case, place)
    if "TRANSCRIPT_RECORD" in os.environ:
        case.write_text(now, encoding="utf-8")
    before = case.read_text(encoding="utf-8")
    if before != now:
        difference = difflib.unified_diff(before.splitlines(), now.splitlines(), case.name, "now", lineterm="", n=3)
        pytest.fail("\n".join(["record it if it is meant (tests/test_transcript.py):", *difference]), pytrace=False)


def test_every_command_is_on_record():
    commands = [line for case in CASES for line in case.read_text(encoding="utf-8").splitlines() if line[:2] == "$ "]
    for name in cli.names():
        assert [c for c in commands if c.startswith(f"$ gistmill {name} ") and "--help" not in c], name


def played(case: Path, place: Path) -> str:
    """The transcript of the commands of a file, run in ``place``, with the comments and blank lines of the file."""
    lines = [line for line in case.read_text(encoding="utf-8").splitlines() if not re.match(r"[>!]|exit ", line)]
    return "".join(
        f"{line}\n" for line in lines for line in (line, *(_run(line[2:], place) if line[:2] == "$ " else ()))
    )


def _run(line: str, place: Path) -> Iterator[str]:
    """Runs a command in this process; yields what it printed, without what differs from machine to machine."""
    line, *filters = line.split(" | ")
    line, _, given = line.partition(" < ")
    words = shlex.split(line)
    stdin = io.TextIOWrapper(io.BytesIO((place / given).read_bytes() if given else b""))
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", errors="surrogateescape", write_through=True) for _ in "oe")
    root = logging.getLogger()
    with ExitStack() as stack:
        places = {name: str(place.parent) for name in ("HOME", "HF_HOME", "XDG_CACHE_HOME")}
        stack.enter_context(mock.patch.dict(os.environ, {**ENVIRONMENT, **places}, clear=True))
        settle_arithmetic()
        stack.enter_context(mock.patch.object(sys, "argv", words))
        stack.enter_context(mock.patch.object(sys, "stdin", stdin))
        stack.enter_context(mock.patch.object(root, "handlers", []))  # those of pytest would take the warnings
        stack.callback(signal.signal, signal.SIGTERM, signal.getsignal(signal.SIGTERM))
        stack.callback(os.chdir, os.getcwd())
        os.chdir(place)
        stack.enter_context(redirect_stdout(out))
        stack.enter_context(redirect_stderr(err))
        try:
            code = MAINS[words[0]](words[1:])
        except SystemExit as end:
            code = int(end.code or 0)
    for sign, stream in ((">", out), ("!", err)):
        text = _steady(stream.buffer.getvalue().decode("utf-8", "backslashreplace"), place)
        for name, *arguments in map(str.split, filters if sign == ">" else ()):
            text = FILTERS[name](text, *arguments)
        for printed in text.splitlines():
            yield f"{sign} {printed}".rstrip()
    yield f"exit {code}"


def _steady(text: str, place: Path) -> str:
    """The text without what the machine, the time, the release and the Python decide."""
    for path, name in ((place, "WORLD"), (place.parent, "HOME"), (sys.executable, "PYTHON")):
        text = text.replace(str(path), name)
    for pattern, name in VARYING.items():
        text = re.sub(pattern, name, text)
    return re.sub(r"\(choose from .*?\)", lambda found: found[0].replace("'", ""), text)


def _help(text: str) -> str:
    """A help text with a line for each option, whatever the Python: how it divides lines changes."""
    text = re.sub(r"\n {4,}(?=\S)", " ", text)
    return re.sub(r"(?m)^  (-\w) (\S+), (--\S+) \2", r"  \1, \3 \2", re.sub(r"(?<=\S) {2,}", " ", text))


def _flags(text: str) -> str:
    """The usage, and a line of flags for each group: docs/options.md has what they mean."""
    lines = [text.splitlines()[0]]
    for line in text.splitlines():
        if re.match(r"\w[\w ,]*:$", line):
            lines.append(line)
        elif found := re.match(r"  (-\S.*?)(  |$)", line):
            lines[-1] += " " + " ".join(re.findall(r"--[\w-]+", found[1]))
    return "\n".join(line for line in lines if "--" in line)


_NUMBER = re.compile(r"\d([\d,.]*\d)?( ?(bytes|[kMG]B|s|min|h|%)(?!\w))?")
FILTERS: Mapping[str, Callable[..., str]] = {
    "help": _help,
    "flags": _flags,
    "before": lambda text, word: text[: text.index(word)],
    "without-numbers": lambda text: re.sub(r"(?<=\S) {2,}", "  ", _NUMBER.sub("N", text)),
}


if __name__ == "__main__":
    if sys.argv[1:] != ["--record"]:
        sys.exit(__doc__)
    os.environ["TRANSCRIPT_RECORD"] = "1"
    sys.exit(pytest.main([__file__, "-q", "-p", "no:xdist", "-k", "print", "-m", "slow"]))
