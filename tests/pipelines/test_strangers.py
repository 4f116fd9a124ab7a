"""Datasets of strangers, opened by every command that opens datasets: nothing outside of them is read or written."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from gistmill.core.manifest import ManifestError
from gistmill.pipelines import validate
from gistmill.published.dataset import Dataset
from tests import hostile
from tests.commands import gistmill, succeed
from tests.dumps import export, small_pages

SPLITS = ("--splits", "60,20,20")
SENTENCES = [f"Sentence {n} of this article is about otters and the rivers in which otters live." for n in range(9)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Real datasets: ``gaps``, pairs with rejects and signatures, and ``annotated``, with what they were made of."""
    folder = tmp_path_factory.mktemp("made")
    texts = [
        {"id": f"otter{n}", "title": f"Otters {n}", "text": " ".join([f"Text {n}.", *SENTENCES])} for n in range(40)
    ]
    texts.append({"id": "short", "title": "Short", "text": "Too short."})
    (folder / "texts.jsonl").write_text("".join(json.dumps(text) + "\n" for text in texts))
    (folder / "dump.xml").write_bytes(export(sorted((p for p in small_pages() if b"<redirect" not in p), key=len)[:6]))
    succeed(
        *(
            "gap-sentences",
            "--source",
            "jsonl",
            "--input",
            folder / "texts.jsonl",
            "--output",
            folder / "gaps",
            *SPLITS,
        ),
        *("--keep-signatures", "--deduplicate", "exact", "--formats", "parquet,tfrecord"),
    )
    succeed(
        "annotate", "--input", folder / "dump.xml", "--output", folder / "annotated", *SPLITS, "--formats", "parquet"
    )
    return folder


@pytest.fixture
def world(made, tmp_path, monkeypatch):
    """A folder with a copy of everything, secrets, and a place to work in, where the caches are too."""
    place = shutil.copytree(made, tmp_path / "place")
    shutil.copytree(place / "gaps", place / "clean")
    hostile.plant(tmp_path)
    work = tmp_path / "work"
    for name in ("cache", "temporary"):
        (work / name).mkdir(parents=True)
    monkeypatch.setenv("XDG_CACHE_HOME", str(work / "cache"))
    monkeypatch.setenv("TMPDIR", str(work / "temporary"))
    return tmp_path


# Of each command the dataset that a stranger made, and the arguments.
COMMANDS = {
    "validate": ("gaps", "validate {bad}"),
    "diff, older": ("gaps", "diff {bad} {clean}"),
    "diff, newer": ("gaps", "diff {clean} {bad} --json"),
    "trace": ("gaps", "trace {bad} {row}"),
    "trace, document": ("gaps", "trace {bad} --document short"),
    "trace, input": ("annotated", "trace {clean} {row} --input {bad}"),
    "why": ("gaps", "why {bad} Short --index {work}/index"),
    "explore": ("gaps", "explore {bad} --export {work}/out --index {work}/index"),
    "explore, against": ("gaps", "explore {clean} --against {bad} --export {work}/out --index {work}/index"),
    "push": ("gaps", "push {bad} hf://user/gaps"),
    "retry": ("annotated", "retry {bad} --input-root {place} --output {work}/out"),
    "mix": ("gaps", "mix --input {clean},{bad} --output {work}/out"),
    "curriculum": ("gaps", "curriculum --input {bad} --output {work}/out"),
    "augment": ("gaps", "augment --input {bad} --output {work}/out"),
    "source annotated": ("annotated", "gap-sentences --source annotated --input {bad} --output {work}/out"),
    "reuse": ("annotated", "annotate --input {place}/dump.xml --reuse {bad} --output {work}/out"),
    "duplicates against": (
        "gaps",
        "gap-sentences --source jsonl --input {place}/texts.jsonl --duplicates-against {bad} --output {work}/out",
    ),
}


JOBS = ("retry", "mix", "curriculum", "augment", "source annotated", "reuse", "duplicates against")


