"""What of a statement does not stand alone, kind by kind, with its closest neighbour that does."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.propositions.open_references import Kind, find
from tests.testing import parsed

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
    "a pronoun": (subject("She|PRP|nsubj|2"), [("PRONOUN", "She")]),
    "a possessive": (subject("Her|PRP$|poss|2", "team|NN|nsubj|3"), [("PRONOUN", "Her")]),
    "a speaker": (subject("We|PRP|nsubj|2"), [("SPEAKER", "We")]),
    "a reader": (subject("Your|PRP$|poss|2", "team|NN|nsubj|3"), [("SPEAKER", "Your")]),
    "this with a noun": (subject("This|DT|det|2", "team|NN|nsubj|3"), [("DEMONSTRATIVE", "This")]),
    "that alone": (subject("That|DT|nsubj|2"), [("DEMONSTRATIVE", "That")]),
    "such": (subject("Such|JJ|amod|2", "teams|NNS|nsubj|3"), [("DEMONSTRATIVE", "Such")]),
    "the with a bare noun": (subject("The|DT|det|2", "team|NN|nsubj|3"), [("DEFINITE", "The team")]),
    "the with an ordinal": (
        subject("The|DT|det|3", "second|JJ|amod|3|B-ORDINAL", "team|NN|nsubj|4"),
        [("DEFINITE", "The second team")],
    ),
    "the latter": (subject("The|DT|det|2", "latter|JJ|nsubj|3"), [("OTHER", "latter")]),
    "another": (subject("Another|DT|det|2", "team|NN|nsubj|3"), [("OTHER", "Another")]),
    "both with a noun": (subject("Both|DT|det|2", "teams|NNS|nsubj|3"), [("OTHER", "Both")]),
    "others": (subject("Others|NNS|nsubj|2"), [("OTHER", "Others")]),
    "some alone": (subject("Some|DT|nsubj|2"), [("OTHER", "Some")]),
    "there as a place": (
        "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0||win there|RB|advmod|2 .|.|punct|2",
        [("PLACE", "there")],
    ),
    "now": ("Ada|NNP|nsubj|2|B-PERSON wins|VBZ|ROOT|0||win now|RB|advmod|2 .|.|punct|2", [("TIME", "now")]),
    "the following year": (
        "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0||win the|DT|det|5|B-DATE following|JJ|amod|5|I-DATE "
        "year|NN|npadvmod|2|I-DATE .|.|punct|2",
        [("TIME", "following")],
    ),
    "two years later": (
        "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0||win two|CD|nummod|4|B-DATE years|NNS|npadvmod|5|I-DATE|year "
        "later|RB|advmod|2 .|.|punct|2",
        [("TIME", "later")],
    ),
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
    "a name": subject("Ada|NNP|nsubj|2|B-PERSON"),
    "the with a name": subject("The|DT|det|3", "Kent|NNP|compound|3|B-ORG", "team|NN|nsubj|4"),
    "a reflexive": "Ada|NNP|nsubj|2|B-PERSON praised|VBD|ROOT|0||praise herself|PRP|dobj|2 .|.|punct|2",
    "an empty it": "It|PRP|nsubj|2 rained|VBD|ROOT|0||rain in|IN|prep|2 Kent|NNP|pobj|3|B-GPE .|.|punct|2",
    "a that which opens a clause": (
        "Ada|NNP|nsubj|2|B-PERSON said|VBD|ROOT|0||say that|IN|mark|5 Bob|NNP|nsubj|5|B-PERSON won|VBD|ccomp|2||win "
        ".|.|punct|2"
    ),
    "a relative that": (
        "Ada|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0||see a|DT|det|4 mill|NN|dobj|2 that|WDT|nsubj|6 burned|VBD|relcl|4 "
        ".|.|punct|2"
    ),
    "such as": (
        "Towns|NNS|nsubj|5|B-GPE such|JJ|amod|3 as|IN|prep|1 Leeds|NNP|pobj|3|B-GPE grow|VBP|ROOT|0 .|.|punct|5"
    ),
    "one of": (
        "One|CD|nsubj|5 of|IN|prep|1 the|DT|det|4 mills|NNS|pobj|2 in|IN|prep|4 Kent|NNP|pobj|5|B-GPE burned|VBD|ROOT|0 "
        ".|.|punct|7"
    ).replace("One|CD|nsubj|5", "One|CD|nsubj|7"),
    "those who": (
        "Those|DT|nsubj|5 who|WP|nsubj|3 know|VBP|relcl|1 Kent|NNP|dobj|3|B-GPE like|VBP|ROOT|0 it|PRP|dobj|5 .|.|punct|5"
    ).replace("it|PRP|dobj|5", "Ada|NNP|dobj|5|B-PERSON"),
    "the with of": subject("The|DT|det|2", "mayor|NN|nsubj|5", "of|IN|prep|2", "Leeds|NNP|pobj|3|B-GPE"),
    "the with a clause": (
        "The|DT|det|2 book|NN|nsubj|6 that|WDT|dobj|5 Ada|NNP|nsubj|5|B-PERSON wrote|VBD|relcl|2||write "
        "sold|VBD|ROOT|0||sell .|.|punct|6"
    ),
    "there is": ("There|EX|expl|2 are|VBP|ROOT|0||be mills|NNS|attr|2 in|IN|prep|2 Kent|NNP|pobj|4|B-GPE .|.|punct|2"),
    "a year of its own": (
        "Ada|NNP|nsubj|2|B-PERSON won|VBD|ROOT|0||win in|IN|prep|2 1990|CD|pobj|3|B-DATE .|.|punct|2"
    ),
    "at the time of": (
        "At|IN|prep|7 the|DT|det|3 time|NN|pobj|1 of|IN|prep|3 Kent|NNP|pobj|4|B-GPE Ada|NNP|nsubj|7|B-PERSON "
        "won|VBD|ROOT|0||win .|.|punct|7"
    ),
    "what a noun is of": (
        "Sales|NNS|nsubj|4||sale of|IN|prep|1 beer|NN|pobj|2 rose|VBD|ROOT|0||rise in|IN|prep|4 Kent|NNP|pobj|5|B-GPE "
        ".|.|punct|4"
    ),
    "a truth without a time": "Gold|NN|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 metal|NN|attr|2 .|.|punct|2",
    "what there is one of": "The|DT|det|2 sun|NN|nsubj|3 is|VBZ|ROOT|0||be a|DT|det|5 star|NN|attr|3 .|.|punct|3",
    "what the title of a work says": (
        "The|DT|det|3|B-WORK_OF_ART Best|NNP|amod|3|I-WORK_OF_ART Years|NNPS|nsubj|7|I-WORK_OF_ART "
        "of|IN|prep|3|I-WORK_OF_ART Our|PRP$|poss|6|I-WORK_OF_ART Lives|NNPS|pobj|4|I-WORK_OF_ART "
        "won|VBD|ROOT|0||win Oscars|NNPS|dobj|7 .|.|punct|7"
    ),
    "each other": (
        "Ada|NNP|nsubj|4|B-PERSON and|CC|cc|1 Bob|NNP|conj|1|B-PERSON met|VBD|ROOT|0||meet each|DT|det|6 other|JJ|dobj|4 "
        ".|.|punct|4"
    ),
    "one another": (
        "Ada|NNP|nsubj|4|B-PERSON and|CC|cc|1 Bob|NNP|conj|1|B-PERSON met|VBD|ROOT|0||meet one|CD|nummod|6 "
        "another|DT|dobj|4 .|.|punct|4"
    ),
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
    "the with a participle": (
        "The|DT|det|2 mill|NN|nsubj|6 built|VBN|acl|2||build in|IN|prep|3 Kent|NNP|pobj|4|B-GPE "
        "burned|VBD|ROOT|0||burn .|.|punct|6"
    ),
    "a title in the midst of a statement": (
        "Ada|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0||see The|DT|det|5 Best|JJS|amod|5 Years|NNPS|dobj|2 of|IN|prep|5 "
        "Our|PRP$|poss|8 Lives|NNPS|pobj|6 .|.|punct|2"
    ),
    "a slash that a tagger takes for a pronoun": (
        "Ada|NNP|nsubj|4|B-PERSON /|PRP|punct|1 Bob|NNP|appos|1|B-PERSON won|VBD|ROOT|0||win .|.|punct|4"
    ),
}


@pytest.mark.parametrize("name", OPEN)
def test_what_does_not_stand_alone_is_found(name):
    text, expected = OPEN[name]
    assert kinds(text) == expected


@pytest.mark.parametrize("name", CLOSED)
def test_what_stands_alone_is_not(name):
    assert kinds(CLOSED[name]) == []


def test_every_kind_has_a_case():
    rest = {Kind.NAMELESS.name}  # test_open_references.py has it
    assert {kind for _, found in OPEN.values() for kind, _ in found} == {kind.name for kind in Kind} - rest


def test_what_is_explained_needs_nothing():
    assert kinds(OPEN["a pronoun"][0], explained={0}) == []
    assert kinds(OPEN["the with a bare noun"][0], explained={1}) == []


@pytest.mark.parametrize(
    ("title", "expected"),
    [("Mill", []), ("Old mill (Leeds)", []), ("Miller", [("DEFINITE", "The mill")]), ("", [("DEFINITE", "The mill")])],
)
def test_what_the_title_of_the_document_names_is_known(title, expected):
    assert kinds(subject("The|DT|det|2", "mill|NN|nsubj|3"), title=title) == expected


def test_findings_come_in_the_order_of_the_statement():
    text = "She|PRP|nsubj|2 saw|VBD|ROOT|0||see the|DT|det|4 mill|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
    assert [kind for kind, _ in kinds(text)] == ["PRONOUN", "DEFINITE", "PLACE"]


def test_an_event_is_told_of_alone():
    text = "Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall there|RB|advmod|2 .|.|punct|2"
    assert kinds(text) == [("PLACE", "there")]
    assert kinds("Rain|NN|nsubj|2 falls|VBZ|ROOT|0||fall .|.|punct|2") == []
