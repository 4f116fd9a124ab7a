"""The engines of models that write text: sequence-to-sequence models that fuse sentences or summarize articles."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.fusion import Fused, edits_between
from gistmill.rules.text.tokenised import splitter_of
from gistmill.serving.engines import Article, Fusions, SentencePair, Summary
from gistmill.serving.seq2seq import Output, Seq2Seq, Source

# Words of two sentences and their fusion; beyond it no edits are sought, as alignment may take long.
_MOST_ALIGNED = 250


class WritingFuser:
    """Fuses sentences by a sequence-to-sequence model; the edits of its fusions are found by alignment.

    Args:
        model: opened.
    """

    def __init__(self, model: Seq2Seq) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """See Fuser.name."""
        return self._model.name

    def fuse(self, pairs: Sequence[SentencePair]) -> list[Fusions]:
        """See Fuser.fuse. Such a model has no discourse types, and reads natural text only."""
        sources = [self._model.read(_text(pair)) for pair in pairs]
        found = [_refused(pair, source, self._model.most_tokens) for pair, source in zip(pairs, sources, strict=True)]
        open_ = [n for n, fusions in enumerate(found) if fusions is None]
        for count in {pairs[n].n for n in open_}:
            asked = [n for n in open_ if pairs[n].n == count]
            for n, outputs in zip(asked, self._model.write([sources[n] for n in asked], count=count), strict=True):
                different = {output.text: output for output in reversed(outputs)}  # of two the likelier
                found[n] = Fusions(tuple(_fused(pairs[n], output) for output in reversed(different.values())))
        return [fusions for fusions in found if fusions is not None]


def _text(pair: SentencePair) -> str:
    """The pair as the ``inputs`` of a DiscoFuse dataset have it."""
    return " ".join(f"{pair.first} {pair.second}".split())


def _refused(pair: SentencePair, source: Source, most_tokens: int) -> Fusions | None:
    if pair.discourse_type is not None or pair.connective is not None or pair.caution:
        return Fusions((), "this model cannot be told a discourse type, a connective or a caution")
    if pair.tokenized:
        return Fusions((), "this model reads natural text, no tokens that are split by spaces")
    if source.tokens > most_tokens:
        return Fusions((), f"the sentences have {source.tokens} tokens; the model reads {most_tokens}")
    return None


def _fused(pair: SentencePair, output: Output) -> Fused:
    size = sum(len(text.split()) for text in (pair.first, pair.second, output.text))
    edits = edits_between(pair.first, pair.second, output.text) if size <= _MOST_ALIGNED else None
    return Fused(output.text, edits or [], "", round(output.log_probability, 4))


class WritingSummarizer:
    """Summarizes articles by a sequence-to-sequence model.

    Args:
        model: opened.
    """

    def __init__(self, model: Seq2Seq) -> None:
        self._model = model

    @property
    def name(self) -> str:
        """See Summarizer.name."""
        return self._model.name

    @property
    def is_baseline(self) -> bool:
        """See Summarizer.is_baseline."""
        return False

    def summarize(self, articles: Sequence[Article]) -> list[Summary]:
        """See Summarizer.summarize. The model reads the beginning of a long article."""
        sources: list[Source] = [self._model.read(article.text) for article in articles]
        written = self._model.write(sources)
        return [_summary(outputs[0].text, source.read) for outputs, source in zip(written, sources, strict=True)]


def _summary(text: str, read: int) -> Summary:
    split = splitter_of([text])
    return Summary(text, tuple(found for line in text.splitlines() for found in split(line)), read)
