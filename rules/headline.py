"""The headline recipe, in which the title of a news article is the summary of its text.

Source: A. M. Rush, S. Chopra, J. Weston, "A Neural Attention Model for Abstractive Sentence Summarization", EMNLP 2015,
which pairs Gigaword headlines with first sentences. The filter released with it (NAMAS, dataset/filter.py) accepts
headlines of 4 to 49 tokens without a question mark that share a word with their sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate, groupby
from typing import Any, ClassVar

from gistmill.core.options import Options, option
from gistmill.core.records import Outcome, Reason, Row
from gistmill.core.statistics import Column, Figure, Groups, ratio
from gistmill.core.values import SHARE, SWITCH, whole
from gistmill.rules.documents import SegmentedDocument, TextSentence
from gistmill.rules.lineage import DOCUMENT_COLUMNS, EXTRACTION_COLUMN, language_of, lineage_values
from gistmill.rules.news.article import WHOLE
from gistmill.rules.news.titles import Place, announces_list, clean_title, is_foreign
from gistmill.rules.recipe import DEFAULT, Recipe
from gistmill.rules.text.words import COUNTED, Words, words_for

_QUESTION = re.compile("[?？؟՞]")
_NEARLY = 0.8  # minimum Jaccard similarity of a title's and a sentence's words for one to count as repeating the other
_GIGAWORD = {"title words": 8.3, "words of the first sentence": 31.3, "different words that both have": 4.6}
_HISTOGRAMS = {
    "title_words": "words of the headline",
    "title_overlap": "share of the headline's words, not counting stop words, that occur in the inputs",
    "compression": "words of the inputs for a word of the headline",
}


class HeadlineReason(Reason):
    """Reasons for rejecting a document or its headline."""

    NO_TITLE = "the document has no title"
    TITLE_OF_SITE = "the title is the name of a site or section"
    TITLE_UNSURE = "the title may contain the name of a site or section"
    TITLE_CUT = "the title is truncated"
    TITLE_IN_CAPITALS = "the title is in all capitals"
    TITLE_TOO_SHORT = "the headline has too few words"
    TITLE_TOO_LONG = "the headline has too many words"
    TITLE_ASKS = "the headline contains a question mark"
    TITLE_OF_LIST = "the headline announces a list"
    ARTICLE_TOO_SHORT = "the article has too few words"
    INPUTS_TOO_SHORT = "the inputs have no more words than the headline"
    INPUTS_CUT = "the inputs end in an ellipsis"
    TITLE_FOREIGN = "the headline and the text are in different languages"
    TITLE_REPEATED = "the first sentence is the headline"
    LOW_TITLE_OVERLAP = "too few of the headline's words occur in the inputs"


COLUMNS: tuple[Column, ...] = (
    Column("id", "string", "unique: document id and `headline`"),
    Column("inputs", "string", "the article; a line is a paragraph"),
    Column("targets", "string", "the headline: the title without labels and names of sites and sections"),
    Column("title_words", "int64", f"words of the headline: {COUNTED}"),
    Column("input_words", "int64", "words of the inputs"),
    Column("title_overlap", "float64", _HISTOGRAMS["title_overlap"]),
    *DOCUMENT_COLUMNS,
    EXTRACTION_COLUMN,
)


def _bound(default: int, help: str, least: int = 1, unit: str = "words") -> Any:
    return option(whole(least), default=default, unit=unit, help=help)


@dataclass(frozen=True, kw_only=True)
class HeadlineConfig(Options):
    """The recipe's options. Bounds are inclusive; those for headlines are taken from the released filter."""

    GROUP: ClassVar[str] = "recipe"

    input_sentences: int = _bound(0, "number of the article's sentences to use as inputs; 0: all", 0, "sentences")
    max_input_words: int = _bound(512, "cut the inputs after the last sentence within this many words; 0: no limit", 0)
    min_article_words: int = _bound(50, "minimum number of words in the whole article, whatever the inputs")
    min_title_words: int = _bound(4, "minimum number of words in the headline")
    max_title_words: int = _bound(49, "maximum number of words in the headline")
    min_title_overlap: float = option(SHARE, default=0.3, help=f"minimum {_HISTOGRAMS['title_overlap']}")
    question_headlines: bool = option(SWITCH, default=False, help="accept headlines with a question mark")
    list_headlines: bool = option(
        SWITCH, default=False, help='accept headlines that announce a list, such as "10 ways to win"'
    )

    def check(self) -> None:
        """Raises ValueError if a lower bound exceeds its upper bound."""
        self.check_order("title_words")


