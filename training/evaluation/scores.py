"""Scores of fusions, of summaries and of synthetic tasks."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial

import numpy as np

from gistmill.rules.fusion.codec import NONE
from gistmill.rules.fusion.edits import Edits, EditsError, realise
from gistmill.rules.fusion.texts import fuse
from gistmill.rules.metrics import sari
from gistmill.rules.metrics.scores import (
    BINS,
    CONNECTIVES,
    OTHER,
    PRONOUNS,
    TYPES,
    Floats,
    Measurement,
    Setting,
    combined,
    confusion,
    connective_at,
    connective_words,
    copied,
    greedy_oracle,
    is_exact,
    joined_by_but,
    joined_by_subject,
    lead,
    length_bins,
    novel_ngrams,
    pronouns_at,
    rouge,
    sentences_of,
    tokens_of,
)
from gistmill.rules.rouge.scoring import tokenise
from gistmill.rules.synthetic.interpreter import LanguageError
from gistmill.rules.synthetic.law import solves
from gistmill.training.errors import TrainingError
from gistmill.training.evaluation import config as named
from gistmill.training.evaluation.config import EvaluateConfig
from gistmill.training.evaluation.rows import Examples

Measured = dict[str, Measurement]
Confusion = Mapping[str, Mapping[str, int]]
_BASELINES: Mapping[str, Callable[[Sequence[str], Sequence[str]], Edits]] = {
    "COPY": copied,
    "always but": joined_by_but,
    "repeated subject": joined_by_subject,
}


def measure_exact(examples: Examples, predictions: Sequence[str]) -> Measured:
    """Returns ``exact`` and ``exact_uncased`` in per cent; if there are several references, any one may match."""
    return {
        name: Measurement.mean(
            np.array(
                [
                    any(is_exact(p, r, cased=cased) for r in rs)
                    for p, rs in zip(predictions, examples.references, strict=True)
                ]
            )
        )
        for name, cased in (("exact", True), ("exact_uncased", False))
    }


def measure_sari(examples: Examples, predictions: Sequence[str]) -> Measured:
    """Returns every variant of SARI in per cent, and the components of the DiscoFuse paper's variant.

    The paper's variant is computed on tokens, so natural text is first split into words and punctuation marks.
    """
    measured: Measured = {}
    for name in sari.NAMES:
        divide = name == sari.DISCOFUSE and examples.form == named.NATURAL
        texts: list[Sequence[str]] = [examples.sources, predictions, *examples.references]
        if divide:
            texts = [[" ".join(tokens_of(text)) for text in part] for part in texts]
        source, written, *references = texts
        rows = sari.per_row(name, source, written, references)
        measured[f"sari_{name}"] = Measurement(rows, partial(_sari, name=name))
        if name == sari.DISCOFUSE:
            for number, part in enumerate(("keep", "add", "delete")):
                measured[f"sari_{name}_{part}"] = Measurement(rows, partial(_sari, name=name, part=number))
    return measured


def by_type(examples: Examples, predictions: Sequence[str], measured: Measured) -> Measured:
    """Returns Exact and the paper's SARI by discourse type (Table 7), and the share of PAIR_NONE left unchanged.

    Args:
        examples: the fusion rows.
        predictions: a prediction for each row.
        measured: the scores over all rows.
    """
    types = examples.types or []
    found: Measured = {}
    for kind in sorted(set(types)):
        at = [t == kind for t in types]
        for name in ("exact", "exact_uncased", "sari_discofuse"):
            if name in measured:
                found[f"{name}/{kind}"] = measured[name].of(at)
    if NONE in types:
        same = np.array([is_exact(p, s) for p, s in zip(predictions, examples.sources, strict=True)])
        found["kept"] = Measurement.mean(same).of([t == NONE for t in types])
    return found


def measure_connectives(examples: Examples, predictions: Sequence[str]) -> tuple[Measured, Confusion]:
    """Returns the accuracy for connectives (Table 9), overall and per connective, and their replacements."""
    wanted = [connective_words(c) for c in examples.connectives or [""] * len(predictions)]
    known = CONNECTIVES | {words for words in wanted if words}
    found = [
        connective_at(source, references[0], prediction, " ".join(words), known) if words else None
        for source, references, prediction, words in zip(
            examples.sources, examples.references, predictions, wanted, strict=True
        )
    ]
    pairs = [[(" ".join(words), f)] if f is not None else [] for words, f in zip(wanted, found, strict=True)]
    return _accuracy("connective", pairs)


def measure_pronouns(examples: Examples, predictions: Sequence[str]) -> tuple[Measured, Confusion]:
    """Returns the accuracy for pronouns added in the reference (Figure 3), and their replacements."""
    pairs = [
        pronouns_at(source, references[0], prediction)
        for source, references, prediction in zip(examples.sources, examples.references, predictions, strict=True)
    ]
    measured, table = _accuracy("pronoun", pairs)
    columns = (*PRONOUNS, OTHER)
    return measured, {
        gold: {c: table[gold][c] for c in columns if c in table[gold]} for gold in PRONOUNS if gold in table
    }


def fusion_baselines(examples: Examples) -> Iterator[tuple[str, list[str]]]:
    """Yields the name and the predictions of each baseline.

    Raises:
        TrainingError: a row's natural text does not match its tokens.
    """
    if examples.halves is None:
        return
    for name, edits_of in _BASELINES.items():
        predictions = []
        for row_id, source, (first, second) in zip(examples.ids, examples.sources, examples.halves, strict=True):
            edits = edits_of(first, second)
            try:
                written = (
                    fuse(source, first, second, edits)
                    if examples.form == named.NATURAL
                    else " ".join(realise(first, second, edits))
                )
            except EditsError as error:
                raise TrainingError(f"row {row_id!r}: inputs and incoherent sentences do not match: {error}") from None
            predictions.append(written)
        yield name, predictions


def _sari(sums: Floats, *, name: str, part: int | None = None) -> Floats:
    """Returns SARI, or one of its three components, in per cent."""
    parts = 100 * sari.total(name, sums)
    return np.asarray(parts.mean(axis=-1) if part is None else parts[..., part])


def _accuracy(name: str, pairs: Sequence[Collection[tuple[str, str]]]) -> tuple[Measured, Confusion]:
    """Returns the share of pairs with equal elements, overall and by first element, and the confusion table."""
    table = confusion(pair for row in pairs for pair in row)
    measured: Measured = {}
    for kind in ("", *table):
        rows = [[(a, b) for a, b in row if not kind or a == kind] for row in pairs]
        sums = np.array([[sum(a == b for a, b in row), len(row)] for row in rows], np.float64).reshape(-1, 2)
        measured[f"{name}/{kind}" if kind else f"{name}s"] = Measurement(sums)
    return measured, table


def measure_rouge(examples: Examples, predictions: Sequence[str], config: EvaluateConfig) -> Measured:
    """Returns ``rouge1``, ``rouge2``, ``rougeL``, ``rougeLsum`` and ``combined``, on a scale from 0 to 100."""
    setting = Setting(config.stemmer, config.measure, config.cut_bytes, config.cut_to_reference, config.references)
    found = [rouge(p, references, setting) for p, references in zip(predictions, examples.references, strict=True)]
    measured = {kind: Measurement.mean(np.array([scores[kind] for scores in found])) for kind in TYPES}
    return {**measured, "combined": Measurement.mean(np.array([combined(scores) for scores in found]))}


def measure_novel(examples: Examples, predictions: Sequence[str], sentences: int) -> Measured:
    """Returns the share of the predictions' n-grams that are novel.

    ``novel1`` to ``novel4`` compare with the whole source, ``novel_lead1`` to ``novel_lead4`` with its first sentences.
    """
    leads = [" ".join(lead(sentences_of(source), sentences)) for source in examples.sources]
    return {
        f"{name}{n}": Measurement(
            np.array(
                [novel_ngrams(p, text, n) for p, text in zip(predictions, texts, strict=True)], np.float64
            ).reshape(-1, 2)
        )
        for name, texts in (("novel", examples.sources), ("novel_lead", leads))
        for n in (1, 2, 3, 4)
    }


def by_length(examples: Examples, measured: Measured) -> Measured:
    """Returns ROUGE-1 for each fifth of the rows, ordered by the length of their references, shortest first."""
    bins = length_bins([references[0] for references in examples.references])
    step = 100 // BINS
    return {
        f"rouge1/length {step * number}-{step * (number + 1)}%": measured["rouge1"].of([b == number for b in bins])
        for number in range(BINS)
    }


def summary_baselines(examples: Examples, config: EvaluateConfig) -> Iterator[tuple[str, list[str]]]:
    """Yields the name and the predictions of each baseline: Lead-k and a greedy extractive oracle of k sentences."""
    sources = [sentences_of(source) for source in examples.sources]
    count = config.lead
    yield f"Lead-{count}", ["\n".join(lead(sentences, count)) for sentences in sources]
    yield (
        f"oracle-{count}",
        [
            "\n".join(
                greedy_oracle(
                    sentences, tokenise(references[0], stemmer=config.stemmer), most=count, stemmer=config.stemmer
                )
            )
            for sentences, references in zip(sources, examples.references, strict=True)
        ],
    )


def measure_tasks(examples: Examples, predictions: Sequence[str], exact: Measurement) -> Measured:
    """Returns ``task_accuracy``, the paper's Pr, over all rows and by task, in per cent.

    Rows that do not list their elementary tasks cannot be interpreted; for these, Exact is returned by task instead.

    Args:
        examples: rows with tasks.
        predictions: a prediction for each row.
        exact: Exact over all rows.

    Raises:
        TrainingError: a row's document is not valid for its tasks.
    """
    names = examples.tasks or []
    measured, name, scored = {}, "exact", exact
    if examples.elementary is not None:
        solved = []
        for number, (row_id, tasks) in enumerate(zip(examples.ids, examples.elementary or [], strict=True)):
            row = {"inputs": examples.sources[number], "targets": examples.references[number][0], "tasks": tasks}
            try:
                solved.append(solves(row, predictions[number]))
            except LanguageError as error:
                raise TrainingError(f"{examples.name}: the document of row {row_id!r} {error}") from None
        name, scored = "task_accuracy", Measurement.mean(np.array(solved))
        measured[name] = scored
    return measured | {f"{name}/{t}": scored.of([x == t for x in names]) for t in sorted(set(names))}
