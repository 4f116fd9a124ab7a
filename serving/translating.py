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


Translators = Mapping[str, tuple[Translator, Translator]]  # by language: into English, and out of it


def translate(translators: Translators, wanted: Sequence[Translation]) -> list[list[str] | Exception]:
    """Returns the translations of sentences, "" where the translator cannot read one; for what it cannot do at all, the
    TranslationError."""
    answers: list[list[str] | Exception] = []
    for each in wanted:
        try:
            found = hypotheses(translators[each.language][each.back], each.sentences, count=1)
            answers.append([texts[0] if texts else "" for texts in found])
        except TranslationError as error:
            answers.append(error)
    return answers


def open_translators(config: ServingConfig) -> Translators:
    """Returns the translators that the options name.

    Raises:
        TranslationError: there is no such function.
    """
    if not config.foreign:
        return {}
    from gistmill.transforms.translation.opening import call  # loaded where it is needed: it loads Beam

    assert config.translator is not None
    name = config.translator
    return {code: (call(name, code, ENGLISH), call(name, ENGLISH, code)) for code in config.foreign}