class Headline(Recipe[HeadlineConfig]):
    """The recipe that makes at most one row per document: ``targets`` is its title, ``inputs`` its text."""

    NAME = "headline"
    HELP = "build a headline dataset from news articles and their titles"
    TITLE = "Headlines"
    SUMMARY = (
        "Headlines of news articles (after Rush et al., 2015): `targets` is the title of an article, without the names "
        "of sites and sections, `inputs` its text."
    )
    DESCRIPTION = (
        "Builds a headline dataset after Rush et al. (2015). `targets` is an article's title, without the names of "
        "sites and sections, and `inputs` its text. A title is rejected if it may still contain such a name, asks a "
        "question, announces a list, is truncated, or shares too few words with the text. No parse is needed."
    )
    EXAMPLES = (
        "headline --config headline-news --input 'CC-NEWS-*.warc.gz' --output headlines",
        "headline --source jsonl --input articles.jsonl --title-field head --output headlines --input-sentences 1",
    )
    CONFIG = HeadlineConfig
    DOCUMENT = SegmentedDocument
    TASKS = ("summarization",)
    REASONS = (HeadlineReason,)
    COLUMNS = COLUMNS
    DEFAULTS = {"page_text": WHOLE}
    ROWS = "one row an article"

    @classmethod
    def figures(cls, groups: Groups) -> Sequence[Figure]:
        """Returns a comparison of the rows' means with the paper's (Gigaword), and histograms; nothing without rows."""
        if not (sums := groups.get("sums/kept")):
            return ()
        rows = [(f"mean {name}", ratio(sums[name], sums["documents"]), paper) for name, paper in _GIGAWORD.items()]
        note = f"The paper counts the tokens of a treebank, punctuation too; words here are {COUNTED}."
        paper = Figure(key="paper", title="Beside Gigaword", head=("measure", "here", "paper"), rows=rows, note=note)
        return (paper, *(_histogram(name, note, groups[f"{name}/kept"]) for name, note in _HISTOGRAMS.items()))

    def process(self, document: SegmentedDocument) -> Outcome:
        """Returns the document's row and counts, or the reason for rejecting it."""
        origin, sentences, words = document.origin, document.sentences, words_for(language_of(document.origin))
        place = Place(origin.metadata.site, origin.metadata.url)
        title, most = clean_title(origin.title, place), self.config.max_input_words or float("inf")
        front = sentences[: self.config.input_sentences or None]
        taken = front[: sum(end <= most for end in accumulate(words.count(s.text) for s in front))]
        groups = groupby(taken, lambda s: (s.section, s.paragraph))
        inputs = "\n".join(words.language.joiner.join(s.text for s in group) for _, group in groups)
        content, present = words.content(title), set(words.of(inputs))
        overlap = sum(w in present for w in content) / (len(content) or 1)
        for reason, detail in self._failures(title, place, inputs, overlap, sentences, words):
            return Outcome(origin, counts=words.counts, refused=origin.reject(reason, "recipe", detail))
        size, given, row_id = words.count(title), words.count(inputs), f"{origin.id}-headline"
        measures = {"title_words": size, "input_words": given, "title_overlap": overlap}
        values = {"id": row_id, "inputs": inputs, "targets": title, **measures, **lineage_values(origin)}
        values["extraction"] = origin.metadata.extraction
        first = sentences[0].text
        means = (size, words.count(first), len({*words.of(title)} & {*words.of(first)}))
        bins = (size, f"{int(20 * overlap) / 20:.2f}", given // size // 5 * 5)
        counts = {f"sums/kept/{name}": value for name, value in zip(_GIGAWORD, means, strict=True)}
        counts |= {f"{name}/kept/{start}": 1 for name, start in zip(_HISTOGRAMS, bins, strict=True)}
        counts |= {"sums/kept/documents": 1, **words.counts}
        return Outcome(origin, rows=(Row(DEFAULT, row_id, values),), counts=counts)

    def _failures(
        self, title: str, place: Place, inputs: str, overlap: float, sentences: Sequence[TextSentence], words: Words
    ) -> Iterator[tuple[Reason, str]]:
        config, size, given = self.config, words.count(title), words.count(inputs)
        text = words.language.joiner.join(s.text for s in sentences)
        article = words.count(text)
        # Words used to test whether the title is (nearly) the first sentence.
        ours, its = (set(words.of(text)) for text in (title, sentences[0].text if sentences else ""))
        tests = (
            (HeadlineReason.NO_TITLE, not title, ""),
            (HeadlineReason.TITLE_OF_SITE, place.names(title) or place.has_section(title), title),
            (HeadlineReason.TITLE_UNSURE, place.leaves_doubt(title), title),
            (HeadlineReason.TITLE_CUT, title.endswith(("…", "...")), title),
            (HeadlineReason.TITLE_IN_CAPITALS, title.isupper(), title),
            (HeadlineReason.TITLE_TOO_SHORT, size < config.min_title_words, f"{size} words"),
            (HeadlineReason.TITLE_TOO_LONG, size > config.max_title_words, f"{size} words"),
            (HeadlineReason.TITLE_ASKS, _QUESTION.search(title) and not config.question_headlines, title),
            (HeadlineReason.TITLE_OF_LIST, announces_list(title) and not config.list_headlines, title),
            (HeadlineReason.ARTICLE_TOO_SHORT, article < config.min_article_words, f"{article} words"),
            (HeadlineReason.INPUTS_TOO_SHORT, given <= size, f"{given} words"),
            (HeadlineReason.INPUTS_CUT, inputs.endswith(("…", "...", "…]", "...]")), inputs[-80:]),
            (HeadlineReason.TITLE_FOREIGN, is_foreign(title, text), title),
            (HeadlineReason.TITLE_REPEATED, ours == its or len(ours & its) >= _NEARLY * len(ours | its), title),
            (HeadlineReason.LOW_TITLE_OVERLAP, overlap < config.min_title_overlap, f"{overlap:.4f}"),
        )
        return ((reason, detail) for reason, fails, detail in tests if fails)


def _histogram(name: str, note: str, bins: Mapping[str, int]) -> Figure:
    rows = [(start, bins[start], ratio(bins[start], sum(bins.values()))) for start in sorted(bins, key=float)]
    title, head = name.replace("_", " ").capitalize(), ("from", "rows", "share")
    return Figure(key=name, title=title, head=head, rows=rows, bars=("share",), note=f"Rows by {note}.")
