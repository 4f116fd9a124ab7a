"""Configuration, splitter order and the recipe's bookkeeping."""

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.records import Outcome
from gistmill.core.statistics import as_rows
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.discofuse.checks import DiscoFuseReason
from gistmill.rules.discofuse.config import CONVENTIONS, DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse, Word
from gistmill.rules.discofuse.recipe import COLUMNS, DiscoFuse, has_pronoun
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.fusion.texts import problem
from gistmill.rules.recipe import SALT
from tests.rules.discofuse import parsed_cases, parses
from tests.rules.discofuse.helpers import candidates
from tests.testing import document, mention, parsed, plain

ALL = [*parses.NAMED.values()]


class TestConfig:
    def test_precision_sets_the_limits(self):
        limits = [
            (c.sentence_floor, c.first_ceiling, c.coref_cut)
            for c in (DiscoFuseConfig(precision=p) for p in ("generous", "balanced", "strict"))
        ]
        assert limits[1] == (
            DiscoFuseConfig().sentence_floor,
            DiscoFuseConfig().first_ceiling,
            DiscoFuseConfig().coref_cut,
        )
        assert [floor for floor, _, _ in limits] == sorted(floor for floor, _, _ in limits)
        assert [cut for _, _, cut in limits] == sorted(cut for _, _, cut in limits)
        assert limits[0][1] == 0 < limits[2][1] < limits[1][1]
        assert DiscoFuseConfig(precision="strict", min_sentence_tokens=3).sentence_floor == 3

    def test_a_stricter_precision_gives_a_part_of_the_rows(self):
        made = {}
        for precision in ("strict", "balanced", "generous"):
            splitter = Splitter(DiscoFuseConfig(precision=precision))
            made[precision] = {
                (c.incoherent_first_sentence, c.incoherent_second_sentence)
                for parsed in parsed_cases.stored().values()
                if len(parsed.sentences) == 1
                for c in splitter.candidates(*parsed.parses)
                if c.verdict.accepted
            }
        assert made["strict"] < made["balanced"] < made["generous"]

    def test_the_floor_of_a_sentence_follows_the_conventions(self):
        assert DiscoFuseConfig().sentence_floor == 5
        assert DiscoFuseConfig(conventions="released").sentence_floor == 3
        assert {DiscoFuseConfig(conventions=c, min_sentence_tokens=9).sentence_floor for c in CONVENTIONS} == {9}

    def test_a_half_of_four_tokens(self):
        for conventions, used in (("released", 1), ("extended", 0)):
            text = parses.of("She never replied and the courtship ended .")
            assert process(text, conventions=conventions).counts.get("sentences/used", 0) == used, conventions

    def test_the_ceiling_of_a_first_sentence_follows_the_conventions(self):
        assert DiscoFuseConfig().first_ceiling == 25
        assert DiscoFuseConfig(conventions="released").first_ceiling == 0
        assert {DiscoFuseConfig(conventions=c, max_first_tokens=0).first_ceiling for c in CONVENTIONS} == {0}

    def test_a_long_first_sentence(self):
        for ceiling, reason in ((4, "TOO_LONG"), (5, None), (0, None)):
            text = parses.of("She never wrote home , but the letters came again .")
            (candidate,) = candidates(text, conventions="extended", max_first_tokens=ceiling)
            assert candidate.incoherent_first_sentence == "She never wrote home .", ceiling
            assert candidate.verdict.reason is (DiscoFuseReason[reason] if reason else None), ceiling

    def test_a_first_sentence_of_a_pair_may_be_long(self):
        found = candidates(parses.INGRAM_1, parses.INGRAM_2, conventions="extended", max_first_tokens=3)
        pairs = [c for c in found if c.discourse_type.name.startswith("PAIR")]
        assert pairs and all(c.verdict.reason is not DiscoFuseReason.TOO_LONG for c in pairs)

    def test_the_rate_of_a_connective_beats_that_of_its_type(self):
        config = DiscoFuseConfig(balanced_rates={"SINGLE_S_COORD": 0.5, "SINGLE_S_COORD/and": 0.1})
        assert config.balanced_rate("SINGLE_S_COORD", ", and") == 0.1
        assert config.balanced_rate("SINGLE_S_COORD", "but") == 0.5
        assert config.balanced_rate("SINGLE_RELATIVE", "") == 1.0

    def test_pickles(self):
        config = DiscoFuseConfig(min_text_tokens=9)
        assert pickle.loads(pickle.dumps(config)) == config


