"""Every command of the README and the documentation is run, on small inputs, or parsed; each exception has its reason."""

import doctest
import io
import json
import re
import runpy
import signal
import string
import sys
import tomllib
import warnings
from functools import cache
from typing import NamedTuple

import pytest

from gistmill import Dataset
from gistmill.pipelines.cli import main
from gistmill.pipelines.estimate import parse_arguments as estimate_arguments
from gistmill.pipelines.options import parse
from gistmill.rules.recipes import RECIPES
from gistmill.training.commands import COMMANDS
from gistmill.training.settings import read_settings
from tests.contributing.page import EXTENDING
from tests.docs.blocks import PYTHON, SESSION, SHELL, blocks, lines, simple_commands
from tests.docs.pages import PAGES, ROOT, name
from tests.docs.world import TEXT, World

PARSED, NOT_RUN = "parsed", "not run"


class Unrun(NamedTuple):
    """Commands that are only parsed, or not even that, and why."""

    pattern: str
    how: str
    why: str


# Every other command is run. Building jobs run in the long test, and are parsed in the other.
UNRUN = (
    Unrun(r"gistmill(-train)? .*(\[|\||JOB)", NOT_RUN, "a synopsis"),
    Unrun(r"gistmill .*(gs://|s3://|--runner)", PARSED, "a store or a cluster"),
    Unrun(r"gistmill augment --method round-trip", PARSED, "models that translate; tests/pipelines/test_round_trip.py"),
    Unrun(r"gistmill synthetic .*--tokenizer", PARSED, "a tokenizer; tests/pipelines/test_synthetic.py"),
    Unrun(r"gistmill .* --languages? de", PARSED, "texts in German; tests/pipelines/test_languages.py"),
    Unrun(r"gistmill rebuild \S+( --rollback| --accept)?$", NOT_RUN, "downloads a dump; tests/pipelines/rebuild"),
    Unrun(r"gistmill (explore (?!.*--export)|serve)|python -m http", NOT_RUN, "serve until they are stopped"),
    Unrun(r"gistmill push", NOT_RUN, "a hub; tests/pipelines/test_push.py"),
    Unrun(r"curl localhost", PARSED, "a server; tests/serving"),
    Unrun(r"gistmill download", NOT_RUN, "downloads a dump; tests/pipelines/rebuild"),
    Unrun(r"\S*gistmill-train|torchrun|accelerate", PARSED, "torch; tests/training"),
    Unrun(r"(\w+=\S+ )+deploy/flink/submit", PARSED, "a cluster; tests/deploy"),
    Unrun(r"python -c .*transformers|ct2-transformers-converter", NOT_RUN, "torch, and a model of the hub"),
    Unrun(r"make", PARSED, "minutes; CI runs the targets of tests"),
    Unrun(r"pip install", PARSED, "the network"),
    Unrun(
        r"docker|kubectl|gcloud|IMAGE=|mkdir --parents shared",
        NOT_RUN,
        "an engine, a cluster or the cloud; tests/deploy reads the files",
    ),
    Unrun(r"D=|for f in|sha1sum|sha256sum|curl --fail|cut --characters", NOT_RUN, "the network"),
    Unrun(r"source|python3 -m venv", NOT_RUN, "an environment"),
)
# The worked examples are run by tests/contributing.
RUN_HERE = [page for page in PAGES if page != EXTENDING]
SMALL = {"--workers": "1", "--documents": "60", "--sample": "2", "--sample-ranges": "2", "--for-workers": "1,16"}


def unrun(line):
    return next((each for each in UNRUN if re.match(each.pattern, line)), None)


@cache
def all_of_page(page):
    return list(blocks(page))


def of_page(page, language):
    """The blocks of a page in a language."""
    return [block for block in all_of_page(page) if block.language == language]


def pages_with(language):
    return [page for page in RUN_HERE if of_page(page, language)]


