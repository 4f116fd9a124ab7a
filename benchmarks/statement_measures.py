"""What statements keep of the sentences that they are made of: content words, negations, clauses that people marked.

Words are compared by their lemmas, since systems inflect verbs. A mention that has given way to its antecedent counts
as there.
"""

from __future__ import annotations

import csv
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.statement_systems import Made, Passage, Statement
from gistmill.rules.curriculum.lemmas import lemma_of
from gistmill.rules.documents import Sentence
from gistmill.rules.text.content_words import content_words, words_of

_CLAUSE_COLUMNS = ("article", "sentence", "clause", "asserted")
_NEGATIVE = frozenset(("not", "n't", "n’t", "no", "never", "nobody", "nothing", "none", "nowhere"))
_NEGATED = re.compile(r"\b(?:not|no|never|nobody|nothing|none|nowhere|neither|nor|cannot|without)\b|n['’]t\b", re.I)
_BRACKETS = re.compile(r"\[.*?\]")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that a text asserts, as somebody has marked it.

    Attributes:
        passages: the sentences that it is in, by their numbers.
        text: it; words in brackets are of another place of the sentence.
    """

    passages: tuple[int, ...]
    text: str


def lemmas(text: str) -> set[str]:
    """Returns the lemmas of the content words of a text."""
    return {lemma_of(word) for word in content_words(text)}


def covered(passages: Sequence[Passage], made: Made) -> float:
    """Returns the share of the content words of sentences, each once a sentence, that some statement has."""
    kept = total = 0
    for passage, statements in zip(passages, made, strict=True):
        wanted = lemmas(passage.text)
        kept += len(wanted & set[str]().union(*map(_words, statements)))
        total += len(wanted)
    return kept / total


def _words(statement: Statement) -> set[str]:
    return lemmas(f"{statement.text} {statement.gave_way}")


def negated(sentence: Sentence) -> Iterator[str]:
    """Yields the lemma of each word that a negation depends on. Words that a sentence has twice are passed over: of
    those a statement does not tell which it has."""
    number = Counter(lemma_of(token.text.lower()) for token in sentence.tokens)
    for token in sentence.tokens:
        head = lemma_of(sentence.tokens[token.head].text.lower())
        if token.text.lower() in _NEGATIVE and sentence.tokens[token.head] is not token and number[head] == 1:
            yield head


def negations(passages: Sequence[Passage], made: Made) -> tuple[int, int]:
    """Returns how many negations some statement has lost, and how many there are. It is lost where a statement has the
    word that it depends on, and no negation."""
    lost = total = 0
    for passage, statements in zip(passages, made, strict=True):
        bold = [{lemma_of(w) for w in words_of(s.text)} for s in statements if not _NEGATED.search(s.text)]
        for head in negated(passage.parse):
            total += 1
            lost += any(head in words for words in bold)
    return lost, total


def read_clauses(path: Path, passages: Sequence[Passage]) -> tuple[list[Clause], int]:
    """Returns the asserted clauses of a table, and how many are in no sentence of the texts.

    Args:
        path: a table with tabs: ``article``, the id of a text; ``sentence``; ``clause``; ``asserted``, y or n.
        passages: the sentences of the texts.

    Raises:
        ValueError: the file cannot be read, or lacks a column.
    """
    by_document: Mapping[str, list[int]] = defaultdict(list)
    for number, passage in enumerate(passages):
        by_document[passage.id.rpartition("-")[0]].append(number)
    words = {name: [(w, n) for n in of for w in words_of(passages[n].text)] for name, of in by_document.items()}
    found, missing = [], 0
    for row in _rows(path):
        if row["asserted"] != "y":
            continue
        there = _place(words_of(row["sentence"]), words.get(row["article"], []))
        missing += not there
        if there:
            found.append(Clause(there, row["clause"]))
    return found, missing


def _rows(path: Path) -> list[dict[str, str]]:
    try:
        with path.open(encoding="utf-8", newline="") as stream:
            reader = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE, restval="")
            rows = list(reader)
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"--clauses: {path} cannot be read: {error}") from None
    if missing := [name for name in _CLAUSE_COLUMNS if name not in (reader.fieldnames or ())]:
        raise ValueError(f"--clauses: {path} lacks the columns {', '.join(missing)}")
    return rows


def _place(sentence: Sequence[str], words: Sequence[tuple[str, int]]) -> tuple[int, ...]:
    """The passages among whose words those of a sentence stand, one after the other."""
    for start in range(len(words) - len(sentence) + 1):
        part = words[start : start + len(sentence)]
        if sentence and [word for word, _ in part] == list(sentence):
            return tuple(dict.fromkeys(number for _, number in part))
    return ()


def clauses_kept(clauses: Sequence[Clause], made: Made, *, brackets: bool) -> float:
    """Returns the share of clauses whose content words all lie in one statement.

    Args:
        clauses: at least one.
        made: the statements of each passage.
        brackets: whether the words in brackets have to be there too.
    """
    kept = 0
    for clause in clauses:
        wanted = lemmas(clause.text if brackets else _BRACKETS.sub(" ", clause.text))
        kept += any(wanted <= _words(s) for number in clause.passages for s in made[number])
    return kept / len(clauses)
