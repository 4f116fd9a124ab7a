"""The rows of the recipe, and what it rejects."""

import dataclasses
from collections import Counter

from gistmill.core.records import Outcome
from gistmill.rules.documents import Sentence, natural_text
from gistmill.rules.propositions.recipe import PROPOSITIONS, REPHRASE, SENTENCES, Propositions, grain_of
from gistmill.rules.propositions.statements import PropositionsConfig, PropositionsReason
from gistmill.rules.text.prose import Places
from tests.rules.discofuse import parses
from tests.rules.propositions import parsed_texts
from tests.rules.propositions.helpers import sentences, stored_documents
from tests.testing import document, parsed, plain

OTTERS = "Otters|NNS|nsubj|2||otter live|VBP|ROOT|0 in|IN|prep|2 rivers|NNS|pobj|3||river .|.|punct|2"
OTTER_TOKENS = parsed(OTTERS).tokens
ASKED = OTTERS.replace(".|.|punct", "?|.|punct")
REFUSED = {
    "STATES_TOO_LITTLE": "No|UH|ROOT|0 .|.|punct|1",
    "STATES_A_QUESTION": ASKED,
    "STATES_NO_VERB": "The|DT|det|3 old|JJ|amod|3 mill|NN|ROOT|0 .|.|punct|3",
    "STATES_NO_SUBJECT": "Won|VBD|ROOT|0||win the|DT|det|3 race|NN|dobj|1 in|IN|prep|1 May|NNP|pobj|4|B-DATE .|.|punct|1",
    "STATES_NO_BEGINNING": OTTERS.replace("Otters", "which"),
    "STATES_NO_END": OTTERS.rpartition(" ")[0],
    "STATES_RESIDUE": Sentence(
        (OTTER_TOKENS[0], OTTER_TOKENS[1], OTTER_TOKENS[2]._replace(text="|"), *OTTER_TOKENS[3:])
    ),
    "STATES_NO_LAST_PART": OTTERS.replace("rivers|NNS|pobj|3||river", "the|DT|pobj|3"),
}


def process(*given, clusters=(), **config) -> Outcome:
    """Puts parses, as one paragraph, through the recipe."""
    return Propositions(PropositionsConfig(**config)).process(document(sentences(*given), clusters=clusters))


def check_conservation(outcome: Outcome) -> None:
    """Every sentence read is used or rejected with one reason."""
    rejected = sum(n for name, n in outcome.counts.items() if name.startswith("sentences/rejected/"))
    assert outcome.counts["sentences/read"] == outcome.counts.get("sentences/used", 0) + rejected
    assert len(outcome.rejects) == rejected
    assert len({row.values["sentence_index"] for row in outcome.rows}) == outcome.counts.get("sentences/used", 0)


