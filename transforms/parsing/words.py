"""Part of speech and lemma: spaCy's attribute ruler and lemmatizer, asked once for each thing that they look at."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from spacy.matcher import Matcher
from spacy.tokens import Doc

from gistmill.transforms.parsing.internals import Lemmas, Unsupported
from gistmill.transforms.parsing.memo import Memo

# Stands for every word that no pattern of the ruler names.
_UNNAMED = "xyzzy"
_LOOKED_AT = frozenset({"LOWER", "TAG", "DEP", "IS_SPACE"})

Key = tuple[int, str, str]  # of a token: the number of its text, its tag, its label as Words.label gives it


class Word(NamedTuple):
    """What is found for a token; ``opens``: with the token after it, it may be more than that."""

    pos: str
    lemma: str
    opens: bool


class _Ruled(NamedTuple):
    """What the ruler says of a token; ``lemma`` is "" where it leaves that to the lemmatizer."""

    pos: str
    morph: str
    lemma: str
    opens: bool


class Words:
    """Part of speech and lemma by text, tag and label.

    Attributes:
        text: the text, or the label, that a number of spaCy's table of strings stands for.
        label: a label, or one for all labels that no pattern names.
        word: the Word of a token by its Key, as if it stood alone.

    Args:
        nlp: the model.
        labels: the labels of the parser.

    Raises:
        Unsupported: a pattern of the ruler looks at more than two tokens, or at more than text, tag and label.
    """

    def __init__(self, nlp: Any, labels: Iterable[str]) -> None:
        self._vocab = nlp.vocab
        self._ruler = nlp.get_pipe("attribute_ruler")
        self._lemmatizer = Lemmas(nlp.get_pipe("lemmatizer"))
        patterns = [pattern for rule in self._ruler.patterns for pattern in rule["patterns"]]
        if not all(map(_is_understood, patterns)):
            raise Unsupported("a pattern of the attribute ruler is of another form")
        self._named, self._regexes = _mentioned(patterns, "LOWER")
        if _UNNAMED in self._named or any(regex.search(_UNNAMED) for regex in self._regexes):
            raise Unsupported(f"a pattern of the attribute ruler names {_UNNAMED}")
        named_labels, regexes = _mentioned(patterns, "DEP")
        unnamed_label = next((label for label in labels if label not in named_labels), None)
        if regexes or unnamed_label is None:
            raise Unsupported("the attribute ruler names labels in another way")
        self._opening = Matcher(nlp.vocab)
        self._opening.add("opening", [pattern[:1] for pattern in patterns if len(pattern) == 2])

        self.text: Memo[int, str] = Memo(nlp.vocab.strings.__getitem__)
        self.label: Memo[str, str] = Memo(lambda label: label if label in named_labels else unnamed_label)
        self.word: Memo[Key, Word] = Memo(self._find)
        self._known: Memo[int, str] = Memo(self._know)
        self._alone: Memo[tuple[str, str, str], _Ruled] = Memo(lambda key: self._rule([key])[0])
        self._lemmas: Memo[tuple[int, str, str], str] = Memo(self._lemmatize)

    def run(self, keys: Sequence[Key]) -> list[Word]:
        """Returns the Words of tokens that stand together, of which all but the last open."""
        ruled = self._rule([(self.text[number], tag, label) for number, tag, label in keys])
        return [self._word(key[0], found) for key, found in zip(keys, ruled, strict=True)]

    def _find(self, key: Key) -> Word:
        number, tag, label = key
        return self._word(number, self._alone[self._known[number], tag, label])

    def _word(self, number: int, ruled: _Ruled) -> Word:
        return Word(ruled.pos, ruled.lemma or self._lemmas[number, ruled.pos, ruled.morph], ruled.opens)

    def _know(self, number: int) -> str:
        """The text, if a pattern could tell it from any other."""
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

    def _lemmatize(self, key: tuple[int, str, str]) -> str:
        number, pos, morph = key
        return self._lemmatizer.find(Doc(self._vocab, words=[self.text[number]], pos=[pos], morphs=[morph]))


def _is_understood(pattern: Sequence[dict[str, Any]]) -> bool:
    return len(pattern) <= 2 and all(token.keys() <= _LOOKED_AT for token in pattern)


def _mentioned(patterns: Iterable[Sequence[dict[str, Any]]], attribute: str) -> tuple[set[str], list[re.Pattern[str]]]:
    """The values of an attribute that patterns name, and regular expressions of it."""
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
