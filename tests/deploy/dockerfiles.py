"""Reads Dockerfiles, as far as those of this repository go."""

import os
import re
import shlex
import shutil
import subprocess
import venv
from pathlib import Path


def instructions(path: Path) -> list[tuple[str, str]]:
    """The instructions of a Dockerfile, as (KEYWORD, rest of the line); lines that go on are joined."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if not line.lstrip().startswith("#")]
    joined = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return [
        (word.upper(), rest.strip()) for word, _, rest in (line.partition(" ") for line in joined.splitlines()) if word
    ]


def last_stage(found: list[tuple[str, str]], target: str | None = None) -> list[tuple[str, str]]:
    """What makes the image itself, or the one of a stage, from its outer base on: stages that build on others follow them."""
    starts = [i for i, (word, _) in enumerate(found) if word == "FROM"]
    ends = [*starts[1:], len(found)]
    stages = [
        (found[start][1].partition(" AS "), found[start + 1 : end]) for start, end in zip(starts, ends, strict=True)
    ]
    (base, _, _), made = next(s for s in reversed(stages) if target in (None, s[0][2]))
    return [*(last_stage(found, base) if any(base == name for (_, _, name), _ in stages) else ()), *made]


def build(
    path: Path, context: Path, root: Path, environment: dict[str, str], target: str | None = None
) -> dict[str, str]:
    """Does what an engine does with a stage, by default the last one, but for what is copied from other images: ``root`` is the image's
    file system, ``environment`` what its programs see besides what the file sets. Returns the image's variables.

    Raises:
        subprocess.CalledProcessError: a step failed.
    """
    folder = "/"
    variables: dict[str, str] = {}
    for word, rest in last_stage(instructions(path), target):
        place = root / folder.lstrip("/")
        if word == "WORKDIR":
            folder = rest
            (root / folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "ENV":
            variables |= {k: v for k, _, v in (pair.partition("=") for pair in shlex.split(rest))}
        elif word == "COPY" and not rest.startswith("--from="):
            *sources, target = rest.split()
            for source in sources:
                _copy(context / source, place / target, into=target.endswith("/"))
        elif word == "RUN":
            subprocess.run(
                ["sh", "-ec", rest],
                cwd=place,
                env=environment | variables | {"PIP_COMPILE": "0"},  # the files that are imported are compiled then
                check=True,
                text=True,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=1800,
            )
    return variables


def _copy(source: Path, target: Path, *, into: bool) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        return
    target = target / source.name if into else target
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def built(path: Path, root: Path, target: str | None = None) -> dict[str, str]:
    """Does the steps of a Dockerfile of this repository, with a new virtual environment, ``root/python``, in the place of the base
    image's Python. Returns the environment in which its programs are found."""
    venv.create(root / "python", with_pip=True)
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    environment = {**kept, "PATH": f"{root / 'python' / 'bin'}:{os.environ['PATH']}"}
    try:
        return environment | build(path, Path(__file__).parents[2], root, environment, target)
    except subprocess.CalledProcessError as error:
        raise AssertionError(f"{error.cmd}: {error.stdout[-2000:]}") from error