class TestConventions:
    BOTH = parses.FRIENDSHIP.replace(
        "Croly|NNP|pobj|14|B-PERSON .|.|punct|10",
        ("Croly|NNP|pobj|14|B-PERSON and|CC|cc|10 it|PRP|nsubj|18 hurt|VBD|conj|10 her|PRP|dobj|18 .|.|punct|10"),
    )

    def test_released_records_one_type(self):
        assert [c.discourse_type.name for c in candidates(self.BOTH)] == ["SINGLE_CONN_START"]

    def test_extended_records_all(self):
        found = candidates(self.BOTH, conventions="extended")
        assert [c.discourse_type.name for c in found] == ["SINGLE_CONN_START", "SINGLE_S_COORD"]


def process(*texts: str, clusters=(), paragraphs=None, salt=SALT, **config) -> Outcome:
    """Puts parses, as one paragraph unless told otherwise, through the recipe."""
    numbers = paragraphs or [0] * len(texts)
    sentences = [parsed(t, paragraph=p) for t, p in zip(texts, numbers, strict=True)]
    return DiscoFuse(DiscoFuseConfig(**config), salt=salt).process(document(sentences, clusters=clusters))


def check_conservation(outcome: Outcome) -> None:
    """Every sentence and pair read is used or rejected with one reason."""
    for unit in ("sentences", "pairs"):
        rejected = sum(v for k, v in outcome.counts.items() if k.startswith(f"{unit}/rejected/"))
        assert outcome.counts.get(f"{unit}/read", 0) == outcome.counts.get(f"{unit}/used", 0) + rejected


