"""Round-trip translation, which combines translation hypotheses for sentences into paraphrases of documents.

Source: A. Fabbri et al., "Improving zero and few-shot abstractive summarization with intermediate fine-tuning and data
augmentation", NAACL 2021 (WikiTransfer), section 3.2: source and summary are translated sentence by sentence, with the
top k hypotheses each way, so N pairs become N + N k^2. Section 4: German and Russian, k = 10, so 10 pairs become 2,010.

The paper does not say how the hypotheses for different sentences are combined. Here, paraphrase (i, j) replaces every
sentence of the inputs and targets with back-translation j of its hypothesis i. This gives k^2 paraphrases per language;
lower numbers mean better hypotheses for every sentence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Protocol

from gistmill.core.hashing import unit_interval
from gistmill.core.records import Pair, Reason
from gistmill.rules.augmentation.config import INPUTS, TARGETS, Copy, PreparedPair
from gistmill.rules.lineage import language_of_pair
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.sentences import splitter_of

OPERATION = "round-trip"


class TranslationReason(Reason):
    """Reasons for leaving a sentence unchanged in the paraphrases of its pair."""

    UNTRANSLATED = "the translator cannot process the whole sentence or its whole translation"


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """A paraphrase via ``language``: back-translation ``back`` of hypothesis ``forward``, both numbered from 1."""

    language: str
    forward: int
    back: int

    @property
    def name(self) -> str:
        """The name used in the column ``variant``, such as ``de-3-7``."""
        return f"{self.language}-{self.forward}-{self.back}"


def all_variants(languages: Sequence[str], beams: int) -> list[Variant]:
    """Returns the k^2 variants of each language, in order."""
    ways = range(1, beams + 1)
    return [Variant(*found) for found in product(languages, ways, ways)]


def chosen_variants(variants: Sequence[Variant], pair_id: str, *, copies: int, seed: int) -> list[Variant]:
    """Returns ``copies`` variants chosen for a pair by hash, in order of choice; more copies only extend the list."""
    salt = f"{OPERATION} {seed}"
    return sorted(variants, key=lambda v: (unit_interval(salt, f"{pair_id}\n{v.name}"), v))[:copies]


def preferred_variants(languages: Sequence[str], beams: int, pair_id: str, *, seed: int) -> list[Variant]:
    """Returns a pair's variants for one forward hypothesis, chosen by hash, in the order in which to try them."""
    first = chosen_variants(all_variants(languages, beams), pair_id, copies=1, seed=seed)[0]
    others = [Variant(first.language, first.forward, back) for back in range(1, beams + 1)]
    return chosen_variants(others, pair_id, copies=beams, seed=seed)


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text split into sentences, each with the white space (or "") before it; ``end`` is the trailing white space."""

    parts: tuple[tuple[str, str], ...]
    end: str

    @classmethod
    def of(cls, text: str, split: Callable[[str], list[str]] = split_sentences) -> SplitText:
        """Splits each line of a text into sentences with ``split``, which may change white space within sentences."""
        parts, at = [], 0
        for sentence in (s for line in text.split("\n") for s in split(line)):
            start, end = text.index(sentence.split(None, 1)[0], at), at
            for token in sentence.split():  # the text may have more white space between tokens than the sentence
                end = text.index(token, end) + len(token)
            parts.append((text[at:start], text[start:end]))
            at = end
        return cls(tuple(parts), text[at:])

    @property
    def sentences(self) -> Iterator[str]:
        """The sentences, in order."""
        return (sentence for _, sentence in self.parts)

    def put(self, sentences: Mapping[str, str]) -> str:
        """Returns the text with its sentences replaced; sentences without a replacement are kept."""
        return "".join(gap + sentences.get(sentence, sentence) for gap, sentence in self.parts) + self.end


@dataclass(frozen=True, slots=True)
class Trip:
    """A sentence's translations via one language.

    Attributes:
        back: the back-translations (each on one line) for each forward hypothesis that was used, numbered from 1; empty
            if the hypothesis could not be translated back.
    """

    back: Mapping[int, Sequence[str]]

    def sentence(self, variant: Variant) -> str | None:
        """Returns the sentence for a variant; None if the translation is missing or empty."""
        found = self.back.get(variant.forward)
        return (found[variant.back - 1] or None) if found else None

    def is_complete(self, variants: Iterable[Variant]) -> bool:
        """Whether there is a sentence for each of these variants."""
        return all(self.sentence(variant) is not None for variant in variants)


def paraphrased(text: SplitText, trips: Mapping[str, Trip], variant: Variant) -> str:
    """Returns a paraphrase of a text; ``trips`` are its sentences' translations, and sentences without one are kept."""
    found = {s: trips[s].sentence(variant) for s in text.sentences if s in trips}
    return text.put({s: other for s, other in found.items() if other is not None})


