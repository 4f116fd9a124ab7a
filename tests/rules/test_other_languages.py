"""The recipes that need no grammar, on documents of other languages: words, lengths and joined texts are the language's."""

from importlib.metadata import version

import pytest

from gistmill.core.records import Metadata, Origin, Pair
from gistmill.rules.articles import Articles, ArticlesConfig
from gistmill.rules.curriculum.recipe import Curriculum, CurriculumConfig, RankedPair
from gistmill.rules.curriculum.scores import ComplexityConfig, PairScorer
from gistmill.rules.documents import CleanDocument, Section, SegmentedDocument, TextSentence
from gistmill.rules.gap_sentences import GapSentences, GapSentencesConfig
from gistmill.rules.headline import Headline, HeadlineConfig
from gistmill.rules.lead_bias import LeadBias, LeadBiasConfig
from gistmill.rules.lineage import language_of, language_of_pair
from gistmill.rules.text.words import words_for
from gistmill.rules.wikitransfer.example import Profile, fit
from gistmill.rules.wikitransfer.recipe import WikiTransfer, WikiTransferConfig
from tests.cases import by_heading

CASES = by_heading(__file__)

# Two paragraphs; the first sentence is said again by the second and the last.
TEXTS = CASES["texts"]
NAME = f"icu4py {version('icu4py')}"


def origin(code, title=""):
    return Origin("web-1", "jsonl", title, metadata=Metadata(language=code))