def run_on(tokens, end="."):
    """A sentence of clauses joined by "and", without a full stop before its end."""
    words = "The council met on Monday and talked of the bridge , and".split() * (tokens // 12 + 1)
    return " ".join([*words[: tokens - 1], end])


class TestRunOnSentences:
    """No rule sees a text that has no full stops."""

    def test_it_is_rejected_with_its_pairs(self):
        for conventions in CONVENTIONS:
            for tokens, reason in ((4000, "RUN_ON"), (501, "RUN_ON"), (500, "NO_PHENOMENON")):
                texts = ["She came to the old town in May .", run_on(tokens), "He left it again in June or July ."]
                recipe = DiscoFuse(DiscoFuseConfig(conventions=conventions))
                outcome = recipe.process(document([plain(text) for text in texts]))
                check_conservation(outcome)
                units = ("sentences", 1), ("pairs", 2)
                for unit, number in units:
                    assert outcome.counts.get(f"{unit}/rejected/RUN_ON", 0) == (number if reason == "RUN_ON" else 0), (
                        conventions
                    )

    def test_the_splitter_makes_nothing_of_it(self):
        short, long = Parse(plain("He left it again in June .")), Parse(plain(run_on(501)))
        splitter = Splitter(DiscoFuseConfig())
        assert splitter.candidates(short, long) == splitter.candidates(long, short) == splitter.candidates(long) == ()
        assert splitter.candidates(short, short) != ()


class TestRecipe:
    def test_every_rejected_candidate_is_counted_beside_an_accepted_one(self):
        # "hurt her" is too short, the first half is not
        outcome = process(TestConventions.BOTH, min_sentence_tokens=5)
        assert outcome.counts["sentences/used"] == 1 and outcome.counts["refused/SINGLE_S_COORD/TOO_SHORT"] == 1
        assert not outcome.rejects

    def test_a_document_gives_its_rows(self):
        he = [mention(0, 6, 7, "name"), mention(1, 10, 11, "pronoun", confidence=0.9)]
        outcome = process(parses.INGRAM_1, parses.INGRAM_2, clusters=[he], min_sentence_tokens=5)
        full = [r for r in outcome.rows if r.config == "full"]
        assert [r.id for r in full] == ["wikipedia-1-00000-SINGLE_VP_COORD-0", "wikipedia-1-00000-PAIR_CONN_ANAPHORA-0"]
        values = full[1].values
        assert list(values) == [c.name for c in COLUMNS]
        assert values["coherent_second_sentence"].startswith("However , on a visit")
        assert values["incoherent_second_sentence"].startswith("On a visit to England in 1860 , Ingram was")
        assert (values["has_coref_type_pronoun"], values["has_coref_type_nominal"]) == (1.0, 0.0)
        assert values["inputs"].endswith("trade. On a visit to England in 1860, Ingram was declared bankrupt.")
        assert values["targets"].endswith("trade. However, on a visit to England in 1860, he was declared bankrupt.")
        assert (values["document_id"], values["revision"], values["sentence_index"]) == ("wikipedia-1", "7", 0)
        assert (
            outcome.counts["types/full/PAIR_CONN_ANAPHORA"] == 1 and outcome.counts["connectives/full/however ,"] == 1
        )
        check_conservation(outcome)

    def test_pronouns_of_second_sentences_are_counted(self):
        he = [mention(0, 6, 7, "name"), mention(1, 10, 11, "pronoun", confidence=0.9)]
        replaced = process(parses.INGRAM_1, parses.INGRAM_2, clusters=[he], min_sentence_tokens=5).counts
        left = process(parses.INGRAM_1, parses.INGRAM_2, min_sentence_tokens=5).counts
        assert "pronouns/full/PAIR_CONN_ANAPHORA" not in replaced and left["pronouns/full/PAIR_CONN"] == 1
        groups = {"types/full": {"PAIR_CONN": 4, "PAIR_NONE": 2}, "pronouns/full": {"PAIR_CONN": 1}}
        (full,) = DiscoFuse.figures(groups)  # no row of balanced was counted
        assert as_rows(full) == [
            {"type": "PAIR_CONN", "rows": 4, "with a pronoun": 1, "share": 0.25},
            {"type": "PAIR_NONE", "rows": 2, "with a pronoun": 0, "share": 0.0},
        ]
        assert full.key == "pronouns_full"

    def test_connectives_and_types_stand_beside_the_released_ones(self):
        groups = {
            "types/balanced": {"PAIR_CONN": 2, "SINGLE_S_COORD": 1, "SINGLE_RELATIVE": 1},
            "connectives/balanced": {", but": 1, "however ,": 1, "but": 1},
        }
        connectives, types, _ = DiscoFuse.figures(groups)
        shares = {row["connective"]: (row["here"], row["paper"]) for row in as_rows(connectives)}
        assert shares["but"] == (0.5, 0.107) and shares["however"] == (0.25, 0.082) and shares["so"] == (0.0, 0.012)
        assert len(shares) == 10
        found = {row["type"]: (row["here"], row["released rows"]) for row in as_rows(types)}
        assert found["PAIR_CONN"] == (0.5, round(36 / 514, 6)) and found["PAIR_NONE"][0] == 0.0
        assert set(found) == {kind.name for kind in DiscourseType}
        assert sum(share for _, share in found.values()) == pytest.approx(1, abs=1e-5)
        assert (connectives.in_card, types.in_card) == (True, True)

    def test_what_counts_as_a_pronoun(self):
        for word, counts in (("their", True), ("It", True), ("himself", False), ("We", False)):
            assert has_pronoun([Word(word), Word("left")]) is counts, word

    def test_column_types_fit_the_values(self):
        python = {"string": str, "float64": float, "int64": int, "list<string>": list}
        for row in process(parses.KUBLER, parses.CONN_1).rows:
            assert all(type(row.values[c.name]) is python[c.type] for c in COLUMNS)

    def test_single_sentences_have_an_empty_second(self):
        row, *_ = process(parses.KUBLER).rows
        assert row.values["coherent_second_sentence"] == ""
        assert row.values["targets"].startswith("Kubler, who retired from cycling in 1957, remained")

    def test_pairs_stay_within_a_paragraph(self):
        assert process(parses.CONN_1, parses.CONN_2, paragraphs=[0, 1]).counts.get("pairs/read", 0) == 0
        assert process(parses.CONN_1, parses.CONN_2).counts["pairs/used"] == 1

    def test_rejected_candidates_are_rejects_and_the_rest_is_counted(self):
        outcome = process(parses.SHARED_OBJECT, parses.CONN_1, paragraphs=[0, 1])
        assert (
            outcome.counts["sentences/rejected/SHARED_PART"] == outcome.counts["sentences/rejected/NO_PHENOMENON"] == 1
        )
        assert outcome.counts["refused/SINGLE_VP_COORD/SHARED_PART"] == 1
        (reject,) = outcome.rejects
        assert (reject.reason.name, reject.unit, reject.index, reject.stage) == ("SHARED_PART", "sentence", 0, "recipe")
        assert reject.detail.startswith("SINGLE_VP_COORD: ")

    def test_short_and_foreign_sentences(self):
        short = "It|PRP|nsubj|2 rained|VBD|ROOT|0 .|.|punct|2"
        foreign = parses.CONN_1.replace("Hebden", "Hébden")
        outcome = process(short, foreign, parses.CONN_1, conventions="released")
        assert outcome.counts["sentences/rejected/TOO_SHORT"] == 1
        assert outcome.counts["sentences/rejected/NON_ASCII"] == 1
        assert outcome.counts["pairs/rejected/NON_ASCII"] == 2 and not outcome.rows
        assert outcome.refused.reason.name == "NO_EXAMPLES" and outcome.refused.unit == "document"

    def test_the_conventions_decide_whether_letters_outside_ascii_are_kept(self):
        texts = parses.CONN_1.replace("Hebden", "Hébden"), parses.CONN_2
        for config, kept in (
            ({}, True),
            ({"ascii_only": True}, False),
            ({"conventions": "released"}, False),
            ({"conventions": "released", "ascii_only": False}, True),
        ):
            outcome = process(*texts, **config)
            assert bool(outcome.rows) is kept is ("sentences/rejected/NON_ASCII" not in outcome.counts), config
            for row in outcome.rows:
                assert problem(row.values) is None and row.values["coherent_first_sentence"].startswith("Hébden Bridge")
                assert row.values["inputs"].startswith("Hébden Bridge is")

    def test_typographic_marks_are_ascii_in_the_tokens_and_kept_in_natural_text_by_the_conventions(self):
        marked = parses.CONN_1.replace("Hebden|", "Hebden’|")
        for config, mark in (
            ({}, "’"),
            ({"keep_marks": False}, "'"),
            ({"conventions": "released"}, "'"),
            ({"conventions": "released", "keep_marks": True}, "’"),
        ):
            outcome = process(marked, parses.CONN_2, min_sentence_tokens=5, **config)
            row = outcome.rows[0].values
            assert row["coherent_first_sentence"].startswith("Hebden' Bridge is a")
            assert row["incoherent_first_sentence"].startswith("Hebden' Bridge is a")
            assert row["inputs"].startswith(f"Hebden{mark} Bridge is a") and problem(row) is None, config
            assert row["targets"].startswith(f"Hebden{mark} Bridge is a")
            assert outcome.counts.get("sentences/rejected/NON_ASCII") is None

    def test_short_foreign_neighbour_spoils_the_pair(self):
        outcome = process("Çava|NNP|nsubj|2 rained|VBD|ROOT|0 .|.|punct|2", parses.CONN_1, ascii_only=True)
        assert outcome.counts["pairs/rejected/NON_ASCII"] == 1

    def test_balanced_is_a_part_of_full_chosen_by_hash(self):
        texts = [parses.CONN_1] * 200
        config = {"balanced_rates": {"PAIR_NONE": 0.3}, "conventions": "extended"}
        outcome = process(*texts, **config)
        full = {r.id for r in outcome.rows if r.config == "full"}
        balanced = {r.id for r in outcome.rows if r.config == "balanced"}
        assert balanced < full and 30 < len(balanced) < 90
        assert outcome.rows == process(*texts, **config).rows
        other = process(*texts, **config, salt="b").rows
        assert balanced != {r.id for r in other if r.config == "balanced"}

    def test_empty_document(self):
        outcome = process()
        assert outcome.refused is not None and outcome.rows == () and outcome.counts == {}

    def test_recipe_pickles(self):
        recipe = pickle.loads(pickle.dumps(DiscoFuse(DiscoFuseConfig())))
        assert recipe.process(document([parsed(parses.KUBLER)])).rows

    @given(
        st.lists(st.tuples(st.sampled_from([*ALL, "word " * 3, ', ( and , who - " .']), st.integers(0, 1)), max_size=8),
        st.sampled_from(["released", "extended"]),
    )
    def test_conservation_and_unique_ids(self, items, conventions):
        sentences = [parsed(t, paragraph=p) if "|" in t else plain(t, paragraph=p) for t, p in items]
        outcome = DiscoFuse(DiscoFuseConfig(conventions=conventions)).process(document(sentences))
        check_conservation(outcome)
        ids = [(r.config, r.id) for r in outcome.rows]
        assert len(ids) == len(set(ids))
        for row in outcome.rows:
            for column in ("incoherent_first_sentence", "incoherent_second_sentence", "inputs"):
                text = row.values[column]
                assert "  " not in text and text == text.strip() and not text.endswith((",", ", ."))
            assert " ," not in row.values["inputs"] and " ." not in row.values["inputs"]


def test_a_new_corpus_needs_surer_links_than_the_released_one():
    assert DiscoFuseConfig().coref_cut == 0.84 > DiscoFuseConfig(conventions="released").coref_cut
    assert DiscoFuseConfig(conventions="released", min_coref_confidence=0.0).coref_cut == 0
