"""A faster parser that returns the same records as the plain one.

spaCy splits the text into tokens and applies the parser's transitions. Everything else happens here, for many texts at
once: networks and the search for entities in NumPy, the attribute ruler and the lemmatizer with memos.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from threading import Lock
from typing import Any, NamedTuple, TypeVar

import numpy as np
from spacy.matcher import Matcher
from spacy.tokens import Doc
from typing_extensions import override

from gistmill.rules.documents import Sentence, Token
from gistmill.transforms.models import LoadedModel, ModelInfo
from gistmill.transforms.parsing.network import ArcParser, Embedding, Encoder, EntityRecogniser, Flags, groups, product
from gistmill.transforms.parsing.plain import (
    EMBEDDED,
    Ints,
    Passage,
    PlainParser,
    Unsupported,
    check_releases,
    lemma_rules,
    one_sentence,
    take_apart,
    tune_tokenizer,
)

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

LIMIT = 40_000  # entries: about the number of distinct words in a million words of English text


class Memo(dict[K, V]):
    """Computes missing values by ``find``, a function of the key alone, and is emptied when it is full.

    Its memory is therefore bounded, and answers never depend on earlier requests.
    """

    def __init__(self, find: Callable[[K], V]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: K) -> V:
        value = self._find(key)
        if len(self) >= LIMIT:
            self.clear()
        self[key] = value
        return value


# Stands for every word that no ruler pattern names.
_UNNAMED = "xyzzy"
_LOOKED_AT = frozenset({"LOWER", "TAG", "DEP", "IS_SPACE"})

Key = tuple[int, str, str]  # a token's text number, its tag, and its label from Words.label


class Word(NamedTuple):
    """The result for a token; ``opens``: a pattern may extend to the next token."""

    pos: str
    lemma: str
    opens: bool


class _Ruled(NamedTuple):
    """The ruler's result for a token; ``lemma`` is "" if the lemmatizer must find it."""

    pos: str
    morph: str
    lemma: str
    opens: bool


class Words:
    """Part of speech and lemma by text, tag and label.

    Attributes:
        text: returns the text or label for a number in spaCy's string store.
        label: maps a label to itself, and all labels that no pattern names to a single one.
        word: the Word of an isolated token, by Key.

    Raises:
        Unsupported: a ruler pattern covers more than two tokens, or tests more than text, tag and label.
    """

    def __init__(self, nlp: Any, labels: Iterable[str]) -> None:
        self._vocab = nlp.vocab
        self._ruler = nlp.get_pipe("attribute_ruler")
        lemma = lemma_rules(nlp.get_pipe("lemmatizer"))
        patterns = [pattern for rule in self._ruler.patterns for pattern in rule["patterns"]]
        if any(len(pattern) > 2 or any(token.keys() - _LOOKED_AT for token in pattern) for pattern in patterns):
            raise Unsupported("an attribute ruler pattern has an unknown form")
        self._named, self._regexes = _mentioned(patterns, "LOWER")
        if _UNNAMED in self._named or any(regex.search(_UNNAMED) for regex in self._regexes):
            raise Unsupported(f"an attribute ruler pattern names {_UNNAMED}")
        named_labels, regexes = _mentioned(patterns, "DEP")
        unnamed_label = next((label for label in labels if label not in named_labels), None)
        if regexes or unnamed_label is None:
            raise Unsupported("the attribute ruler names labels differently")
        self._opening = Matcher(nlp.vocab)
        self._opening.add("opening", [pattern[:1] for pattern in patterns if len(pattern) == 2])

        self.text: Memo[int, str] = Memo(nlp.vocab.strings.__getitem__)
        self.label: Memo[str, str] = Memo(lambda label: label if label in named_labels else unnamed_label)
        self.word: Memo[Key, Word] = Memo(self._find)
        self._known: Memo[int, str] = Memo(self._know)
        self._alone: Memo[tuple[str, str, str], _Ruled] = Memo(lambda key: self._rule([key])[0])
        self._lemmas: Memo[tuple[str, str, str], str] = Memo(lambda key: lemma(*key))

    def run(self, keys: Sequence[Key]) -> list[Word]:
        """Returns the Words of adjacent tokens; all but the last must be ``opens``."""
        ruled = self._rule([(self.text[number], tag, label) for number, tag, label in keys])
        return [self._word(key[0], found) for key, found in zip(keys, ruled, strict=True)]

    def _find(self, key: Key) -> Word:
        number, tag, label = key
        return self._word(number, self._alone[self._known[number], tag, label])

    def _word(self, number: int, ruled: _Ruled) -> Word:
        return Word(ruled.pos, ruled.lemma or self._lemmas[self.text[number], ruled.pos, ruled.morph], ruled.opens)

    def _know(self, number: int) -> str:
        """Returns the text, if a pattern could distinguish it from other texts."""
        text = self.text[number]
        lower = text.lower()
        told = lower in self._named or text.isspace() or any(regex.search(lower) for regex in self._regexes)
        return text if told else _UNNAMED

    def _rule(self, tokens: Sequence[tuple[str, str, str]]) -> list[_Ruled]:
        texts, tags, labels = map(list, zip(*tokens, strict=True))
        doc = Doc(self._vocab, words=texts, tags=tags, deps=labels, heads=list(range(len(tokens))))
        opening = {start for _, start, _ in self._opening(doc)}
        self._ruler(doc)
        return [_Ruled(t.pos_, str(t.morph), t.lemma_, t.i in opening) for t in doc]


