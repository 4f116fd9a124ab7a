"""A sentence is split until no rule splits a part, and what it does not assert is never stated bare."""

import re
from collections.abc import Iterator

import pytest

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import natural_text
from gistmill.rules.propositions.splitting import Part, described, divided
from gistmill.rules.propositions.statements import PropositionsConfig, Statement
from tests.rules.discofuse import parses
from tests.rules.propositions import parsed_texts
from tests.rules.propositions.helpers import stated, statements, stored_documents, whole
from tests.testing import plain

CASES = parsed_texts.cases("stated")


def texts(part: Part) -> list[str]:
    """What a sentence is split into."""
    return [natural_text(leaf.parse.tokens) for leaf, _ in part.leaves()]


def parts(part: Part) -> Iterator[Part]:
    """Yields a part and all parts below it."""
    yield part
    for below in part.below:
        yield from parts(below)


def words(text: str) -> list[str]:
    """The words of a text in lower case, so that marks and capitals do not matter."""
    return re.findall(r"[a-z0-9']+", text.lower())


def shown(statement: Statement) -> str:
    """A statement as a line of `stated.txt`: with what does not stand alone, if there is any."""
    left = "; ".join(f"{u.kind.name} {u.text}".rstrip() for u in statement.unresolved)
    return f"{statement.text} <{left}>" if left else statement.text


def test_the_statements_of_a_text():
    for case in CASES:
        assert tuple(map(shown, stated(parsed_texts.parsed_text(case.text)))) == case.lines, case.text


UNASSERTED = parsed_texts.cases("unasserted")


def test_what_a_text_does_not_assert_is_not_stated_bare():
    assert len(UNASSERTED) > 40 and all(case.lines for case in UNASSERTED)
    for asked in [{"grain": "fact"}, *({"precision": name} for name in ("generous", "balanced", "strict"))]:
        for case in UNASSERTED:
            made = [words(s.text) for s in stated(parsed_texts.parsed_text(case.text), **asked)]
            for clause in case.lines:
                assert words(clause) not in made, case.text


@pytest.mark.slow
def test_the_parses_are_those_of_the_models():
    assert "".join(parsed_texts.written()) == parsed_texts.PARSES.read_text(encoding="utf-8")


class TestRecursion:
    def test_a_relative_clause_and_an_apposition_of_one_sentence(self):
        text = parses.of("Ada , a nurse from Oslo , often has praised Bea Lane , who lives in Rome .")
        found = whole(text)
        assert texts(found) == [
            "Ada often has praised Bea Lane.",
            "Ada is a nurse from Oslo.",
            "Bea Lane lives in Rome.",
        ]
        assert [described(p) for p in parts(found) if p.split] == ["SPLIT SINGLE_RELATIVE", "SPLIT SINGLE_APPOSITION"]

    def test_three_coordinated_clauses(self):
        text = parses.of("The mill burned in May , but the farm stood in June , and the owner sold the land .")
        assert texts(whole(text)) == ["The mill burned in May.", "The farm stood in June.", "The owner sold the land."]

    def test_a_sentence_without_a_split_is_one_part(self):
        found = whole("Otters|NNS|nsubj|2||otter live|VBP|ROOT|0 in|IN|prep|2 rivers|NNS|pobj|3||river .|.|punct|2")
        assert (found.split, found.connective, found.below) == (None, "", ())
        assert [leaf for leaf, path in found.leaves() if path == ()] == [found]

    def test_the_path_of_a_leaf_begins_with_the_sentence(self):
        found = whole(parses.DOUGLAS)
        for leaf, path in found.leaves():
            assert path[0] is found and leaf in path[-1].below and not leaf.below

    def test_many_clauses_end_in_time(self):
        clause = "the mill burned and"
        found = whole(plain(" ".join([clause] * 100 + ["it fell ."])))
        assert texts(found)[0].startswith("the mill")


class TestConnective:
    HOWEVER = parses.of("However , the mill closed in May .")

    def test_it_is_taken_out(self):
        found = whole(self.HOWEVER)
        assert (found.split, found.connective, texts(found)) == (None, "however ,", ["The mill closed in May."])
        assert described(found) == "DELETE however ,"
        (statement,) = statements(self.HOWEVER)
        assert (statement.text, statement.operations) == ("The mill closed in May.", ("DELETE however ,",))

    def test_it_stays_where_it_is_part_of_the_clause(self):
        text = self.HOWEVER.replace("However|RB|advmod|5 ,|,|punct|5", "However|RB|advmod|2 much|RB|advmod|5")
        assert whole(text).connective == ""

    def test_a_sentence_of_nothing_else_stays(self):
        found = whole("Then|RB|advmod|3 ,|,|punct|3 war|NN|ROOT|0 .|.|punct|3")
        assert not found.below or len(texts(found)[0].split()) > 1

    def test_it_is_taken_out_of_the_half_that_has_it(self):
        text = parses.of("Ada left the town , but the mill , however closed soon .")
        assert texts(whole(text))[0] == "Ada left the town."
        assert all("but" not in text.lower().split() for text in texts(whole(text)))


def test_origins_lead_to_the_words_of_the_sentence_and_parts_get_shorter():
    seen = 0
    for sentence in (s for document in stored_documents() for s in document.sentences):
        for part in parts(divided(Parse(sentence), Splitter(PropositionsConfig().splits))):
            assert all(len(below.parse) < len(part.parse) for below in part.below)
            seen += len(part.below)
            assert len(part.origins) == len(part.parse)
            for origin, token in zip(part.origins, part.parse.sentence.tokens, strict=True):
                if origin >= 0 and token.text.lower() != sentence.tokens[origin].text.lower():
                    # a rule gives a word another form
                    assert token.pos in ("VERB", "AUX") or token.tag == "DT", (token, sentence)
    assert seen > 500
    # a written word has none
    assert [leaf.origins for leaf, _ in whole(parses.OSLO).leaves()][1] == (0, 1, -1, 3, 4, 5, 6, -1)


def test_strict_splits_less_and_generous_more():
    made = {
        precision: sum(
            len(list(divided(Parse(s), Splitter(PropositionsConfig(precision=precision).splits)).leaves()))
            for document in stored_documents()
            for s in document.sentences
        )
        for precision in ("strict", "balanced", "generous")
    }
    assert made["strict"] < made["balanced"] < made["generous"]
