"""What of a statement does not stand alone: the awkward cases, each with its closest neighbour that does."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.propositions.open_references import find
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)

# "Ada met X in Kent." and "X won in Kent." so that the subject or the object is all that differs.
WON = "won|VBD|ROOT|0||win in|IN|prep|{0} Kent|NNP|pobj|{1}|B-GPE .|.|punct|{0}"


def subject(*words: str) -> str:
    """A statement with this subject, whose words hang on the last one unless they say otherwise."""
    n = len(words)
    return " ".join([*words, WON.format(n + 1, n + 2)])


def kinds(text: str, *, explained=(), title: str = "") -> list[tuple[str, str]]:
    parse = Parse(parsed(text))
    found = find(parse, explained, title=title)
    return [(o.kind.name, " ".join(t.text for t in parse.tokens[o.start : o.end])) for o in found]


OPEN = {
    "a reader": (subject("Your|PRP$|poss|2", "team|NN|nsubj|3"), [("SPEAKER", "Your")]),
    "the with an ordinal": (
        subject("The|DT|det|3", "second|JJ|amod|3|B-ORDINAL", "team|NN|nsubj|4"),
        [("DEFINITE", "The second team")],
    ),
    "the latter": (subject("The|DT|det|2", "latter|JJ|nsubj|3"), [("OTHER", "latter")]),
    "at the time": (
        "At|IN|prep|5 the|DT|det|3 time|NN|pobj|1 Ada|NNP|nsubj|5|B-PERSON won|VBD|ROOT|0||win .|.|punct|5",
        [("TIME", "time")],
    ),
    "a connective": (
        "Ada|NNP|nsubj|3|B-PERSON therefore|RB|advmod|3 won|VBD|ROOT|0||win .|.|punct|3",
        [("CONNECTIVE", "therefore")],
    ),
    "a noun that lacks what it is of": (
        "Sales|NNS|nsubj|2||sale rose|VBD|ROOT|0||rise in|IN|prep|2 Kent|NNP|pobj|3|B-GPE .|.|punct|2",
        [("OTHER", "Sales")],
    ),
    "the former team": (
        subject("The|DT|det|3", "former|JJ|amod|3", "team|NN|nsubj|4"),
        [("DEFINITE", "The former team"), ("OTHER", "former")],
    ),
}
CLOSED = {
    "the with a clause": parses.of("The book that Ada wrote sold ."),
    "a year of its own": (
        "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0||win in|IN|prep|2 1990|CD|pobj|3|B-DATE .|.|punct|2"
    ),
    "at the time of": parses.of("At the time of Kent Ada won ."),
    "what a noun is of": parses.of("Sales of beer rose in Kent ."),
    "a truth without a time": "Gold|NN|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 metal|NN|attr|2 .|.|punct|2",
    "both with two names": subject(
        "Both|DT|det|2", "Ada|NNP|nsubj|5|B-PERSON", "and|CC|cc|2", "Bob|NNP|conj|2|B-PERSON"
    ),
    "a former teacher": (
        "Ada|NNP|nsubj|2|B-PERSON is|VBZ|ROOT|0||be a|DT|det|5 former|JJ|amod|5 teacher|NN|attr|2 .|.|punct|2"
    ),
    "a former president with a name": subject(
        "Former|JJ|amod|3", "president|NN|compound|3", "Clinton|NNP|nsubj|4|B-PERSON"
    ),
    "the former president with a name": subject(
        "The|DT|det|4", "former|JJ|amod|4", "president|NN|compound|4", "Clinton|NNP|nsubj|5|B-PERSON"
    ),
    "the with a participle": parses.of("The mill built in Kent burned ."),
    "a title in the midst of a statement": parses.of("Ada saw The Best Years of Our Lives ."),
    "a slash that a tagger takes for a pronoun": (
        "Ada|NNP|nsubj|4|B-PERSON /|PRP|punct|1 Bob|NNP|appos|1|B-PERSON won|VBD|ROOT|0||win .|.|punct|4"
    ),
}


def test_what_does_not_stand_alone_is_found():
    for name in OPEN:
        text, expected = OPEN[name]
        assert kinds(text) == expected, name


def test_what_stands_alone_is_not():
    for name in CLOSED:
        assert kinds(CLOSED[name]) == [], name


def test_what_the_title_of_the_document_names_is_known():
    for title, expected in CASES["what the title of the document names is known"]:
        assert kinds(subject("The|DT|det|2", "mill|NN|nsubj|3"), title=title) == [tuple(found) for found in expected], (
            title
        )


def test_findings_come_in_the_order_of_the_statement():
    text = "She|PRP|nsubj|2 saw|VBD|ROOT|0||see the|DT|det|4 mill|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
    assert [kind for kind, _ in kinds(text)] == ["PRONOUN", "DEFINITE", "PLACE"]
