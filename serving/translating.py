"""Articles in other languages: translated into English and their summaries back (the lead-bias paper, section 4.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gistmill.rules.augmentation.round_trip import TranslationError, Translator, hypotheses
from gistmill.serving.config import ENGLISH, ServingConfig


@dataclass(frozen=True, slots=True)
class Translation:
    """Sentences that are to be translated into or out of English.

    Attributes:
        language: the other language.
        sentences: them.
        back: whether they are English.
    """

    language: str
    sentences: tuple[str, ...]
    back: bool = False

    @property
    def length(self) -> int:
        """Their characters."""
        return sum(map(len, self.sentences))


@dataclass(frozen=True, slots=True)
class Translating:
    """The translators of each language: into English, and out of it."""

    ways: Mapping[str, tuple[Translator, Translator]]

    def translate(self, wanted: Sequence[Translation]) -> list[list[str] | Exception]:
        """Returns the translations of sentences, "" where the translator cannot read one; for what it cannot do at all,
        the TranslationError."""
        return [self._translated(each) for each in wanted]

    def _translated(self, wanted: Translation) -> list[str] | Exception:
        translator = self.ways[wanted.language][wanted.back]
        try:
            return [found[0] if found else "" for found in hypotheses(translator, wanted.sentences, count=1)]
        except TranslationError as error:
            return error


def open_translating(config: ServingConfig) -> Translating:
    """Returns the translators that the options name.

    Raises:
        TranslationError: there is no such function.
    """
    if not config.foreign:
        return Translating({})
    from gistmill.transforms.translation.opening import call  # loaded where it is needed: it loads Beam

    assert config.translator is not None
    name = config.translator
    return Translating({code: (call(name, code, ENGLISH), call(name, ENGLISH, code)) for code in config.foreign})
