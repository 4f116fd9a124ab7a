"""Checks the message of a commit, as the hook `commit-msg` asks: ``python -m tests.commit_subject FILE``.

What it cannot see is left to readers: whether the subject says what changes.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

LONGEST = 72
_OF_GIT = re.compile(r"(Merge|Revert|Reapply|fixup!|squash!|amend!) ")  # git writes these itself
_PREFIX = re.compile(r"[a-z]+(\([^)]*\))?!?: ")
_OTHER_FORM = re.compile(r"[A-Z][a-z]+(ed|ing)")
# Imperatives and nouns that end like the other forms.
_GOOD = frozenset(
    "Bring Embed Everything Exceed Feed Need Nothing Ring Seed Shed Something Speed Spring String Succeed Training"
    " Wording".split()
)
_THIRD_PERSON = frozenset(
    "Adds Allows Avoids Bumps Checks Cleans Corrects Creates Deletes Drops Ensures Extends Fixes Handles Implements"
    " Improves Introduces Keeps Lets Makes Merges Moves Prevents Raises Refactors Removes Renames Replaces Returns"
    " Rewrites Shows Simplifies Supports Updates Uses Writes".split()
)


def faults(message: str) -> list[str]:
    """Returns what is wrong with a message, a line each. Lines that begin with # are git's and do not count."""
    lines = [line.rstrip() for line in message.splitlines() if not line.startswith("#")]
    subject, *body = lines or [""]
    if not subject:
        return ["there is no subject; the first line says what changes"]
    if _OF_GIT.match(subject):
        return []
    word = subject.split()[0].rstrip(",;:")
    prefix = _PREFIX.match(subject)
    other_form = word in _THIRD_PERSON or _OTHER_FORM.fullmatch(word) and word not in _GOOD
    checks = (
        (len(subject) > LONGEST, f"the subject has {len(subject)} characters; {LONGEST} are allowed"),
        (prefix, f"the subject has the prefix {prefix and prefix[0].strip()!r}; leave it out"),
        (not prefix and word[0].islower(), f"the subject begins with {word!r}; begin with a capital, or quote a name"),
        (other_form, f"the subject begins with {word!r}; begin with an imperative, such as 'Add' or 'Keep'"),
        (subject.endswith("."), "the subject ends with a full stop; leave it out"),
        (body and body[0], "the second line is not empty; the body begins on the third"),
    )
    return [fault for wrong, fault in checks if wrong]


def main(path: str) -> int:
    """Prints the faults of the message in a file to standard error. Returns 1 where there are some, and else 0."""
    found = faults(Path(path).read_text(encoding="utf-8"))
    for fault in found:
        print(f"commit message: {fault}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