@dataclass(frozen=True, slots=True)
class TranslatedPair(PreparedPair):
    """A pair with its paraphrases.

    The rejects are sentences left unchanged in some paraphrases; each sentence is counted once per language.

    Attributes:
        copies: the paraphrases, in variant order.
    """

    copies: tuple[Copy, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The sentences to translate for a pair.

    Attributes:
        pair: the pair.
        texts: the texts to paraphrase, by name.
        variants: the paraphrases to make.
    """

    pair: Pair
    texts: Mapping[str, SplitText]
    variants: Sequence[Variant]

    @property
    def languages(self) -> list[str]:
        """The languages of the variants."""
        return list(dict.fromkeys(variant.language for variant in self.variants))

    def ways(self, language: str) -> frozenset[int]:
        """Returns the numbers of the forward hypotheses that must be translated back."""
        return frozenset(v.forward for v in self.variants if v.language == language)

    @property
    def sentences(self) -> list[str]:
        """The distinct sentences in the texts, in order."""
        return list(dict.fromkeys(sentence for text in self.texts.values() for sentence in text.sentences))


def plan(pair: Pair, variants: Sequence[Variant], names: Sequence[str]) -> Plan:
    """Returns the plan for making these variants of a pair's texts, which are specified by ``names``."""
    split = splitter_of((pair.inputs, pair.targets), language_of_pair(pair))
    return Plan(pair, {name: SplitText.of(getattr(pair, name), split) for name in names}, variants)


def translated(
    plan: Plan, trips: Mapping[str, Mapping[str, Trip]], *, numbers: Mapping[Variant, int]
) -> TranslatedPair:
    """Returns a pair with its paraphrases.

    Args:
        plan: the plan for the pair.
        trips: translations of its sentences, by language and sentence.
        numbers: the copy number for each variant.
    """
    pair, copies = plan.pair, []
    for variant in plan.variants:
        made = {INPUTS: pair.inputs, TARGETS: pair.targets}
        made |= {name: paraphrased(text, trips[variant.language], variant) for name, text in plan.texts.items()}
        copies.append(
            Copy(
                number=numbers[variant],
                operation=f"{OPERATION} {variant.language}",
                inputs=made[INPUTS],
                targets=made[TARGETS],
                values={"variant": variant.name},
            )
        )
    rejects = [
        pair.origin.reject(TranslationReason.UNTRANSLATED, "translate", f"{language}: {sentence}", unit="sentence")
        for language in plan.languages
        for sentence in plan.sentences
        if not trips[language][sentence].is_complete(v for v in plan.variants if v.language == language)
    ]
    counts = Counter({"sentences/read": len(plan.languages) * len(plan.sentences)})
    counts["sentences/used"] = counts["sentences/read"] - len(rejects)
    if rejects:
        counts[f"sentences/rejected/{TranslationReason.UNTRANSLATED.name}"] = len(rejects)
    row = (pair.origin, pair.inputs, pair.targets, pair.values, pair.split)
    return TranslatedPair(*row, tuple(copies), rejects=tuple(rejects), counts=counts)


class TranslationError(RuntimeError):
    """Raised if a translator cannot be used or returns invalid output; the message is one line for the user."""


class Translator(Protocol):
    """A translator from one language into another.

    Attributes:
        identity: string that determines the translations, such as a model's hash and decoding settings. Translators
            with the same identity return the same hypotheses for the same sentence.
    """

    @property
    def identity(self) -> str: ...

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Returns the hypotheses for each sentence, in the order of the sentences.

        Args:
            sentences: any number of sentences, none of them blank.
            count: number of hypotheses per sentence, at least 1.

        Returns:
            ``count`` hypotheses per sentence, best first; none for a sentence that the translator cannot read in full.

        Raises:
            TranslationError: the translator does not work, or no longer works.
        """


def hypotheses(translator: Translator, sentences: Sequence[str], *, count: int) -> list[list[str]]:
    """Returns a translator's output after checks, with each hypothesis on one line, or "" if it has lone surrogates.

    Raises:
        TranslationError: the translator does not work, or does not return ``count`` or 0 strings for each sentence.
    """
    if not sentences:
        return []
    found = translator.translate(sentences, count=count)
    if not isinstance(found, Sequence) or not all(isinstance(each, Sequence) for each in found):
        raise TranslationError("the translator returned something other than a list of texts for each sentence")
    if len(found) != len(sentences):
        raise TranslationError(f"the translator returned results for {len(found)} sentences, not {len(sentences)}")
    return [_checked(each, count) for each in found]


def is_unicode(text: str) -> bool:
    """Whether a text is free of lone surrogates, which tokenizers and encodings reject."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _checked(found: Sequence[str], count: int) -> list[str]:
    if isinstance(found, str):
        raise TranslationError("the translator returned text for a sentence instead of a list of hypotheses")
    if len(found) not in (0, count):
        raise TranslationError(f"the translator returned {len(found)} hypotheses for a sentence instead of {count}")
    if not all(isinstance(text, str) for text in found):
        raise TranslationError("the translator returned a hypothesis that is not text")
    return [" ".join(text.split()) if is_unicode(text) else "" for text in found]
