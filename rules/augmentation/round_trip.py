"""Round-trip translation: how hypotheses for sentences become paraphrases of documents.

Source: A. Fabbri et al., "Improving zero and few-shot abstractive summarization with intermediate fine-tuning and data
augmentation", NAACL 2021 (WikiTransfer), section 3.2: source and summary are translated sentence by sentence, with the
top k hypotheses each way, and N pairs become N + N k^2. Section 4: German and Russian, k = 10: 10 pairs become 2,010.

The paper does not say how the hypotheses of the sentences combine. Here the paraphrase (i, j) of a document takes
hypothesis j of the way back of hypothesis i of every sentence, in inputs and targets alike: k^2 for each language, and
the better of them have smaller numbers in every sentence.
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
    """Why a sentence stays as it is in the paraphrases of its pair."""

    UNTRANSLATED = "the translator cannot process the whole sentence or its whole translation"


@dataclass(frozen=True, slots=True, order=True)
class Variant:
    """A paraphrase of a document: through ``language``, by hypothesis ``forward`` there and ``back`` back, from 1."""

    language: str
    forward: int
    back: int

    @property
    def name(self) -> str:
        """Its part of the id of a row, such as ``de-3-7``."""
        return f"{self.language}-{self.forward}-{self.back}"


def all_variants(languages: Sequence[str], beams: int) -> list[Variant]:
    """Returns the k^2 variants of each language, in order."""
    ways = range(1, beams + 1)
    return [Variant(*found) for found in product(languages, ways, ways)]


def chosen_variants(variants: Sequence[Variant], pair_id: str, *, copies: int, seed: int) -> list[Variant]:
    """Returns ``copies`` of the variants, chosen for a pair by hashes; those of a smaller number are among those of a
    larger one. They are in order of choice."""
    salt = f"{OPERATION} {seed}"
    return sorted(variants, key=lambda v: (unit_interval(salt, f"{pair_id}\n{v.name}"), v))[:copies]


def preferred_variants(languages: Sequence[str], beams: int, pair_id: str, *, seed: int) -> list[Variant]:
    """Returns the variants of one language and one way there, both chosen for the pair by a hash, in the order in which
    one paraphrase of the pair is looked for. Only one hypothesis has to be translated back for them."""
    first = chosen_variants(all_variants(languages, beams), pair_id, copies=1, seed=seed)[0]
    others = [Variant(first.language, first.forward, back) for back in range(1, beams + 1)]
    return chosen_variants(others, pair_id, copies=beams, seed=seed)


@dataclass(frozen=True, slots=True)
class SplitText:
    """A text in parts, each white space, which may be empty, and the sentence after it; ``end`` is white space too."""

    parts: tuple[tuple[str, str], ...]
    end: str

    @classmethod
    def of(cls, text: str, split: Callable[[str], list[str]] = split_sentences) -> SplitText:
        """Splits the lines of a text into sentences by ``split``, which may change the white space in them."""
        parts, at = [], 0
        for sentence in (s for line in text.split("\n") for s in split(line)):
            start, end = text.index(sentence.split(None, 1)[0], at), at
            for token in sentence.split():  # there may be more white space between them than the splitter keeps
                end = text.index(token, end) + len(token)
            parts.append((text[at:start], text[start:end]))
            at = end
        return cls(tuple(parts), text[at:])

    @property
    def sentences(self) -> Iterator[str]:
        """The sentences in order."""
        return (sentence for _, sentence in self.parts)

    def put(self, sentences: Mapping[str, str]) -> str:
        """Returns the text with other sentences in the places of its own; one that has no other stays."""
        return "".join(gap + sentences.get(sentence, sentence) for gap, sentence in self.parts) + self.end


@dataclass(frozen=True, slots=True)
class Trip:
    """The way of a sentence through a language.

    Attributes:
        back: for each hypothesis there that was followed (from 1), the hypotheses back, each on one line; empty where
            the hypothesis could not be translated back.
    """

    back: Mapping[int, Sequence[str]]

    def sentence(self, variant: Variant) -> str | None:
        """Returns the sentence of a variant; None where there is no translation, or an empty one."""
        found = self.back.get(variant.forward)
        return (found[variant.back - 1] or None) if found else None

    def is_complete(self, variants: Iterable[Variant]) -> bool:
        """Whether each of these variants has a sentence."""
        return all(self.sentence(variant) is not None for variant in variants)


def paraphrased(text: SplitText, trips: Mapping[str, Trip], variant: Variant) -> str:
    """Returns the paraphrase ``variant`` of a text.

    Args:
        text: the text.
        trips: of its sentences through the language of the variant; a sentence without one stays as it is.
        variant: which paraphrase.
    """
    found = {s: trips[s].sentence(variant) for s in text.sentences if s in trips}
    return text.put({s: other for s, other in found.items() if other is not None})


@dataclass(frozen=True, slots=True)
class TranslatedPair(PreparedPair):
    """A pair with its paraphrases.

    Its rejects are sentences that stay as they are in some of them; it counts sentences, once for each language.

    Attributes:
        copies: the paraphrases, in the order of their variants.
    """

    copies: tuple[Copy, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The sentences to translate for a pair.

    Attributes:
        pair: the pair.
        texts: those of its texts that are paraphrased, by name.
        variants: the paraphrases that are made.
    """

    pair: Pair
    texts: Mapping[str, SplitText]
    variants: Sequence[Variant]

    @property
    def languages(self) -> list[str]:
        """The languages of its variants."""
        return list(dict.fromkeys(variant.language for variant in self.variants))

    def ways(self, language: str) -> frozenset[int]:
        """Returns the hypotheses there that have to be translated back."""
        return frozenset(v.forward for v in self.variants if v.language == language)

    @property
    def sentences(self) -> list[str]:
        """The different sentences of its texts, in order."""
        return list(dict.fromkeys(sentence for text in self.texts.values() for sentence in text.sentences))