class TestRejects:
    def test_a_sentence_that_states_nothing(self):
        for reason in REFUSED:
            outcome = process(OTTERS, REFUSED[reason])
            check_conservation(outcome)
            (reject,) = outcome.rejects
            assert (reject.reason.name, reject.unit, reject.index, reject.stage) == (reason, "sentence", 1, "recipe"), (
                reason
            )
            assert outcome.counts[f"sentences/rejected/{reason}"] == 1 and outcome.refused is None, reason

    def test_a_text_without_full_stops(self):
        outcome = process(OTTERS, plain(" ".join(["otters live and"] * 200 + ["swim ."])))
        assert [r.reason.name for r in outcome.rejects] == ["STATES_WITHOUT_STOPS"]

    def test_the_longest_sentence(self):
        for tokens, rejected in [(500, 0), (501, 1)]:
            inner = " ".join(f"w{k}|NN|dep|2" for k in range(tokens - 3))
            outcome = process(f"Otters|NNS|nsubj|2 live|VBP|ROOT|0 {inner} .|.|punct|2")
            assert len(outcome.rejects) == rejected, tokens

    def test_a_document_of_questions_only_is_rejected_as_a_whole(self):
        outcome = process(ASKED, ASKED)
        check_conservation(outcome)
        assert outcome.rows == () and outcome.refused.reason is PropositionsReason.NO_PROPOSITIONS
        assert outcome.refused.detail == "2 sentences" and len(outcome.rejects) == 2
        empty = process()
        assert empty.refused.reason is PropositionsReason.NO_PROPOSITIONS and empty.rejects == ()

    def test_every_reason_has_a_test(self):
        assert {*REFUSED, "STATES_WITHOUT_STOPS", "NO_PROPOSITIONS"} == {reason.name for reason in PropositionsReason}

    def test_neighbours_of_what_is_rejected(self):
        for end in ["?", '?|.|punct|2 "']:  # a question in quotation marks is one too
            outcome = process(OTTERS.replace(".|.|punct", f"{end}|.|punct"))
            assert [r.reason.name for r in outcome.rejects] == ["STATES_A_QUESTION"], end
        for first in ["iPods|NNS", "van|NNP"]:  # a name may begin in lower case
            assert process(OTTERS.replace("Otters|NNS", first)).rejects == (), first
        see = "For|IN|prep|4 more|JJR|pobj|1 ,|,|punct|4 see|VB|ROOT|0 Kent|NNP|dobj|4|B-GPE .|.|punct|4"
        assert [r.reason.name for r in process(see).rejects] == ["STATES_NO_SUBJECT"]
        assert process(see.replace(",|,|punct|4", "we|PRP|nsubj|4")).rejects == ()
        needed = "[|-LRB-|punct|2 citation|NN|nsubj|3 needed|VBD|ROOT|0||need ]|-RRB-|punct|3 .|.|punct|3"
        assert [r.reason.name for r in process(needed).rejects] == ["STATES_RESIDUE"]
        assert process(needed.replace("citation", "water")).rejects == ()
        heading = process("Early|JJ|amod|2 life|NN|ROOT|0 again|RB|advmod|2")
        assert [r.reason.name for r in heading.rejects] == ["STATES_NO_END"]