def run(world: Path, command: str):
    """Runs a command on what a stranger made; returns how it ended and what it said, after a look at everything."""
    kind, words = COMMANDS[command]
    place, work = world / "place", world / "work"
    row = next(Dataset(place / "clean").rows("train"))["id"]
    values = {"bad": place / kind, "clean": place / "clean", "place": place, "work": work, "row": row}
    before = hostile.seen(world, but=work)
    done = gistmill(*(word.format(**values) for word in words.split()), timeout=120)
    assert hostile.seen(world, but=work) == before, "nothing outside may change"
    said = done.stdout + done.stderr
    assert hostile.SECRET not in said and "Traceback" not in said
    for path in work.rglob("*"):
        assert not (path.is_file() and hostile.tells(path.read_bytes())), path
    return done


def refused(world: Path, command: str) -> str:
    """The line with which a command ends."""
    done = run(world, command)
    assert done.returncode in (1, 2) and not done.stdout, (done.returncode, done.stdout)
    assert not (world / "work" / "out").exists()
    assert done.stderr.count("\n") == 1 or command == "validate", done.stderr  # it names every fault
    return done.stderr


# All commands open a manifest by one function, which the next test but one has all forgeries for.
@pytest.mark.parametrize(
    "forged",
    [
        "configuration '../../../evil'",
        *(pytest.param(name, marks=pytest.mark.slow) for name in ("path '/etc/hostname'", "split", "hash")),
    ],
)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_forged_manifest_is_refused_by_every_command(world, command, forged):
    folder = world / "place" / COMMANDS[command][0]
    forge, words = hostile.FORGED[forged]
    hostile.write(folder, forge(hostile.read(folder)))
    said = refused(world, command)
    assert words in said and str(folder) in said


@pytest.mark.parametrize("command", COMMANDS)
def test_a_manifest_that_is_a_link_out_of_the_folder_is_refused_by_every_command(world, command):
    folder = world / "place" / COMMANDS[command][0]
    (folder / "manifest.json").unlink()
    (folder / "manifest.json").symlink_to(world / hostile.OUTSIDE / "secret.json")
    assert "is a link that leads out of the dataset's folder" in refused(world, command)