def _mentioned(patterns: Iterable[Sequence[dict[str, Any]]], attribute: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """Returns the values of an attribute that patterns name, and the regular expressions for it."""
    values: set[str] = set()
    regexes: list[re.Pattern[str]] = []
    for token in (token for pattern in patterns for token in pattern if attribute in token):
        wanted = token[attribute]
        operators: dict[str, Any] = wanted if isinstance(wanted, dict) else {"IN": [wanted]}
        for operator, operand in operators.items():
            if operator in ("IN", "NOT_IN"):
                values.update(operand)
            elif operator == "REGEX":
                regexes.append(re.compile(operand))
            else:
                raise Unsupported(f"the attribute ruler uses {operator}")
    return values, regexes


# The call at the end of NamedTuple's constructor, without the Python call around it.
_token = partial(tuple.__new__, Token)


@dataclass(frozen=True, slots=True)
class ParsedTokens:
    """Tokens of several texts; every array has one entry per token.

    Attributes:
        number: the number of the text in spaCy's string store.
        tag: the tag.
        label: the number of the label.
        head: the head's position relative to the token.
        spaced: whether a space follows.
        space: whether the token is white space.
        begins: whether the token begins a sentence; true for the first token of every text.
        last: whether the token ends a text.
        entity: ``B-KIND``, ``I-KIND`` or "".
    """

    number: Ints
    tag: Sequence[str]
    label: Ints
    head: Ints
    spaced: Flags
    space: Flags
    begins: Flags
    last: Flags
    entity: Sequence[str]


def assemble(parsed: ParsedTokens, words: Words, passages: Sequence[Passage]) -> list[list[Sentence]]:
    """Returns the sentences of each text, as ``sentences_of`` does for Docs; every text must contain tokens."""
    kept = ~parsed.space
    tokens = _tokens(parsed, words, kept)
    before = np.concatenate(([0], kept.cumsum()))
    starts = np.flatnonzero(parsed.begins)
    cuts = before[np.append(starts, len(kept))].tolist()
    text_of = np.searchsorted(np.flatnonzero(parsed.last), starts).tolist()
    found: list[list[Sentence]] = [[] for _ in passages]
    for first, end, text in zip(cuts, cuts[1:], text_of, strict=False):
        if end > first:
            passage = passages[text]
            found[text].append(Sentence(tuple(tokens[first:end]), passage.section, passage.paragraph))
    return found


def _tokens(parsed: ParsedTokens, words: Words, kept: Flags) -> list[Token]:
    numbers = parsed.number.tolist()
    labels = [words.text[label] for label in parsed.label.tolist()]
    keys: list[Key] = list(zip(numbers, parsed.tag, [words.label[label] for label in labels], strict=True))
    pos, lemmas = _part_of_speech_and_lemma(keys, words, parsed.last.tolist())
    gaps = parsed.spaced.copy()
    gaps[:-1] |= parsed.space[1:] & ~parsed.last[:-1]
    texts = [words.text[number] for number in numbers]
    fields = (texts, gaps.tolist(), parsed.tag, pos, labels, _heads(parsed, kept), lemmas, parsed.entity)
    made: Iterable[Token] = map(_token, zip(*fields, strict=True))
    return list(made) if kept.all() else [token for token, keep in zip(made, kept.tolist(), strict=True) if keep]


def _part_of_speech_and_lemma(keys: Sequence[Key], words: Words, last: Sequence[bool]) -> tuple[list[str], list[str]]:
    pos, lemmas, opens = map(list, zip(*(words.word[key] for key in keys), strict=True))
    end = 0
    for start in (place for place, opening in enumerate(opens) if opening):
        if start < end or last[start]:
            continue
        end = start + 1
        while opens[end] and not last[end]:
            end += 1
        # the last token of a run can only open another in the next text, or is not ``opens``
        end += 1
        for place, word in zip(range(start, end), words.run(keys[start:end]), strict=True):
            pos[place], lemmas[place] = word.pos, word.lemma
    return pos, lemmas


def _heads(parsed: ParsedTokens, kept: Flags) -> list[int]:
    """Returns the positions of the heads within their sentences, not counting white space; a token whose head is white
    space or outside the sentence becomes a root."""
    own = np.arange(len(kept))
    place = kept.cumsum() - 1  # the position among the kept tokens
    start = np.maximum.accumulate(np.where(parsed.begins, own, 0))  # of the sentence
    head = own + parsed.head
    inside = (head >= 0) & (head < len(kept))
    head = np.where(inside, head, own)
    reached = inside & (start[head] == start) & kept[head]
    heads: list[int] = (np.where(reached, place[head], place) - (place[start] + parsed.space[start])).tolist()
    return heads


# Characters per batch of texts, approximately: 4,000 tokens, whose features take 22 MB.
BATCH_CHARACTERS = 20_000
# Words that spaCy keeps permanently. At this limit, it discards the new words of each batch.
VOCABULARY = 50_000


class FastParser(PlainParser):
    """A parser for models whose parts are known. Threads may share it, but parse one at a time.

    Raises:
        Unsupported: the model or the version of spaCy is not supported.
    """

    def __init__(self, model: LoadedModel) -> None:
        parts = take_apart(model.nlp, model.info)
        nlp = model.nlp
        super().__init__(nlp)
        parser: Any = nlp.get_pipe("parser")
        self._embed = Embedding(parts.shared, parts.own)
        self._encode, self._encode_for_entities = Encoder(parts.shared), Encoder(parts.own)
        self._tagger, self._tags = parts.tagger, parts.tags
        self._find_arcs = ArcParser(parser, parts.arcs)
        self._find_entities = EntityRecogniser(parts.entities, parts.moves)
        self._words = Words(nlp, parser.labels)
        tune_tokenizer(nlp, VOCABULARY)
        self._lock = Lock()

    @override
    def sentences(self, passages: Sequence[Passage]) -> list[list[Sentence]]:
        found: list[list[Sentence]] = [[] for _ in passages]
        for batch in self._batches([len(p.text) for p in passages]):
            for number, sentences in zip(batch, self._parse([passages[i] for i in batch]), strict=True):
                found[number] = sentences
        return found

    @override
    def whole(self, texts: Sequence[str | Sequence[str]]) -> list[Sentence]:
        found: dict[int, Sentence] = {}
        for batch in self._batches([len(t) if isinstance(t, str) else sum(map(len, t)) + len(t) for t in texts]):
            docs = [one_sentence(self._nlp, texts[number]) for number in batch]
            made = assemble(self._annotate(docs, whole=True), self._words, [Passage("")] * len(docs))
            found |= {number: sentence for number, (sentence,) in zip(batch, made, strict=True)}
        return [found[number] for number in range(len(texts))]

    def _batches(self, lengths: Sequence[int]) -> Iterator[list[int]]:
        """Yields the numbers of texts in batches, while holding the lock.

        The longest text in a batch determines the number of parser steps, so texts of similar length are batched.
        """
        order = sorted(range(len(lengths)), key=lengths.__getitem__)
        with self._lock:
            for batch in groups(order, lengths.__getitem__, BATCH_CHARACTERS):
                with nullcontext() if len(self._nlp.vocab) < VOCABULARY else self._nlp.memory_zone():
                    yield batch

    def _parse(self, passages: Sequence[Passage]) -> Iterator[list[Sentence]]:
        docs = [self._nlp.make_doc(passage.text) for passage in passages]
        filled = [(doc, passage) for doc, passage in zip(docs, passages, strict=True) if len(doc)]
        if filled:
            made = iter(assemble(self._annotate([doc for doc, _ in filled]), self._words, [p for _, p in filled]))
        for doc in docs:
            yield next(made) if len(doc) else []

    def _annotate(self, docs: Sequence[Doc], *, whole: bool = False) -> ParsedTokens:
        lengths = [len(doc) for doc in docs]
        attributes = np.concatenate([doc.to_array([*EMBEDDED, "ORTH"]) for doc in docs])
        embedded = self._embed(attributes[:, :-1])
        width = embedded.shape[1] // 2
        vectors = self._encode(embedded[:, :width], lengths)
        self._find_arcs(docs, vectors)
        parse = np.concatenate([doc.to_array(["HEAD", "DEP", "SENT_START"]) for doc in docs])
        ends = np.cumsum(lengths)
        last = np.zeros(ends[-1], np.bool_)
        last[ends - 1] = True
        begins = np.concatenate(([True], last[:-1]))
        if not whole:
            begins |= parse[:, 2] == 1
        space = attributes[:, EMBEDDED.index("IS_SPACE")] != 0
        matrix, bias = self._tagger
        tags = (product(vectors, matrix) + bias).argmax(axis=1)
        stop = last | np.append(begins[1:], True)
        return ParsedTokens(
            number=attributes[:, -1],
            tag=[self._tags[number] for number in tags.tolist()],
            label=parse[:, 1],
            head=parse[:, 0].astype(np.int64),
            spaced=attributes[:, EMBEDDED.index("SPACY")] != 0,
            space=space,
            begins=begins,
            last=last,
            entity=self._entities(self._encode_for_entities(embedded[:, width:], lengths), space=space, stop=stop),
        )

    def _entities(self, vectors: Any, *, space: Flags, stop: Flags) -> list[str]:
        entity = [""] * len(vectors)
        for start, end, kind in self._find_entities(vectors, space=space, stop=stop):
            entity[start:end] = [f"B-{kind}", *[f"I-{kind}"] * (end - start - 1)]
        return entity


LOG = logging.getLogger(__name__)


def sentence_parser(model: LoadedModel) -> PlainParser:
    """Returns the fast parser if it can be used, otherwise the plain one. Both give the same rows."""
    try:
        return FastParser(model)
    except Unsupported as error:
        LOG.info("parsing with nlp.pipe: %s", error)
        return PlainParser(model.nlp)


def warn_if_plain(info: ModelInfo) -> None:
    """Warns if ``sentence_parser`` will return the plain parser; called once by a job's driver, for all workers."""
    try:
        check_releases(info)
    except Unsupported as error:
        LOG.warning("parsing with plain spaCy: the rows are the same, but the speed is at most a quarter: %s", error)
