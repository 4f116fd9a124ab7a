"""The blocks of code of a page, and the commands in them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.pages import name, tokens

SHELL, SESSION, PYTHON = "sh", "console", "python"
# What a block may be besides: text that nobody runs, files, and what MyST fills in.
OTHER = re.compile(r"text|json|yaml|toml|mermaid|\{(toctree|include|eval-rst)\}.*")
# Words that begin a command; a block without a language that has one is of the shell.
_BEGINNINGS = re.compile(
    r"^(\$ )?(gistmill(-train)?|python|pip|make|docker|kubectl|gcloud|source|[A-Za-z]+=\S+;?) \S", re.M
)
_REMARK = re.compile(r"\s#\s.*$")


@dataclass(frozen=True, slots=True)
class Block:
    """A block of code: the page and line where it begins, its language and its text."""

    page: Path
    line: int
    language: str
    text: str

    def __str__(self) -> str:
        return f"{name(self.page)}:{self.line}"


def blocks(page: Path) -> Iterator[Block]:
    """Yields the blocks of a page that hold commands or Python.

    Raises:
        ValueError: the language of a fenced block is missing or unknown.
    """
    for token in tokens(page):
        if token.type not in ("fence", "code_block"):
            continue
        line = (token.map or (0, 0))[0] + 1
        language = token.info.strip()
        if token.type == "code_block" and _BEGINNINGS.search(token.content):
            language = SHELL
        if language in (SHELL, SESSION, PYTHON):
            yield Block(page, line, language, token.content)
        elif token.type == "fence" and not OTHER.fullmatch(language):
            raise ValueError(f"{name(page)}:{line}: a block of the language {language!r}")


def lines(script: str) -> Iterator[str]:
    """Yields the commands of a script, a line each: continued lines are joined, remarks are cut off."""
    for line in script.replace("\\\n", " ").splitlines():
        if cut := _REMARK.sub("", line).strip():
            yield cut


def simple_commands(line: str) -> list[list[str]]:
    """Returns the simple commands of a line, which pipes and ``&&`` join; what follows ``>`` is left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split, lexer.commenters = True, ""
    found: list[list[str]] = [[]]
    words = iter(lexer)
    for word in words:
        if word == ">":
            next(words)
        elif set(word) <= set("|&;"):
            found.append([])
        else:
            found[-1].append(word)
    return [command for command in found if command]