@pytest.mark.parametrize("forged", hostile.FORGED)
def test_whatever_a_manifest_must_not_say_is_named(world, forged, capsys):
    folder = world / "place" / "gaps"
    forge, words = hostile.FORGED[forged]
    hostile.write(folder, forge(hostile.read(folder)))
    with pytest.raises(ManifestError) as error:
        Dataset(folder)
    said = str(error.value)
    assert words in said and said.isprintable() and len(said) < 500
    assert validate.main([str(folder)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert said in lines and all(line.startswith(f"{folder}: manifest.json") for line in lines)


def test_validate_names_all_faults_of_a_manifest_at_once(world, capsys):
    folder = world / "place" / "gaps"
    forged = hostile.changed(hostile.read(folder), path="../x", sha256="0", rows=-1, bytes="many")
    del forged["runner"]
    forged["counts"]["documents"] = [1]
    hostile.write(folder, hostile.renamed(forged, "../y"))
    assert validate.main([str(folder)]) == 1
    lines = [line.removeprefix(f"{folder}: manifest.json: ") for line in capsys.readouterr().err.splitlines()]
    faults = ("runner", "counts.documents must", "'../y' cannot", "path must", "sha256 must", "rows must", "bytes must")
    for fault in faults:
        assert sum(fault in line for line in lines) == 1, (fault, lines)


@pytest.mark.parametrize(
    "content, said",
    [
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 900 + b"1" + b"}" * 900, "nested too deeply"),
        (b'{"manifest_version": ' + b"9" * 5_000 + b"}", "is not JSON"),
        (b"\xff\xfe\x00", "is not JSON"),
        (b"", "is not JSON"),
        (b"\0" * 100, "is not JSON"),
        (b"[{}]", "must be an object"),
    ],
)
@pytest.mark.parametrize(
    "command",
    ["validate", *(pytest.param(c, marks=pytest.mark.slow) for c in ("explore", "mix", "duplicates against", "reuse"))],
)
def test_json_that_cannot_be_walked_through_is_said(world, command, content, said):
    (world / "place" / COMMANDS[command][0] / "manifest.json").write_bytes(content)
    assert said in refused(world, command)


@pytest.mark.parametrize("command", ["validate", "trace", "mix", "duplicates against", "reuse"])
def test_a_manifest_of_a_gigabyte_is_not_read(world, command):
    os.truncate(world / "place" / COMMANDS[command][0] / "manifest.json", 1 << 30)
    assert "manifest.json is larger than 64 MiB" in refused(world, command)


@pytest.mark.parametrize("command", ["validate", "explore", "mix", "duplicates against", "reuse"])
def test_a_pipe_in_the_place_of_a_manifest_is_not_waited_for(world, command):
    place = world / "place" / COMMANDS[command][0] / "manifest.json"
    place.unlink()
    os.mkfifo(place)
    assert "manifest.json is neither a file nor a folder" in refused(world, command)


LINK = "is a link that leads out of the dataset's folder"


@pytest.mark.parametrize("command", [name for name in COMMANDS if name != "retry"])
def test_shards_that_are_links_out_of_the_folder_are_refused_by_every_command(world, command):
    folder = world / "place" / COMMANDS[command][0]
    hostile.link_out(folder, world / hostile.OUTSIDE, ".parquet")
    assert LINK in refused(world, command)


@pytest.mark.parametrize("command", ["validate", "trace, document", "why", "explore", "retry"])
def test_rejects_that_are_links_out_of_the_folder_are_refused(world, command):
    hostile.link_out(world / "place" / COMMANDS[command][0], world / hostile.OUTSIDE, ".jsonl.gz")
    assert LINK in refused(world, command)


@pytest.mark.parametrize("command", ["validate", "trace", "explore", "mix", "source annotated", "reuse"])
def test_a_folder_of_shards_that_is_a_link_out_of_the_dataset_is_refused(world, command):
    folder = world / "place" / COMMANDS[command][0]
    inner = folder / "default" / "parquet"
    hostile.link_out(folder, world / hostile.OUTSIDE, ".parquet")
    away = world / hostile.OUTSIDE / "parquet"
    away.mkdir()
    for path in inner.iterdir():
        path.resolve().rename(away / path.name)
    shutil.rmtree(inner)
    inner.symlink_to(away)
    said = refused(world, command)
    assert LINK in said or (command == "validate" and "is missing" in said)


def test_links_that_stay_in_the_folder_are_followed_and_the_folder_may_be_one(world):
    folder = world / "place" / "gaps"
    for path in sorted((folder / "default" / "parquet").iterdir()):
        path.rename(folder / path.name)
        path.symlink_to(os.path.join("..", "..", path.name))
    (world / "place" / "latest").symlink_to("gaps")
    rows = list(Dataset(world / "place" / "clean").rows("train"))
    assert rows and list(Dataset(world / "place" / "latest").rows("train")) == rows
    assert run(world, "mix").returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", hostile.LYING)
@pytest.mark.parametrize("command", COMMANDS)
def test_files_that_lie_end_a_command_in_a_line_or_do_no_harm(world, command, name):
    hostile.lie(world / "place" / COMMANDS[command][0], name)
    done = run(world, command)
    assert done.returncode in (0, 1, 2) and (done.returncode == 0 or done.stderr.endswith("\n"))
    if done.returncode and command not in ("validate", *JOBS):  # a job tells of its progress before
        assert len([line for line in done.stderr.splitlines() if "read once, for the index" not in line]) == 1
    assert all(character.isprintable() or character == "\n" for character in done.stdout + done.stderr)