def document(code, title=""):
    sentences = tuple(TextSentence(text, 0, i // 3) for i, text in enumerate(TEXTS[code]))
    return SegmentedDocument(origin(code, title), sentences, ("",))


def made(recipe, of):
    """The one row of a document, whose counts name the splitter of its words."""
    outcome = recipe.process(of)
    assert outcome.refused is None, outcome.refused
    code = language_of(of.origin)
    assert outcome.counts[f"words/{code}, {NAME}"] == 1
    (row,) = outcome.rows
    return row.values


def lengths(code, *texts):
    return sum(map(words_for(code).count, texts))


def joined(code, *texts):
    return ("" if code == "ja" else " ").join(texts)


def test_lead_bias():
    for code, overlap in [("ja", 3 / 4), ("de", 2 / 3), ("ar", 4 / 5)]:
        lead, *rest = TEXTS[code]
        config = {"min_lead_words": 3, "min_rest_words": 5, "min_sentences": 5, "min_overlap": 0.1}
        row = made(LeadBias(LeadBiasConfig(lead="sentences:1", **config)), document(code))
        assert row["targets"] == lead, code
        assert row["inputs"] == "\n".join([joined(code, *rest[:2]), joined(code, *rest[2:])]), code
        assert (row["lead_words"], row["rest_words"]) == (lengths(code, lead), lengths(code, *rest)), code
        assert row["overlap_ratio"] == pytest.approx(overlap), code
        assert made(LeadBias(LeadBiasConfig(lead="sentences:2", **config)), document(code))["targets"] == joined(
            code, lead, rest[0]
        ), code


def test_gap_sentences():
    for code, chosen in [("ja", [1, 3]), ("de", [0, 3]), ("ar", [0, 3])]:
        texts = TEXTS[code]
        shown = ["[MASK1]" if i in chosen else text for i, text in enumerate(texts)]
        config = {"left_ratio": 0.0, "gap_ratio": 0.4}
        row = made(GapSentences(GapSentencesConfig(**config)), document(code))
        assert row["selected"] == row["masked"] == chosen, code
        assert row["targets"] == joined(code, *(texts[i] for i in chosen)), code
        assert row["inputs"] == "\n".join([joined(code, *shown[:3]), joined(code, *shown[3:])]), code
        assert row["target_words"] == lengths(code, *(texts[i] for i in chosen)), code
        assert row["input_words"] == 2 + lengths(code, *(texts[i] for i in range(5) if i not in chosen)), code
        most = lengths(code, *texts[:4])
        assert made(GapSentences(GapSentencesConfig(max_words=most, **config)), document(code))["sentences"] == 4, code
        assert made(GapSentences(GapSentencesConfig(max_words=most - 1, **config)), document(code))["sentences"] == 3, (
            code
        )


def test_headline():
    for code, title, overlap in CASES["headline"]:
        texts = TEXTS[code]
        recipe = Headline(HeadlineConfig(min_article_words=10, min_title_overlap=0.1))
        row = made(recipe, document(code, title))
        assert row["targets"] == title, code
        assert row["inputs"] == "\n".join([joined(code, *texts[:3]), joined(code, *texts[3:])]), code
        assert (row["title_words"], row["input_words"]) == (lengths(code, title), lengths(code, *texts)), code
        assert row["title_overlap"] == pytest.approx(overlap), code


def test_question_marks_of_other_scripts_ask():
    for code, title in [("ja", "東京の図書館はいつ開くのか？"), ("ar", "متى تفتح مكتبة القاهرة؟"), ("hy", "Ո՞վ է")]:
        texts = TEXTS.get(code, TEXTS["de"])
        found = SegmentedDocument(origin(code, title), tuple(map(TextSentence, texts)), ("",))
        recipe = Headline(HeadlineConfig(min_article_words=10, min_title_overlap=0, min_title_words=1))
        assert recipe.process(found).refused.reason.name == "TITLE_ASKS", code


def test_wikitransfer():
    for code, nearest in [("ja", 2), ("de", 3), ("ar", 2)]:
        lead, *rest = TEXTS[code]
        profile = {"name": "mine", "sentences": 1, "min_oracle": 1, "max_oracle": 100}
        row = made(WikiTransfer(WikiTransferConfig(profile=(profile,))), document(code))
        assert (row["targets"], row["oracle_summary"]) == (lead, rest[nearest]), code
        assert row["inputs"] == "\n".join([joined(code, *rest[:2]), joined(code, *rest[2:])]), code
        assert (row["document_words"], row["summary_words"]) == (lengths(code, *rest), lengths(code, lead)), code
        assert 0 < row["coverage"] <= 1, code
        first = {**profile, "oracle_first": True, "sentences": 2}
        row = made(WikiTransfer(WikiTransferConfig(profile=(first,))), document(code))
        assert row["inputs"].split("\n")[0] == joined(code, *row["oracle_summary"].split("\n")), code


def test_a_profile_is_fitted_by_the_words_of_the_language():
    for code in TEXTS:
        lead, *rest = TEXTS[code]
        profile = fit([(rest, [lead])], name="mine", language=code).profile
        assert isinstance(profile, Profile), code
        assert profile.min_document_words == profile.max_document_words == lengths(code, *rest), code
        assert profile.min_summary_words == lengths(code, lead), code
        assert profile.min_oracle > 0, code


def test_articles():
    for code in TEXTS:
        found = CleanDocument(origin(code), (Section("", 1, TEXTS[code]),))
        assert made(Articles(ArticlesConfig()), found)["words"] == lengths(code, *TEXTS[code]), code


def pair(inputs, targets, code="", url=""):
    return Pair(origin(code), inputs, targets, {"id": "p", "url": url}, "train")


def test_the_complexity_of_a_pair_goes_by_the_words_and_stop_words_of_its_language():
    scorer = PairScorer(ComplexityConfig())
    japanese = scorer.measure("東京で新しい図書館が開いた。", "東京で図書館が開いた。", language="ja")
    assert (japanese.input_words, japanese.target_words) == (8, 7)
    assert (japanese.counts.deletions, japanese.counts.additions, japanese.counts.substitutions) == (1, 0, 0)
    german = scorer.measure("Die Katze und der Hund gingen.", "KATZE und Hund schliefen.", language="de")
    assert (german.input_words, german.target_words) == (6, 4)
    assert (german.counts.deletions, german.counts.additions, german.counts.substitutions) == (1, 1, 0)
    english = scorer.measure("東京で新しい図書館が開いた。", "東京で図書館が開いた。")
    assert english.input_words == 1
    assert scorer.counts("Viele Goals", "Goal", language="de").substitutions == 0  # the lemmas are of English
    assert scorer.counts("Viele Goals", "Goal").substitutions == 1
    own = PairScorer(ComplexityConfig(stop_words="file"), stop_words=["STRASSE"])
    assert own.counts("Straße eins", "", language="de").deletions == 1


def test_a_curriculum_names_the_splitter_of_its_words():
    measures = dict.fromkeys(("deletions", "additions", "reorderings", "substitutions"), 0)
    recipe = Curriculum(CurriculumConfig())
    for code, url, expected in (("ja", "", {"ja"}), ("", "https://de.wikipedia.org/wiki/X", {"de"}), ("", "", set())):
        found = pair("a", "b", code, url)
        ranked = RankedPair(found.origin, "a", "b", found.values, "train", measures, {"": {}})
        counts = recipe.process(ranked).counts
        assert {name for name in counts if name.startswith("words/")} == {f"words/{c}, {NAME}" for c in expected}


def test_the_language_of_a_document_is_found_in_its_origin():
    for language, url, expected in CASES["the language of a document is found in its origin"]:
        known = Origin("1", "wikipedia", metadata=Metadata(url=url, language=language))
        assert language_of(known) == expected, language
        row = Pair(Origin("1", "pairs", metadata=Metadata(language=language)), "", "", {"url": url}, "train")
        assert language_of_pair(row) == expected, language
        assert language_of_pair(Pair(Origin("1", "pairs"), "", "", {"url": None}, "train")) == "", language


def test_english_documents_add_no_counts_of_words():
    for code in ["", "en", "simple"]:
        sentences = tuple(TextSentence(f"The otter number {i} eats fish in the river.", 0, 0) for i in range(5))
        found = SegmentedDocument(origin(code), sentences, ("",))
        config = LeadBiasConfig(lead="sentences:1", min_lead_words=1, min_rest_words=1, min_sentences=2)
        for recipe in (GapSentences(GapSentencesConfig()), LeadBias(config)):
            assert not [name for name in recipe.process(found).counts if name.startswith("words/")], code
        assert GapSentences(GapSentencesConfig()).process(found).rows[0].values["targets"].count(" ") > 8, code