class Reader(doctest.OutputChecker):
    """Compares output as it is on the page, but for folders. A number that depends on the data is ``...`` there."""

    def check_output(self, want, got, optionflags):
        return super().check_output(self.plain(want), self.plain(got), optionflags)

    @staticmethod
    def plain(text):
        return re.sub(r"(/[\w.-]+)+/(?=[\w.])", "/data/", text)


class Shell:
    """Runs the commands of a page in the current folder, in this process."""

    def __init__(self, world, monkeypatch, capsys, *, builds):
        self._world, self._monkeypatch, self._capsys, self._builds = world, monkeypatch, capsys, builds
        self._variables = {}

    def provide(self, place):
        """Makes what bears this name."""
        self._world.provide(place)
        self._capsys.readouterr()

    def run(self, line, *of_builds):
        """Runs a line; returns its exit code and what it wrote. Jobs that build a dataset get the options ``of_builds``
        too."""
        code, out = 0, ""
        if (said := unrun(line)) is not None and said.how == NOT_RUN:
            return code, out
        for command in simple_commands(line):
            words = [string.Template(word).safe_substitute(self._variables) for word in command]
            if (said := unrun(" ".join(command))) is not None:
                assert said.how == NOT_RUN or parsed(words, self._world), line
            elif assignment := re.fullmatch(r"(\w+)=(.*)", words[0]):
                self._variables[assignment[1]] = assignment[2]
            elif words[0] in ("echo", "printf"):
                out = words[1].replace("\\n", "\n")
            elif words[0] == "gistmill":
                self._monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(out.encode())))
                code = self.gistmill(words[1:], of_builds)
                captured = self._capsys.readouterr()
                out = captured.err + captured.out
            elif words[:2] == ["python", "-m"]:
                with warnings.catch_warnings():
                    warnings.filterwarnings("ignore", ".* found in sys.modules", RuntimeWarning)  # others imported it
                    runpy.run_module(words[2], run_name="__main__")
            else:
                raise AssertionError(f"nobody knows how to run {line!r}")
        return code, out

    def gistmill(self, arguments, of_builds):
        """Runs ``gistmill``, with small numbers of workers, documents and rows."""
        words = list(arguments)
        for flag, value in SMALL.items():
            if flag in words:
                words[words.index(flag) + 1] = value
        if words[0] == "synthetic" and not {"--documents", "--input"} & set(words):
            words += ["--documents", SMALL["--documents"]]
        output = words[words.index("--output") + 1] if "--output" in words else None
        builds = words[0] == "estimate" or (words[0] in RECIPES and output is not None and "--fit" not in words)
        if builds and not self._builds:
            return 0 if parsed(["gistmill", *words], self._world) else 1
        for word in words:
            if word != output:
                for place in word.split(","):
                    self._world.provide(place)
        if words[0] in ("trace", "why"):
            words = [there(word, Dataset(words[1])) for word in words]
        if not builds or output is None:
            return main(words)
        at = words.index("--output")
        return self._world.built((*words[:at], *words[at + 2 :], *of_builds), output)


def there(word, dataset):
    """What the small dataset has in the place of a row, document, title, address or sentence of the large one."""
    row = next(iter(dataset.rows("train")))
    if word.startswith("https://en.wikipedia.org"):
        return row["url"]
    if " " in word and not word.endswith("nowhere."):
        return row["coherent_first_sentence"]
    if re.search("-(SINGLE|PAIR)_", word):
        return row["id"]
    return {"wikipedia-12": row["document_id"], "Anarchism": row["title"]}.get(word, word)


