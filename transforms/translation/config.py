"""The options of round-trip translation."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from gistmill.core.options import option
from gistmill.core.values import FOLDER, TEXT, TOKEN, custom, list_of, one_of, whole
from gistmill.rules.augmentation.config import COLUMN, ROUND_TRIP, MethodConfig

CPU, CUDA = "cpu", "cuda"
_FOLDERS = replace(list_of(FOLDER), is_place=True, metavar="DIRS", allowed="folders, comma-separated")
_FUNCTION = re.compile(r"[A-Za-z_][\w.]*:[A-Za-z_]\w*")
_FILE = replace(TEXT, metavar="FILE", allowed="a file", is_place=True)


def _function(value: Any) -> str:
    if callable(value):
        value = f"{value.__module__}:{value.__qualname__}"
    if not isinstance(value, str) or not _FUNCTION.fullmatch(value):
        raise ValueError("expected MODULE:FUNCTION")
    return value


@dataclass(frozen=True, kw_only=True)
class TranslationConfig(MethodConfig):
    """Says what translates, by ``forward`` or ``translator``, and how its hypotheses are used."""

    GROUP: ClassVar[str] = "translation"

    pivots: tuple[str, ...] = option(
        list_of(TOKEN),
        default=("de", "ru"),
        metavar="LIST",
        help="the languages that texts are translated into and back, comma-separated, as the translator names them",
    )
    source_language: str = option(TOKEN, default="en", help="the language of the texts, as the translator names it")
    beams: int = option(
        whole(1), default=10, unit="hypotheses", help="the beam of each search, and its hypotheses that are used: k"
    )
    paraphrases: int | None = option(
        whole(1),
        help="paraphrases of each pair by --method round-trip, chosen by hashes (default: all, k^2 for each pivot)",
    )
    forward: tuple[str, ...] | None = option(
        _FOLDERS,
        help="folders of models that translate into the pivots, in their order, or one of a model that knows them all",
    )
    backward: tuple[str, ...] | None = option(
        _FOLDERS,
        help="the same of the models that translate back (default: --forward, if its model knows all languages)",
    )
    device: str = option(one_of(CPU, CUDA), default=CPU, help="where the models of --forward and --backward work")
    translator: str | None = option(
        custom(_function, pattern=_FUNCTION.pattern, metavar="MODULE:FUNCTION", allowed="a function of a module"),
        help="a Python function that returns the translator from one language into another",
    )
    translation_cache: str | None = option(
        _FILE,
        local=True,
        fingerprinted=False,
        published=False,
        help="a file on this machine where translations are kept, so that no later run pays for them again",
    )

    def check(self) -> None:
        """Raises ValueError where it is not said what translates, or said twice, or nothing is to be translated."""
        self.check_unused(ROUND_TRIP)
        if self.method != ROUND_TRIP:
            return
        if (self.forward is None) == (self.translator is None):
            named = "neither" if self.forward is None else "both"
            raise ValueError(f"method round-trip: expected forward or translator, not {named}")
        if len(set(self.pivots)) < len(self.pivots):
            raise ValueError(f"pivots: expected each once, not {','.join(self.pivots)}")
        if self.paraphrases not in (None, 1) and self.augmented_as == COLUMN:
            raise ValueError(f"paraphrases: a pair has one with augmented_as column, not {self.paraphrases}")
        if self.backward is not None and self.forward is None:
            raise ValueError("backward: has no effect without forward")
        for name in ("forward", "backward"):
            if len(folders := getattr(self, name) or "1") not in (1, len(self.pivots)):
                raise ValueError(
                    f"{name}: expected a folder, or {len(self.pivots)}, one a language, not {len(folders)}"
                )
