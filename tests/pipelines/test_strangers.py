"""Datasets of strangers, opened by every command that opens datasets: nothing outside of them is read or written."""

from __future__ import annotations

import ast
import os
import shlex
import shutil
from pathlib import Path

import pytest

from gistmill.core.manifest import ManifestError
from gistmill.pipelines import validate
from gistmill.published.dataset import Dataset
from tests import hostile
from tests.cases import by_heading
from tests.commands import call, make, write_jsonl

CASES = by_heading(__file__)

ROOT = Path(__file__).parents[2]
SENTENCES = [f"Sentence {n} of this article is about otters and the rivers in which otters live." for n in range(9)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Real datasets: ``gaps``, pairs with rejects and signatures, and ``annotated``, with what they were made of."""
    folder = tmp_path_factory.mktemp("made")
    text = " ".join(["Text {}.", *SENTENCES])
    texts = [{"id": f"otter{n}", "title": f"Otters {n}", "text": text.format(n)} for n in range(40)]
    write_jsonl(folder / "texts.jsonl", [*texts, {"id": "short", "title": "Short", "text": "Too short."}])
    write_jsonl(folder / "few.jsonl", [*texts[:6], {"id": "short", "text": ""}])
    given = f"--source jsonl --splits 60,20,20 --input {folder}"
    make(f"gap-sentences {given}/texts.jsonl --output {folder}/gaps --keep-signatures --deduplicate exact")
    make(f"annotate {given}/few.jsonl --output {folder}/annotated --deduplicate none --coref none")
    return folder


def copied(made: Path, world: Path) -> Path:
    """A folder with a copy of everything, secrets, and a place to work in, where the caches are too."""
    place = shutil.copytree(made, world / "place")
    shutil.copytree(place / "gaps", place / "clean")
    hostile.plant(world)
    for name in ("cache", "temporary"):
        (world / "work" / name).mkdir(parents=True)
    os.environ["XDG_CACHE_HOME"] = str(world / "work" / "cache")
    os.environ["TMPDIR"] = str(world / "work" / "temporary")
    return world


@pytest.fixture
def new_world(made, tmp_path, monkeypatch):
    """Makes such folders."""
    monkeypatch.setenv("XDG_CACHE_HOME", "")
    monkeypatch.setenv("TMPDIR", "")
    numbers = iter(range(1000))
    return lambda: copied(made, tmp_path / str(next(numbers)))


@pytest.fixture
def world(new_world):
    return new_world()


# Of each command the dataset that a stranger made, and the arguments.
COMMANDS = CASES["commands"]
JOBS = ("mix", "curriculum", "augment", "source annotated", "reuse", "duplicates against")
LINK = "links to a file outside the dataset's folder"


def bad(world: Path, command: str) -> Path:
    """The folder of the dataset that a stranger made."""
    return world / "place" / COMMANDS[command][0]


def run(world: Path, command: str):
    """Runs a command on what a stranger made; returns how it ended and what it said, after a look at everything."""
    place, work = world / "place", world / "work"
    row = next(Dataset(place / "clean").rows("train"))["id"]
    values = {"bad": bad(world, command), "clean": place / "clean", "place": place, "work": work, "row": row}
    before = hostile.seen(world, but=work)
    done = call(COMMANDS[command][1].format(**values))
    assert hostile.seen(world, but=work) == before, "nothing outside may change"
    said = done.stdout + done.stderr
    assert hostile.SECRET not in said and "Traceback" not in said
    for path in work.rglob("*"):
        assert not (path.is_file() and hostile.tells(path.read_bytes())), path
    return done


def refused(world: Path, command: str) -> str:
    """The line with which a command ends."""
    done = run(world, command)
    assert done.returncode in (1, 2) and not done.stdout, (command, done)
    assert not (world / "work" / "out").exists()
    assert done.stderr.count("\n") == 1 or command == "validate", done.stderr  # it names every problem
    return done.stderr


@pytest.mark.parametrize("command", COMMANDS)
def test_what_leads_out_of_the_folder_is_refused_by_every_command(new_world, command):
    world = new_world()
    folder = bad(world, command)
    forge, words = hostile.FORGED["configuration '../../../evil'"]
    hostile.write(folder, forge(hostile.read(folder)))
    said = refused(world, command)
    assert words in said and str(folder) in said
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").symlink_to(world / hostile.OUTSIDE / "secret.json")
    assert LINK in refused(world, command)
    world = new_world()
    hostile.link_out(bad(world, command), world / hostile.OUTSIDE, ".parquet")
    assert LINK in refused(world, command)


# The functions that read manifests of published datasets, all by `core.manifest`. A rebuild reads only what it has made.
OPENERS = {
    "published/dataset.py": {"read"},
    "pipelines/validate.py": {"problems_in"},
    "transforms/sources/base.py": {"read"},
    **{f"pipelines/rebuild/{name}.py": {"from_json"} for name in ("rebuild", "crawls")},
    "pipelines/publication.py": {"from_json"},
}


def test_manifests_are_opened_by_the_same_functions_everywhere():
    found: dict[str, set[str]] = {}
    for folder in ("pipelines", "transforms", "published", "explorer", "serving", "training", "gistmill"):
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            for node in ast.walk(ast.parse(text)) if "gistmill.core.manifest" in text else ():
                of_manifest = isinstance(node, ast.Attribute) and ast.unparse(node.value) == "Manifest"
                if of_manifest and node.attr in ("read", "from_json"):
                    found.setdefault(str(path.relative_to(ROOT)), set()).add(node.attr)
                elif isinstance(node, ast.Name) and node.id == "problems_in":
                    found.setdefault(str(path.relative_to(ROOT)), set()).add(node.id)
    assert found == OPENERS


def test_whatever_a_manifest_must_not_say_is_named(world, capsys):
    folder = world / "place" / "gaps"
    true = hostile.read(folder)
    for name, (forge, words) in hostile.FORGED.items():
        hostile.write(folder, true)
        hostile.write(folder, forge(hostile.read(folder)))
        with pytest.raises(ManifestError) as error:
            Dataset(folder)
        said = str(error.value)
        assert words in said and said.isprintable() and len(said) < 500, name
        assert validate.main([str(folder)]) == 1, name
        lines = capsys.readouterr().err.splitlines()
        assert said in lines and all(line.startswith(f"{folder}: manifest.json") for line in lines), name


def test_validate_names_all_faults_of_a_manifest_at_once(world, capsys):
    folder = world / "place" / "gaps"
    forged = hostile.changed(hostile.read(folder), path="../x", sha256="0", rows=-1, bytes="many")
    del forged["runner"]
    forged["counts"]["documents"] = [1]
    hostile.write(folder, hostile.renamed(forged, "../y"))
    assert validate.main([str(folder)]) == 1
    lines = [line.removeprefix(f"{folder}: manifest.json: ") for line in capsys.readouterr().err.splitlines()]
    problems = (
        "runner",
        "counts.documents must",
        "'../y' is not a valid configuration name",
        "path must",
        "sha256 must",
        "rows must",
        "bytes must",
    )
    for problem in problems:
        assert sum(problem in line for line in lines) == 1, (problem, lines)


# One command of each function that opens manifests.
@pytest.mark.parametrize("command", ["validate", "explore", "mix", "duplicates against", "reuse"])
def test_a_manifest_that_is_not_json_too_large_or_a_pipe_is_refused(world, command):
    path = bad(world, command) / "manifest.json"
    for content, said in (
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 900 + b"1" + b"}" * 900, "nested too deeply"),
        (b'{"manifest_version": ' + b"9" * 5_000 + b"}", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b"", "is not JSON"),
        (b"\0" * 100, "is not JSON"),
        (b"[{}]", "must be an object"),
    ):
        path.write_bytes(content)
        assert said in refused(world, command), content[:30]
    os.truncate(path, 1 << 30)
    assert "manifest.json is larger than 64 MiB" in refused(world, command)
    path.unlink()
    os.mkfifo(path)
    assert "manifest.json is neither a file nor a folder" in refused(world, command)


def test_rejects_and_folders_of_shards_that_are_links_out_of_the_folder_are_refused(new_world):
    for command in ("validate", "trace, document", "why", "explore"):
        world = new_world()
        hostile.link_out(bad(world, command), world / hostile.OUTSIDE, ".jsonl.gz")
        assert LINK in refused(world, command), command
    for command in ("validate", "trace", "explore", "mix", "source annotated", "reuse"):
        world = new_world()
        inner = bad(world, command) / "default" / "parquet"
        inner.rename(world / hostile.OUTSIDE / "parquet")
        inner.symlink_to(world / hostile.OUTSIDE / "parquet")
        said = refused(world, command)
        assert LINK in said or (command == "validate" and "is missing" in said), command


def test_links_that_stay_in_the_folder_are_followed_and_the_folder_may_be_one(world):
    folder = world / "place" / "gaps"
    for path in sorted((folder / "default" / "parquet").iterdir()):
        path.rename(folder / path.name)
        path.symlink_to(os.path.join("..", "..", path.name))
    (world / "place" / "latest").symlink_to("gaps")
    rows = list(Dataset(world / "place" / "clean").rows("train"))
    assert rows and list(Dataset(world / "place" / "latest").rows("train")) == rows
    assert run(world, "mix").returncode == 0


# Others end before they read shards, or ask about a document that has no rows, and read no ids.
READERS = [c for c in COMMANDS if c not in ("push", "duplicates against", "trace, document", "why")]


@pytest.mark.slow
def test_shards_that_unpack_to_far_more_than_they_are_are_refused_by_every_command(world):
    for kind in {COMMANDS[command][0] for command in READERS}:
        hostile.bomb(world / "place" / kind)
    row = next(Dataset(world / "place" / "clean").rows("train"))
    bad = world / "place" / "gaps"
    asked = [call(f"trace {bad} --document {row['document_id']}"), call(f"why {bad} {shlex.quote(row['title'])}")]
    for command, done in [*((c, run(world, c)) for c in READERS), ("trace, document", asked[0]), ("why", asked[1])]:
        assert done.returncode in (1, 2), command
        assert "refused as a decompression bomb; if you trust the file" in done.stderr + done.stdout, command
        assert not (world / "work" / "out").exists()


@pytest.mark.parametrize(
    "command", [pytest.param(c, marks=pytest.mark.long if c in JOBS else pytest.mark.slow) for c in COMMANDS]
)
def test_files_that_lie_end_a_command_in_a_line_or_do_no_harm(new_world, command):
    for name in hostile.LYING:
        world = new_world()
        hostile.lie(bad(world, command), name)
        done = run(world, command)
        assert done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr.endswith("\n")), name
        if done.returncode and command not in ("validate", *JOBS):  # a job tells of its progress before
            assert len([line for line in done.stderr.splitlines() if "rows and rejects, once" not in line]) == 1, name
        assert all(c.isprintable() or c == "\n" for c in done.stdout + done.stderr), name
        shutil.rmtree(world)
