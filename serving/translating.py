"""Articles in other languages: translated into English and their summaries back (the lead-bias paper, section 4.9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.augmentation.translator import Translator, hypotheses
from serving.config import ENGLISH, ServingConfig
from serving.engines import Article

_TIMEOUT = 20.0  # seconds that an endpoint may take for a request


@dataclass(frozen=True, slots=True)
class Translating:
    """The translators of each language: into English, and out of it."""

    ways: Mapping[str, tuple[Translator, Translator]]

    def to_english(self, language: str, article: Article) -> Article:
        """Returns an article in English, without the sentences that the translator cannot read.

        Raises:
            TranslationError: the translator cannot work.
        """
        into, _ = self.ways[language]
        found = iter(hypotheses(into, article.sentences, count=1))
        paragraphs = [[best for _ in paragraph for best in next(found)[:1] if best] for paragraph in article.paragraphs]
        return Article(title=article.title, paragraphs=tuple(tuple(p) for p in paragraphs if p))

    def from_english(self, language: str, sentences: Sequence[str]) -> list[str]:
        """Returns sentences of a summary in a language.

        Raises:
            TranslationError: the translator cannot work.
        """
        _, out_of = self.ways[language]
        return [best for found in hypotheses(out_of, sentences, count=1) for best in found[:1] if best]


def open_translating(config: ServingConfig) -> Translating:
    """Returns the translators that the options name.

    Raises:
        TranslationError: there is no such function or endpoint.
    """
    return Translating({code: (_open(config, code, ENGLISH), _open(config, ENGLISH, code)) for code in config.foreign})


def _open(config: ServingConfig, source: str, target: str) -> Translator:
    # loaded where they are needed: they load Beam
    if config.translator is not None:
        from transforms.translation.opening import call

        return call(config.translator, source, target)
    from transforms.translation.endpoint import Endpoint, HttpTranslator

    assert config.translator_url is not None
    return HttpTranslator(Endpoint(config.translator_url, _TIMEOUT, attempts=2), source, target)
