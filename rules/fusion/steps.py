"""The edits of a row one after the other, with the text after each."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.fusion.edits import from_column, realise
from gistmill.rules.lineage import Operation

_OF_SPACING = ("join", "space")


def fusing(first: str, second: str, column: Sequence[str]) -> tuple[Operation, ...]:
    """Returns the edits of a row as operations, in their order: the last gives the tokens of the fusion.

    Those of spacing are left out, since they change no token.

    Args:
        first, second: the two sentences, tokens joined by spaces.
        column: their edits in the open form of ``gistmill.rules.fusion.edits``.

    Raises:
        EditsError: an edit is malformed or does not fit the sentences.
    """
    halves = first.split(" "), second.split(" ")
    n, m = map(len, halves)
    tokens = [*halves[0], *halves[1]]
    made: list[Operation] = []
    before: tuple[str, ...] = (first, second)
    edits = [edit for edit in column if edit.split(" ", 1)[0] not in _OF_SPACING]
    for number, edit in enumerate(edits, start=1):
        all_so_far = from_column(edits[:number], n, m)
        after = (" ".join(realise(*halves, all_so_far)),)
        head, _, rest = edit.partition(" ")
        name = head if head == "move" else rest.partition(" ")[0]
        made.append(Operation("WRITE" if name == "before" else name.upper(), _detail(edit, tokens), before, after))
        before = after
    return tuple(made)


def _detail(edit: str, tokens: Sequence[str]) -> str:
    head, _, rest = edit.partition(" ")
    if head == "move":
        at = int(rest)
        return "the second sentence before " + (f"{tokens[at]!r}" if at < len(tokens) else "the end")
    name, _, text = rest.partition(" ")
    place = repr(tokens[int(head)]) if int(head) < len(tokens) else "the end"
    if name == "before":
        return f"{text!r} before {place}"
    return f"{place} by {text!r}" if name == "replace" else place
