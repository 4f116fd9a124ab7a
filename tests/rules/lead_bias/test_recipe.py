"""The lead-bias recipe: leads, filters one by one and at their bounds, rows, counts."""

import dataclasses
import pickle
import re
from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.core.records import Metadata, Origin
from gistmill.rules.documents import DocumentReason, SegmentedDocument, TextSentence
from gistmill.rules.lead_bias import (
    COLUMNS,
    FILTERS,
    RATIO_UNIT,
    Lead,
    LeadBias,
    LeadBiasConfig,
    LeadBiasReason,
    parse_lead,
)
from gistmill.rules.text.words import STOP_WORDS, content_words, words_of
from tests.cases import by_heading

CASES = by_heading(__file__)

PAGE = Metadata(
    url="https://a.example/1",
    site="The Paper",
    author="Jane Roe",
    published="2020-01-02",
    language="en",
    record="urn:uuid:1",
    fetched="2020-01-03T00:00:00Z",
)
ORIGIN = Origin("news-1", "warc", "Title", file="a.warc.gz", offset=7, range_key="r0", metadata=PAGE)


def article(*texts, paragraphs=None, sections=None, titles=("",), **more):
    """A document of sentences, each a paragraph of its own unless said otherwise; ``more`` goes into its Origin."""
    places = zip(sections or [0] * len(texts), paragraphs or range(len(texts)), strict=True)
    sentences = tuple(TextSentence(t, s, p) for t, (s, p) in zip(texts, places, strict=True))
    return SegmentedDocument(dataclasses.replace(ORIGIN, **more), sentences, titles)


def words(number, start=0, end="."):
    """A sentence of so many different words."""
    return " ".join(f"w{start + i}" for i in range(number)) + end


def process(document, **config):
    return LeadBias(LeadBiasConfig(**config)).process(document)


# An article at the edge of every bound: 10 words in the lead, 150 in the rest, 6 sentences, overlap 0.65 (13 of 20 words).
LEAD = ["alpha beta gamma.", "delta epsilon zeta.", "eta theta iota kappa."]
REST = [words(50), words(50, 50), words(44, 100, end=" ") + "alpha beta gamma delta epsilon zeta."]
EDGE = {"min_overlap": 0.6}


def reason(document, **config):
    outcome = process(document, **config)
    assert (outcome.refused is None) == bool(outcome.rows)
    return outcome.refused and outcome.refused.reason


class TestFilters:
    def test_an_article_on_every_lower_bound_is_kept(self):
        outcome = process(article(*LEAD, *REST), **EDGE)
        (row,) = outcome.rows
        assert (row.values["lead_words"], row.values["rest_words"], row.values["overlap_ratio"]) == (10, 150, 0.6)

    def test_one_step_beyond_a_bound(self):
        for change, expected in (
            ({"min_lead_words": 11}, LeadBiasReason.LEAD_TOO_SHORT),
            ({"min_lead_words": 1, "max_lead_words": 10}, None),
            ({"min_lead_words": 1, "max_lead_words": 9}, LeadBiasReason.LEAD_TOO_LONG),
            ({"min_rest_words": 151}, LeadBiasReason.REST_TOO_SHORT),
            ({"max_rest_words": 150}, None),
            ({"min_rest_words": 1, "max_rest_words": 149}, LeadBiasReason.REST_TOO_LONG),
            ({"min_sentences": 7}, DocumentReason.TOO_FEW_SENTENCES),
            ({"min_overlap": 0.6}, None),
            ({"min_overlap": 0.61}, LeadBiasReason.LOW_OVERLAP),
            ({"min_overlap": 0}, None),
        ):
            assert reason(article(*LEAD, *REST), **{**EDGE, **change}) is expected, change

    def test_a_ratio_that_is_the_threshold_is_kept(self):
        lead = ["a1 a2 a3 a4 a5 a6 a7.", "a8 a9 a10 a11 a12 a13 b1.", "b2 b3 b4 b5 b6 b7."]
        rest = [words(50), words(50, 50), words(50, 100), "a13 a12 a11 a10 a9 a8 a7 a6 a5 a4 a3 a2 a1."]
        assert process(article(*lead, *rest)).rows[0].values["overlap_ratio"] == 0.65

    def test_repeated_sentences(self):
        for rest, repeated in (
            ([*REST, LEAD[1]], True),
            ([*REST, LEAD[1].upper()], True),
            ([*REST, f"“{LEAD[1].rstrip('.')}”!"], True),
            ([*REST, " ".join(LEAD[1].split()[:-1])], False),  # a part of it
            ([*REST, *LEAD[1].rsplit(" ", 1)], False),  # over two sentences
            ([*REST, LEAD[1].replace(" ", "x ", 1)], False),
        ):
            found = reason(article(*LEAD, *rest), **{**EDGE, "max_rest_words": 10_000})
            assert (found is LeadBiasReason.LEAD_REPEATED) == repeated, rest

    def test_a_sentence_of_enough_words_is_found_within_a_longer_one(self):
        for sentence, later, repeated in CASES["a sentence of enough words is found within a longer one"]:
            found = reason(article(sentence, *LEAD[1:], *REST, later), **{**EDGE, "max_rest_words": 10_000})
            assert (found is LeadBiasReason.LEAD_REPEATED) == repeated, sentence

    def test_a_lead_that_repeats_itself_is_not_repeated_in_the_rest(self):
        assert reason(article(LEAD[0], LEAD[0], LEAD[2], *REST), min_lead_words=1, min_overlap=0) is None

    def test_documents_without_a_rest_or_a_sentence(self):
        assert reason(article(), min_sentences=1) is DocumentReason.TOO_FEW_SENTENCES
        assert reason(article(), lead="paragraphs:2") is DocumentReason.TOO_FEW_SENTENCES
        for texts in (("One sentence.",), ("One.", "Two.", "Three.")):
            assert reason(article(*texts)) is DocumentReason.TOO_FEW_SENTENCES, texts
            assert reason(article(*texts), min_sentences=1) in (
                LeadBiasReason.LEAD_TOO_SHORT,
                LeadBiasReason.REST_TOO_SHORT,
            ), texts

    def test_a_lead_of_stop_words_has_no_overlap(self):
        rest = [words(80), words(80, 80), "It was the one that they had."]
        document = article("It is what it is to be.", "And so it was then.", "They were there.", *rest)
        assert reason(document) is LeadBiasReason.LOW_OVERLAP
        assert process(document, min_overlap=0).rows[0].values["overlap_ratio"] == 0.0

    def test_the_reject_says_where_and_how_much(self):
        refused = process(article(*LEAD, *REST)).refused
        assert (refused.reason, refused.detail) == (LeadBiasReason.LOW_OVERLAP, "0.6000")
        assert (refused.stage, refused.unit, refused.origin) == ("recipe", "document", ORIGIN)


