"""Statements of one fact each: the text entails each of them, and each is made of it."""

import re

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.documents import natural_text
from gistmill.rules.propositions.facts import RULES, is_asserted
from gistmill.rules.propositions.reductions import OPTIONAL, optional
from tests.rules.propositions import parsed_texts
from tests.rules.propositions.helpers import stated, used

CASES = parsed_texts.cases("facts")


def texts(text: str, **config) -> tuple[str, ...]:
    """The statements of a text."""
    return tuple(s.text for s in stated(parsed_texts.parsed_text(text), **config))


def test_the_facts_of_a_text():
    for case in CASES:
        assert texts(case.text, grain="fact", precision="generous") == case.lines, case.text


def test_a_fact_below_the_quality_of_the_precision_is_left_out_and_the_clause_stays():
    text = "The mill and the farm were sold by Ada Lane, who was paid well, in May."
    every = {s.text: s.quality for s in stated(parsed_texts.parsed_text(text), grain="fact", precision="generous")}
    assert min(every, key=every.get) == "The mill was sold by Ada Lane."
    assert set(texts(text, grain="fact")) == {text for text, quality in every.items() if quality >= 0.86} != set(every)
    assert texts(text, grain="fact", precision="strict") == (text,)


def matches(rule, text: str) -> int:
    """How many words of a text a rule matches at."""
    found = 0
    for sentence in parsed_texts.parsed_text(text).sentences:
        parse = Parse(sentence)
        left_out = {phrase.head for phrase in optional(parse)}
        for k, token in enumerate(parse.tokens):
            if token.dep in rule.labels and rule.find(parse, k):
                found += is_asserted(parse, k) if rule in RULES else k in left_out
    return found


def test_a_rule_matches_one_of_its_examples_and_not_the_other():
    assert len({rule.id for rule in (*RULES, *OPTIONAL)}) == len(RULES) + len(OPTIONAL)
    for rule in (*RULES, *OPTIONAL):
        assert matches(rule, rule.passes) and not matches(rule, rule.refuses), rule.id


class TestGrain:
    TEXT = "The team, founded in 1990, won the cup, beating Leeds."

    def test_a_clause_is_the_default(self):
        for case in parsed_texts.cases("stated"):
            assert texts(case.text) == texts(case.text, grain="clause")

    def test_a_sentence_is_not_split(self):
        for case in parsed_texts.cases("stated"):
            for found in used(parsed_texts.parsed_text(case.text), grain="sentence"):
                (statement,) = found.statements
                assert found.whole.split is None and found.whole.connective == ""
                assert all(operation.startswith("REPLACE") for operation in statement.operations)

    def test_facts_say_what_was_done(self):
        found = stated(parsed_texts.parsed_text(self.TEXT), grain="fact", precision="generous")
        done = {s.text: (s.operations, s.quality) for s in found}
        assert done["The team won the cup."] == (("DELETE , founded in 1990 , ... , beating Leeds",), 0.8832)
        assert done["The team won the cup, beating Leeds."] == (("DELETE , founded in 1990 ,",), 0.92)


def test_facts_are_made_of_their_sentence_and_are_unlike_each_other(documents):
    seen = 0
    for document in documents:
        for found in used(document, grain="fact"):
            statements = [s.text for s in found.statements]
            assert statements and len(statements) == len(set(statements))
            for statement in found.statements:
                if statement.replaced:
                    continue
                pieces = (document.sentences[i].tokens[start:end] for i, start, end in statement.pieces)
                there = {word for piece in pieces for word in words(natural_text(piece))}
                # a step writes a verb, or "be" and an article
                assert len(set(words(statement.text)) - there) <= 2 * len(statement.operations), statement
                seen += 1
    assert seen > 1000


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return re.findall(r"\w+", text.lower())
