"""What tests of several users need: root does things as others, in a folder that all of them may write."""

from __future__ import annotations

import os
import shutil
import tempfile
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from tests.commands import FORKS
from tests.environments import needs

ROOT, STRANGER, USER = 0, 65534, 65533
needs_root = needs("root", there=os.geteuid() == 0)


@contextmanager
def shared_folder() -> Iterator[Path]:
    """A folder like /tmp: everybody may make things in it, and only their owners may remove them."""
    folder = Path(tempfile.mkdtemp(prefix="gistmill-test-")).resolve()
    folder.chmod(0o1777)
    try:
        yield folder
    finally:
        shutil.rmtree(folder)


def give(path: Path, user: int) -> None:
    """Gives a file, or a folder with all that is in it, to a user."""
    for folder, folders, files in os.walk(path):
        for name in (*folders, *files):
            os.chown(os.path.join(folder, name), user, user, follow_symlinks=False)
    os.chown(path, user, user, follow_symlinks=False)


def by(user: int, function: Callable[..., Any], *arguments: object, timeout: float = 60) -> Any:
    """Returns what a function returns to a user, who has a process of his own; fails the test if that takes longer than
    ``timeout`` seconds."""
    with doing(user, function, *arguments) as answers:
        if not answers.poll(timeout):
            pytest.fail(f"user {user} was held up for {timeout:.0f} s")
        done, found = answers.recv()
        assert done, found
        return found


@contextmanager
def doing(user: int, function: Callable[..., Any], *arguments: object) -> Iterator[Connection]:
    """Within the block a function runs as a user. Yields the connection on which (True, what it returns) comes, or
    (False, its traceback); then the process lives until the block ends."""
    mine, theirs = FORKS.Pipe()
    # a fork has loaded what it needs: an interpreter that root has for himself could not be started as another user
    process = FORKS.Process(target=_become, args=(user, theirs, function, arguments))
    process.start()
    theirs.close()
    try:
        yield mine
    finally:
        process.kill()
        process.join()
        mine.close()


def _become(user: int, answers: Connection, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    os.chdir("/")
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    try:
        answers.send((True, function(*arguments)))
    except BaseException:
        answers.send((False, traceback.format_exc()))
    with suppress(EOFError):
        answers.recv()