class TestCounts:
    def test_a_document_counts_at_every_filter_that_it_fails_and_falls_at_the_first(self):
        counts = process(article("Short.", "So short.", "Yes.", "No.", "Yes.")).counts
        alone = {k.split("/")[1] for k in counts if k.endswith("/alone")}
        assert alone == {"TOO_FEW_SENTENCES", "LEAD_TOO_SHORT", "REST_TOO_SHORT", "LEAD_REPEATED", "LOW_OVERLAP"}
        assert [k for k in counts if k.endswith("/fell")] == ["filter/TOO_FEW_SENTENCES/fell"]
        assert [k for k in counts if k.endswith("/reached")] == ["filter/TOO_FEW_SENTENCES/reached"]

    def test_a_kept_document_reaches_every_filter(self):
        counts = process(article(*LEAD, *REST), **EDGE).counts
        assert [k for k in counts if k.endswith("/reached")] == [f"filter/{r.name}/reached" for r in FILTERS]
        assert not [k for k in counts if k.endswith(("/alone", "/fell"))]
        for group in ("all", "kept"):
            assert {k: counts[f"sums/{group}/{k}"] for k in ("documents", "sentences", "lead_words", "rest_words")} == {
                "documents": 1,
                "sentences": 6,
                "lead_words": 10,
                "rest_words": 150,
            }
            assert counts[f"overlap/{group}/0.60"] == 1

    def test_refused_documents_are_in_the_distribution_before_only(self):
        counts = process(article(*LEAD, *REST)).counts
        assert counts["overlap/all/0.60"] == 1 and not [
            k for k in counts if k.startswith(("overlap/kept", "sums/kept"))
        ]

    def test_full_overlap_falls_into_the_last_bin(self):
        counts = process(article(*LEAD, *LEAD, words(150), words(9, 150)), min_sentences=1).counts
        assert counts["overlap/all/0.99"] == 1

    def test_positions(self):
        # four sentences of the rest: half the words of the first are in the lead, all of the second, none of the third; the
        # last has no word
        counts = process(
            article("Red, blue.", "The one.", "B.", "red two.", "The blue red!", "two three.", "— ...")
        ).counts
        found = {k: v for k, v in counts.items() if k.startswith("position/")}
        assert found == {
            "position/0.00/sentences": 1,
            "position/0.00/ratios": RATIO_UNIT // 2,
            "position/0.25/sentences": 1,
            "position/0.25/ratios": RATIO_UNIT,
            "position/0.50/sentences": 1,
            "position/0.50/ratios": 0,
        }