def plan(pair: Pair, variants: Sequence[Variant], names: Sequence[str]) -> Plan:
    """Returns the sentences to translate for the named variants of a pair's texts."""
    split = splitter_of((pair.inputs, pair.targets), language_of_pair(pair))
    return Plan(pair, {name: SplitText.of(getattr(pair, name), split) for name in names}, variants)


def translated(
    plan: Plan, trips: Mapping[str, Mapping[str, Trip]], *, numbers: Mapping[Variant, int]
) -> TranslatedPair:
    """Returns a pair with its paraphrases.

    Args:
        plan: of the pair.
        trips: of its sentences, by language and sentence.
        numbers: the numbers of the copies of variants.
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
    """A translator cannot be used, or returned something invalid; the message is one line for the user."""


class Translator(Protocol):
    """Translates sentences of one language into one other language.

    Attributes:
        identity: what decides the translations: a model's hash and its way of decoding. Translators with the same
            identity give the same hypotheses for the same sentence.
    """

    @property
    def identity(self) -> str: ...

    def translate(self, sentences: Sequence[str], *, count: int) -> list[list[str]]:
        """Returns the hypotheses for each sentence, in the order of the sentences.

        Args:
            sentences: any number, each with something else than white space.
            count: hypotheses of each sentence, at least 1.

        Returns:
            For each sentence ``count`` hypotheses, the best first; none for a sentence that the translator cannot read
            as a whole.

        Raises:
            TranslationError: it cannot work, or no longer.
        """


def hypotheses(translator: Translator, sentences: Sequence[str], *, count: int) -> list[list[str]]:
    """Returns a translator's output for sentences, checked, each hypothesis on one line; "" for one with lone
    surrogates.

    Raises:
        TranslationError: it cannot work, or gives another number of hypotheses than ``count`` or none, or no texts.
    """
    if not sentences:
        return []
    found = translator.translate(sentences, count=count)
    if not isinstance(found, Sequence) or not all(isinstance(each, Sequence) for each in found):
        raise TranslationError("the translator returned something other than a list of texts for each sentence")
    if len(found) != len(sentences):
        raise TranslationError(f"the translator returned {len(found)} answers for {len(sentences)} sentences")
    return [_checked(each, count) for each in found]


def is_unicode(text: str) -> bool:
    """Whether a text has no lone surrogates, which no tokenizer and no encoding takes."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _checked(found: Sequence[str], count: int) -> list[str]:
    if isinstance(found, str):
        raise TranslationError("the translator returned a text for a sentence, not a list of hypotheses")
    if len(found) not in (0, count):
        raise TranslationError(f"the translator returned {len(found)} hypotheses for a sentence instead of {count}")
    if not all(isinstance(text, str) for text in found):
        raise TranslationError("the translator returned a hypothesis that is not text")
    return [" ".join(text.split()) if is_unicode(text) else "" for text in found]