class TestRows:
    def test_a_split_sentence_has_rows_in_every_configuration(self):
        outcome = process(parses.KUBLER)
        assert [(r.config, r.id) for r in outcome.rows] == [
            (PROPOSITIONS, "wikipedia-1-00000-00"),
            (PROPOSITIONS, "wikipedia-1-00000-01"),
            (SENTENCES, "wikipedia-1-00000"),
            (REPHRASE, "wikipedia-1-00000"),
        ]
        first, second, whole, simple = (r.values for r in outcome.rows)
        assert second["proposition"] == "Kubler retired from cycling in 1957."
        assert whole["propositions"] == [first["proposition"], second["proposition"]]
        assert second["operations"] == simple["operations"] == ["SPLIT SINGLE_RELATIVE"]
        assert (second["resolved"], second["unresolved"], second["quality"]) == (False, ["NAMELESS"], 0.98)
        assert (second["resolved_with_title"], second["context"]) == (True, "Title")
        assert {key: n for key, n in outcome.counts.items() if key.startswith("resolved/")} == {
            "resolved/propositions/open": 1,
            "resolved/propositions/with_title": 1,
        }
        assert not first["resolved"] and first["unresolved"] == ["DEFINITE the wealthy alpine nation"]
        assert whole["resolved"] is False and whole["quality"] == 0.98
        assert outcome.counts[f"operations/{PROPOSITIONS}/SPLIT SINGLE_RELATIVE"] == 2
        assert outcome.counts[f"unresolved/{PROPOSITIONS}/NAMELESS"] == 1

    def test_the_context_is_the_titles_of_the_document_and_of_the_section(self):
        (first, second) = sentences(OTTERS, OTTERS)
        made = document([first, dataclasses.replace(second, section=1)], title="Otters")
        made = dataclasses.replace(made, section_titles=("", "Life"))
        rows = [r.values for r in Propositions(PropositionsConfig()).process(made).rows if r.config == PROPOSITIONS]
        assert [row["context"] for row in rows] == ["Otters", "Otters: Life"]

    def test_a_sentence_whose_edits_do_not_lead_back_has_no_row_of_simple_ones(self):
        whole = parsed(parses.KUBLER)
        spaced = (whole.tokens[0]._replace(text="kubler 3"), *whole.tokens[1:])
        outcome = Propositions(PropositionsConfig()).process(document([Sentence(spaced)]))
        assert [r.config for r in outcome.rows] == [PROPOSITIONS, PROPOSITIONS, SENTENCES]
        assert outcome.counts["refused/rephrase/NOT_REVERSIBLE"] == 1
        assert "refused/rephrase/NOT_REVERSIBLE" not in process(parses.KUBLER).counts
        assert [r.config for r in process(OTTERS).rows] == [PROPOSITIONS, SENTENCES]  # it is not split

    def test_rows_have_the_columns_of_the_schema(self):
        for text in ["stored", "stated"]:
            python = {"string": str, "float64": float, "int64": int, "bool": bool}
            recipe = Propositions(PropositionsConfig())
            columns = {c.name: {col.name: col.type for col in c.columns} for c in recipe.schema.configs}
            seen = Counter()
            for made in documents(text):
                for row in recipe.process(made).rows:
                    assert set(row.values) == set(columns[row.config]), text
                    for name, value in row.values.items():
                        kind = columns[row.config][name]
                        if kind.startswith("list<"):
                            assert all(type(v) is python[kind[5:-1]] for v in value), text
                        elif value is not None:
                            assert type(value) is python.get(kind, type(value)), name
                    seen[row.config] += 1
            assert set(seen) == {PROPOSITIONS, SENTENCES, REPHRASE}, text

    def test_sentences_are_used_or_rejected_and_ids_are_unique(self):
        for text in ["stored", "stated"]:
            recipe = Propositions(PropositionsConfig())
            for made in documents(text):
                outcome = recipe.process(made)
                assert outcome == Propositions(PropositionsConfig(), salt="other").process(made)
                check_conservation(outcome)
                ids = [(r.config, r.id) for r in outcome.rows]
                assert len(ids) == len(set(ids)) and all(r.id == r.values["id"] for r in outcome.rows), text

    def test_places_lead_to_the_text(self):
        recipe = Propositions(PropositionsConfig())
        for made in documents("stated"):
            text = Places(made).text
            for row in recipe.process(made).rows:
                values = row.values
                sentence = natural_text(made.sentences[values["sentence_index"]].tokens)
                assert text[values["sentence_start"] : values["sentence_end"]] == sentence
                if row.config == PROPOSITIONS and not values["operations"]:
                    ((start, end),) = zip(values["piece_starts"], values["piece_ends"], strict=True)
                    assert text[start:end] == values["proposition"]

    def test_the_pieces_of_a_replaced_mention_are_those_of_its_antecedent(self):
        made = parsed_texts.parsed_text("Ada Lovelace was born in London. Lovelace died in 1852.")
        text = Places(made).text
        last = [r.values for r in Propositions(PropositionsConfig()).process(made).rows if r.config == PROPOSITIONS][-1]
        pieces = [text[s:e] for s, e in zip(last["piece_starts"], last["piece_ends"], strict=True)]
        assert pieces == ["Ada Lovelace", "died in 1852."]
        assert last["operations"] == ["REPLACE Lovelace by Ada Lovelace (0.85)"] and last["quality"] == 0.85


def documents(name: str):
    """The documents of stored parses: those of DiscoFuse, or those of the texts of this folder."""
    if name == "stored":
        return list(stored_documents())
    return [parsed_texts.parsed_text(case.text) for case in parsed_texts.cases(name)]


class TestConfig:
    def test_precision_sets_how_sure_a_link_must_be(self):
        for precision, cut in [("strict", 0.92), ("balanced", 0.84), ("generous", 0.7)]:
            assert PropositionsConfig(precision=precision).coref_cut == cut, precision
            assert PropositionsConfig(precision=precision, min_coref_confidence=0.5).coref_cut == 0.5, precision
        assert PropositionsConfig(min_coref_confidence=0.0).coref_cut == 0.0


def test_operations_say_the_coarsest_grain_of_a_statement():
    for grain, *operations in (
        ("sentence",),
        ("sentence", "REPLACE she by Ada (0.97)"),
        ("clause", "SPLIT SINGLE_S_COORD , and"),
        ("clause", "DELETE , as a result ,", "REPLACE she by Ada (0.97)"),
        ("fact", "SPLIT SINGLE_S_COORD , and", "DELETE in 1815"),
        ("fact", "DELETE however ,", "STATE participle"),
        ("fact", "SPLIT SEMICOLON ;"),
    ):
        assert grain_of(operations) == grain, operations