class TestRows:
    def test_every_column(self):
        texts = [*LEAD, "Fourth here.", "alpha beta gamma delta epsilon zeta eta theta iota kappa.", words(150)]
        document = article(*texts, paragraphs=[0, 0, 1, 1, 1, 2], revision="9")
        (row,) = process(document).rows
        assert row.id == "news-1-lead" and row.config == "default" and list(row.values) == [c.name for c in COLUMNS]
        assert row.values == {
            "id": "news-1-lead",
            "inputs": f"{texts[3]} {texts[4]}\n{texts[5]}",
            "targets": " ".join(texts[:3]),
            "overlap_ratio": 1.0,
            "lead_words": 10,
            "rest_words": 162,
            "lead_sentences": 3,
            "rest_sentences": 3,
            "document_id": "news-1",
            "title": "Title",
            "url": PAGE.url,
            "site": PAGE.site,
            "author": PAGE.author,
            "published": PAGE.published,
            "revision": "9",
            "record": PAGE.record,
            "fetched": PAGE.fetched,
            "file": "a.warc.gz",
            "offset": 7,
        }

    def test_the_recipe_travels_to_workers(self):
        recipe = LeadBias(LeadBiasConfig(lead="lead-section"))
        assert pickle.loads(pickle.dumps(recipe)).process(article(*LEAD, *REST)) == recipe.process(
            article(*LEAD, *REST)
        )


class TestLeads:
    document = article(
        "One.",
        "Two.",
        "Three.",
        "Four.",
        "Five.",
        "Six.",
        paragraphs=[0, 0, 1, 2, 2, 3],
        sections=[0, 0, 0, 1, 1, 2],
        titles=("", "Abstract ", "Body"),
    )

    def test_lead_and_rest_are_the_whole(self):
        for name, lead in CASES["lead and rest are the whole"]:
            taken, rest = parse_lead(name).take(self.document)
            assert " ".join(s.text for s in taken) == lead, name
            assert sorted([*taken, *rest], key=lambda s: s.paragraph) == list(self.document.sentences), name

    def test_documents_without_such_a_lead(self):
        for name, text in (
            ("section:Introduction", self.document),
            ("section:Abstract", article("One.", titles=("", "Abstract"))),  # a title without text
            ("lead-section", article("One.", sections=[1], titles=("", "Body"))),
            ("lead-section", article("One.", titles=("Body",))),  # the text begins with a heading
            ("lead-section", article("One.", titles=())),
        ):
            assert parse_lead(name).take(text) is None, name
            outcome = process(text, lead=name)
            assert (outcome.refused.reason, outcome.refused.detail) == (LeadBiasReason.NO_LEAD, name)
            assert not outcome.counts, name

        assert parse_lead(LeadBiasConfig().lead) == Lead(kind="sentences", count=3)


def test_content_words():
    for text, content in CASES["content words"]:
        assert content_words(text) == content.split(), text


@given(st.text(st.characters(max_codepoint=0x2030)) | st.text(st.sampled_from("aZ9_ .'’“”–—…\u00a0\x1céß")))
def test_words_are_runs_of_letters_and_digits_whatever_the_script(text):
    assert words_of(text) == re.findall(r"[^\W_]+", text.lower())


def test_stop_words_are_words_of_the_kind_that_occur():
    assert len(STOP_WORDS) == 153 and all(content_words(w) == [] for w in STOP_WORDS)


TOKENS = st.sampled_from(
    ["the", "Mr.", "Roe", "said", "it", "was", "late", "(AP)", "U.S.", "it's", "42", "—", "dogs", "Dogs,"]
)
SENTENCES = st.lists(TOKENS, min_size=1, max_size=6).map(" ".join)


def _repeats(later, sentence):
    long, short = words_of(later), words_of(sentence)
    places = range(len(long) - len(short) + 1) if len(short) >= 6 else (0,) * (len(long) == len(short))
    return bool(short) and any(long[i : i + len(short)] == short for i in places)


@settings(deadline=None)
@given(st.lists(SENTENCES, max_size=9), st.integers(1, 4), st.sampled_from([0, 0.3, 0.65, 1]))
def test_the_same_as_computed_naively(texts, count, threshold):
    bounds = {"min_lead_words": 3, "max_lead_words": 12, "min_rest_words": 5, "max_rest_words": 20, "min_sentences": 4}
    outcome = process(article(*texts), lead=f"sentences:{count}", min_overlap=threshold, **bounds)
    lead, rest = texts[:count], texts[count:]

    def content(sentences):
        return [w for s in sentences for w in re.findall(r"[^\W_]+", s.lower()) if w not in STOP_WORDS]

    present = [w in content(rest) for w in content(lead)]
    ratio = sum(present) / len(present) if present else 0
    checks = [
        len(texts) >= 4,
        len(" ".join(lead).split()) >= 3,
        len(" ".join(lead).split()) <= 12,
        len(" ".join(rest).split()) >= 5,
        len(" ".join(rest).split()) <= 20,
        not any(_repeats(later, sentence) for sentence in lead for later in rest),
        ratio >= threshold,
    ]
    failed = [r for r, good in zip(FILTERS, checks, strict=True) if not good]
    assert (outcome.refused.reason if outcome.refused else None) == (failed[0] if failed else None)
    assert Counter(k.split("/")[1] for k in outcome.counts if k.endswith("/alone")) == Counter(r.name for r in failed)
