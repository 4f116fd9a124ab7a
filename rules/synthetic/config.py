"""The options of synthetic corpora."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.values import PLACE, custom, nearest, whole
from gistmill.rules.synthetic.language import ENSEMBLE, STEP_TASKS
from gistmill.rules.synthetic.tasks.elementary import ELEMENTARY
from gistmill.rules.synthetic.vocabulary import NONSENSE

WIKIPEDIA = "wikipedia"
_ELEMENTARY = "elementary"


def _tasks(value: Any) -> tuple[str, ...]:
    parts = value if isinstance(value, (list, tuple)) else str(value).split(",")
    found: list[str] = []
    for part in parts:
        name = str(part).strip()
        prefix, colon, rest = name.partition(":")
        names = list(ELEMENTARY) if name == _ELEMENTARY else [rest if colon and prefix == _ELEMENTARY else name]
        for one in names:
            known = [*ELEMENTARY] if colon else [*STEP_TASKS, ENSEMBLE, _ELEMENTARY, *ELEMENTARY]
            if one not in known:
                there = nearest(one, known) or f"; there are {', '.join(known)}"
                raise ValueError(f"expected tasks, and there is no {one!r}{there}")
            if one in found:
                raise ValueError(f"expected each task once, and {one} is there twice")
            found.append(one)
    if not found:
        raise ValueError("expected at least one task")
    return tuple(found)


_NAMES = "|".join([*STEP_TASKS, ENSEMBLE, f"({_ELEMENTARY}:)?[a-z0-9-]+"])
TASKS = custom(_tasks, pattern=rf"({_NAMES})(,({_NAMES}))*", metavar="TASK,TASK", allowed="tasks, comma-separated")
WORDS = replace(
    PLACE,
    pattern=f"({NONSENSE}|{WIKIPEDIA}|{PLACE.pattern})",
    metavar=f"{NONSENSE}|{WIKIPEDIA}|FILE",
    allowed=f"{NONSENSE}, {WIKIPEDIA} or a file",
)
FILE = replace(PLACE, metavar="FILE", allowed="a file")


@dataclass(frozen=True, kw_only=True)
class SyntheticConfig(Options):
    """The options of the recipe."""

    GROUP: ClassVar[str] = "recipe"

    tasks: tuple[str, ...] = option(
        TASKS,
        default=(ENSEMBLE,),
        help=f"the tasks, each a configuration of the dataset: {', '.join(STEP_TASKS)}; {ENSEMBLE}, three elementary "
        f"tasks in each document; {_ELEMENTARY}:NAME,NAME... for elementary tasks; {_ELEMENTARY} for all "
        f"{len(ELEMENTARY)} of them",
    )
    words: str = option(
        WORDS,
        default=NONSENSE,
        help=f"what documents are made of: {NONSENSE}, words of three letters; a file with a word on each line; or "
        f"{WIKIPEDIA}, the first sentences of the documents of --source, wikipedia or any other",
    )
    seed: int = option(whole(0), default=1, help="other seeds give other documents")
    tokenizer: str | None = option(
        FILE,
        help="a sentencepiece model, or a tokenizer.json of tokenizers, that counts the tokens of "
        f"{', '.join(STEP_TASKS)} (default: words are counted)",
    )

    def check(self) -> None:
        """Raises ValueError where nothing asks for the tokenizer."""
        if self.tokenizer and not set(self.tasks) & set(STEP_TASKS):
            raise ValueError(f"tokenizer has no effect on {', '.join(self.tasks)}, only on {', '.join(STEP_TASKS)}")

    @property
    def draws_words(self) -> bool:
        """Whether documents are made of drawn words, not of text that is read."""
        return self.words != WIKIPEDIA
