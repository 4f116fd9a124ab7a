"""The engines that the options name, opened."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from gistmill.fusion import Alternatives, Asked, as_json, explain_splits, fuse_rows, split_rows
from gistmill.serving.config import ServingConfig
from gistmill.serving.engines import Article, Fuser, Fusions, SentencePair, Summarizer, Summary, WholeText
from gistmill.serving.explaining import explained
from gistmill.serving.seq2seq import Seq2Seq, check_is_exported, is_seq2seq
from gistmill.serving.stating import state
from gistmill.serving.writers import WritingFuser, WritingSummarizer
from gistmill.transforms.models import ModelError

_LEAD = 3  # sentences


@dataclass(frozen=True, slots=True, kw_only=True)
class Engines:
    """The models that a worker serves; ``fuser`` is None where nothing can fuse, and ``no_fuser`` says why."""

    fuser: Fuser | None
    summarizer: Summarizer
    no_fuser: str = ""


def open_engines(config: ServingConfig) -> Engines:
    """Loads the models that a worker serves, and uses them and the rules once, so that no request waits for that.

    Raises:
        ModelError: a model is missing or cannot be used.
    """
    summarizer = _summarizer(config.summarizer)
    split([SentencePair(first="It rained.", second="However, we went out.")])
    rain = "Ada saw that it rained, so she left."
    state([WholeText(text=rain), WholeText(text=rain, resolve=True)])
    summarizer.summarize([Article(paragraphs=(("It rained.",),))])
    try:
        fuser = _fuser(config.fusion)
        fuser.fuse([SentencePair(first="It rained.", second="We went out.")])
    except ModelError as error:
        if config.fusion is not None:
            raise
        # the tagger of the package needs more packages than the rules
        return Engines(fuser=None, summarizer=summarizer, no_fuser=str(error))
    return Engines(fuser=fuser, summarizer=summarizer)


def _fuser(folder: str | None) -> Fuser:
    if folder is not None:
        check_is_exported(folder, needed_by="--fusion")
        if is_seq2seq(folder):
            return WritingFuser(Seq2Seq(folder, needed_by="--fusion"))
    return TaggerFuser(folder)


def _summarizer(folder: str | None) -> Summarizer:
    if folder is None:
        return Lead()
    check_is_exported(folder, needed_by="--summarizer")
    return WritingSummarizer(Seq2Seq(folder, needed_by="--summarizer"))


def split(pairs: Sequence[SentencePair]) -> list[list[dict[str, Any]]]:
    """Returns the candidates of each pair by the DiscoFuse rules, as ``gistmill split`` writes them,
    explained if that is wanted."""
    found: list[list[dict[str, Any]]] = []
    for (tokenized, explains), group in groupby(pairs, lambda pair: (pair.tokenized, pair.explain)):
        rows = [(pair.first, pair.second) for pair in group]
        if explains:
            for each in explain_splits(rows, tokenized=tokenized):
                found.append([{**as_json(c), "explanation": explained(how)} for c, how in each])
        else:
            found += [[as_json(c) for c in each] for each in split_rows(rows, tokenized=tokenized)]
    return found


class TaggerFuser:
    """A tagger, run as ``gistmill fuse`` runs it.

    Args:
        folder: its folder; None for the one of the package.
    """

    def __init__(self, folder: str | None) -> None:
        self._folder = folder

    @property
    def name(self) -> str:
        """See Fuser.name."""
        return "tagger" if self._folder is None else self._folder.rstrip("/").rpartition("/")[2]

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """See Fuser.fuse."""
        asked = [
            Asked(
                first=pair.first,
                second=pair.second,
                type=pair.discourse_type,
                connective=pair.connective,
                caution=pair.caution,
                n=pair.n,
                tokenized=pair.tokenized,
            )
            for pair in pairs
        ]
        return [_fusions(found) for found in fuse_rows(asked, model=self._folder)]


def _fusions(found: Alternatives | ValueError) -> Fusions:
    if isinstance(found, ValueError):  # too long, or something that the tagger has not learnt
        return Fusions((), str(found))
    return Fusions(tuple(found.fusions), unchanged_probability=found.unchanged_probability)


class Lead:
    """The first three sentences: the baseline Lead-3 of the lead-bias paper (section 4.2)."""

    @property
    def name(self) -> str:
        """See Summarizer.name."""
        return f"lead-{_LEAD}"

    @property
    def is_baseline(self) -> bool:
        """See Summarizer.is_baseline."""
        return True

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """See Summarizer.summarize. It looks at the whole article to know its beginning."""
        leads = [article.sentences[:_LEAD] for article in articles]
        return [Summary(" ".join(lead), lead, len(article.text)) for lead, article in zip(leads, articles, strict=True)]