def parsed(words, world):
    """Whether a command line can be read; it is nothing that could be parsed otherwise.

    Raises:
        An error of the parser: it cannot.
    """
    program, *rest = words
    if program == "gistmill" and rest[0] == "estimate":
        _, job, options = estimate_arguments(rest[1:])
        return parse(RECIPES[job], [*options, "--output", "none"])
    if program == "gistmill":
        return parse(RECIPES[rest[0]], [word for word in rest[1:] if word != "..."])
    if cut := next(
        (i for i, word in enumerate(words, 1) if word.endswith(("gistmill-train", "gistmill.training.cli"))), None
    ):
        command, *options = [word for word in words[cut:] if word != "..."]
        world.provide("run.yaml")
        partial = ["--print-config"] if "..." in words or "--config" in words else []
        return read_settings(COMMANDS[command], [*options, *partial])
    if program == "curl":
        return json.loads(words[words.index("--json") + 1])
    if "deploy/flink/submit" in words:
        at = words.index("deploy/flink/submit")
        variables = {word.partition("=")[0] for word in words[:at]}
        return words[at + 1] in RECIPES and variables <= set(
            re.findall(r"[A-Z_]+", (ROOT / words[at]).read_text("utf-8"))
        )
    if program == "make":
        return re.search(rf"^{rest[0]}:", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M)
    if words[:2] == ["pip", "install"]:
        extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"][
            "optional-dependencies"
        ]
        return {extra for word in rest for extra in re.findall(r"\[(\w+)\]", word)} <= set(extras)
    return False


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    return tmp_path_factory.mktemp("kept")


@pytest.fixture
def shell(request, kept, tmp_path, monkeypatch, capsys):
    """A shell in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def stop(number, frame):
        raise TimeoutError("a command of the page does not end")

    old = signal.signal(signal.SIGALRM, stop)
    signal.alarm(300)
    yield Shell(World(kept), monkeypatch, capsys, builds=getattr(request, "param", True))
    signal.alarm(0)
    signal.signal(signal.SIGALRM, old)


@pytest.mark.parametrize("page", pages_with(SHELL), ids=name)
@pytest.mark.parametrize(
    "shell", [False, pytest.param(True, marks=pytest.mark.long)], ids=["parsed", "built"], indirect=True
)
def test_the_commands_of_a_page_run(page, shell):
    for block in of_page(page, SHELL):
        for line in lines(block.text):
            code, out = shell.run(line, "--allow-empty")  # the small inputs give no rows to some commands
            assert code == 0, f"{block}: {line}\n{out}"


@pytest.mark.long
@pytest.mark.parametrize("page", pages_with(SESSION), ids=name)
def test_a_session_prints_what_the_page_shows(page, shell, tmp_path):
    """The page of questions: its commands fail, or say that something is odd, in these words."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes/note.txt").touch()
    for place in ("dump.xml.bz2", "texts.jsonl", "pairs"):
        shell.provide(place)
    for block in of_page(page, SESSION):
        for session in re.split(r"^\$ ", block.text, flags=re.M)[1:]:
            line, _, want = session.partition("\n")
            _, out = shell.run(line)
            assert Reader().check_output(want, out, doctest.ELLIPSIS), out


HEAVY = ROOT / "docs/dataset.md"  # imports tensorflow


@pytest.mark.parametrize(
    "page", [pytest.param(p, marks=[pytest.mark.long] * (p == HEAVY)) for p in pages_with(PYTHON)], ids=name
)
def test_the_python_of_a_page_runs(page, shell):
    names = {"TEXT": TEXT}
    for block in of_page(page, PYTHON):
        for place in re.findall(r'(?<!output=)"([\w./-]+)', block.text):
            shell.provide(place)
        if ">>>" in block.text:
            test = doctest.DocTestParser().get_doctest(block.text, names, str(block), str(page), block.line)
            runner = doctest.DocTestRunner(Reader(), optionflags=doctest.ELLIPSIS)
            said = io.StringIO()
            runner.run(test, out=said.write, clear_globs=False)
            names = test.globs
            assert runner.failures == 0, said.getvalue()
        else:
            exec(compile(block.text.replace("workers=2", "workers=1"), str(block), "exec"), names)


def test_each_exception_is_one_of_a_command():
    commands = [line for page in PAGES for block in of_page(page, SHELL) for line in lines(block.text)]
    assert [each for each in UNRUN if not any(unrun(line) is each for line in commands)] == []
