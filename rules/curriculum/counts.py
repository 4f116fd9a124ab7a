"""How often each operation of the paper takes part in making a summary of a text (Algorithms 1 to 4 and Table 5).

Algorithms 1 to 4 as printed cannot have given the paper's Table 5. ``multiset_counts`` reads them in the way that does;
``printed_counts`` is what they say. Both get words after cleaning. They differ in this:

- Algorithm 1 adds a word's surplus once for each occurrence of the word in the text, so a word that is deleted four
  times counts 16. On 30 pairs of CNN/DailyMail this gives 758 deletions, in texts of 695 tokens. Table 5 has 287, in
  texts of 763. Each deleted occurrence counts once here.
- Algorithm 2 goes through the words of the text, as Algorithm 1 does. So a word that only the summary has is never an
  addition, though the paper defines it as one. The words of the summary are gone through here.
- Algorithm 3 counts trigrams of the summary that the text lacks, after deletions and additions are removed. The paper's
  prose has the reverse, which is then the same number. Without additions the summaries of those 30 pairs, of 57 tokens,
  have 18.4 trigrams in all. Table 5 has 18.3 that are reordered, for summaries of 46 tokens. So nothing can have been
  removed, and the code that the authors released removes nothing; neither does this. Nor is it printed which of several
  occurrences go. The variable that is first printed as ``Reorder`` is the later ``ReoNum``.
- Algorithm 4 assigns each lemma in turn to one variable, where it must collect them. As printed, only the last deleted
  and the last added word are compared. All are compared here, as multisets: a deletion and an addition together become
  a substitution. There are no synonyms in it: the paper's example is "had" for "having".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from gistmill.rules.curriculum.lemmas import lemma_of

Lemma = Callable[[str], str]
_GRAM = 3  # words


@dataclass(frozen=True, slots=True, kw_only=True)
class Counts:
    """The operations between a text and its summary.

    Attributes:
        deletions: words of the text that the summary lacks, without those of substitutions.
        additions: words of the summary that the text lacks, without those of substitutions.
        reorderings: trigrams of the summary that the text lacks.
        substitutions: words of the text for which the summary has another form of the same lemma.
    """

    deletions: int
    additions: int
    reorderings: int
    substitutions: int


def multiset_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts as sizes of multisets, each occurrence of a word counted once.

    With T and S the words of text and summary, T' and S' their trigrams, and L the lemmas of words: ``substitutions``
    is ``|L(T - S) & L(S - T)|``, ``deletions`` is ``|T - S|`` and ``additions`` is ``|S - T|``, both less the
    substitutions, and ``reorderings`` is ``|S' - T'|``.

    Args:
        text: words after cleaning.
        summary: words after cleaning.
        lemma: returns the lemma of a word.
    """
    in_text, in_summary = Counter(text), Counter(summary)
    added = {w: n - in_text.get(w, 0) for w, n in in_summary.items() if n > in_text.get(w, 0)}
    additions = sum(added.values())
    deletions = len(text) - (len(summary) - additions)
    substitutions = _substitutions(in_text, in_summary, added, lemma) if added else 0
    return Counts(
        deletions=deletions - substitutions,
        additions=additions - substitutions,
        reorderings=_lacking(summary, text),
        substitutions=substitutions,
    )


def printed_counts(text: Sequence[str], summary: Sequence[str], lemma: Lemma = lemma_of) -> Counts:
    """Returns the counts of Algorithms 1 to 4 as printed. Of several occurrences the last ones are removed.

    Args:
        text: words after cleaning.
        summary: words after cleaning.
        lemma: returns the lemma of a word.
    """
    in_text, in_summary = Counter(text), Counter(summary)
    deleted = [w for w in text if in_text[w] > in_summary[w]]
    added = [w for w in text if in_summary[w] > in_text[w]]
    substitutions = int(bool(deleted and added) and lemma(deleted[-1]) == lemma(added[-1]))
    grams, known = Counter(_grams(_first(summary, in_text))), Counter(_grams(_first(text, in_summary)))
    return Counts(
        deletions=sum(in_text[w] - in_summary[w] for w in deleted) - substitutions,
        additions=sum(in_summary[w] - in_text[w] for w in added) - substitutions,
        reorderings=sum(n * max(0, n - known[gram]) for gram, n in grams.items()),
        substitutions=substitutions,
    )


COUNTS: dict[str, Callable[[Sequence[str], Sequence[str], Lemma], Counts]] = {
    "multiset": multiset_counts,
    "printed": printed_counts,
}
"""The ways of counting, by name; the first is the default."""


def _substitutions(in_text: Counter[str], in_summary: Counter[str], added: dict[str, int], lemma: Lemma) -> int:
    """The size of the intersection of the lemmas of deleted and added words."""
    wanted: dict[str, int] = {}
    for word, times in added.items():
        base = lemma(word)
        wanted[base] = wanted.get(base, 0) + times
    found = dict.fromkeys(wanted, 0)
    for word, times in in_text.items():
        if (base := lemma(word)) in wanted:
            found[base] += max(0, times - in_summary.get(word, 0))
    return sum(min(times, found[base]) for base, times in wanted.items())


def _grams(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    return zip(*(words[i:] for i in range(_GRAM)))


def _lacking(summary: Sequence[str], text: Sequence[str]) -> int:
    """How many trigrams of the summary the text lacks."""
    wanted = Counter(_grams(summary))
    found = Counter(filter(wanted.__contains__, _grams(text)))
    return sum(max(0, n - found.get(gram, 0)) for gram, n in wanted.items())


def _first(words: Sequence[str], times: Counter[str]) -> list[str]:
    """The first occurrences of each word, at most as many as ``times`` has."""
    left = times.copy()
    kept = []
    for word in words:
        if left[word] > 0:
            left[word] -= 1
            kept.append(word)
    return kept
