"""What of a statement does not stand alone: the awkward cases, each with its closest neighbour that does."""

from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.propositions.open_references import find
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.propositions.helpers import statements
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


OPEN = CASES["open"]
CLOSED = CASES["closed"]


def test_what_does_not_stand_alone_is_found():
    for name, (text, expected) in OPEN.items():
        assert kinds(text) == [tuple(found) for found in expected], name


def test_what_stands_alone_is_not():
    for name, text in CLOSED.items():
        assert kinds(text) == [], name


def test_what_the_title_of_the_document_names_is_known():
    for title, expected in CASES["what the title of the document names is known"]:
        assert kinds(subject("The|DT|det|2", "mill|NN|nsubj|3"), title=title) == [tuple(found) for found in expected], (
            title
        )


def test_findings_come_in_the_order_of_the_statement():
    text = "She|PRP|nsubj|2 saw|VBD|ROOT|0||see the|DT|det|4 mill|NN|dobj|2 there|RB|advmod|2 .|.|punct|2"
    assert [kind for kind, _ in kinds(text)] == ["PRONOUN", "DEFINITE", "PLACE"]


# A half that loses what opens its sentence is not stated: the condition, the view, the source or the doubt.


# Two clauses behind an opening. Heads are "V" and "C", the two verbs, or count from the first word of the clauses.
RULED = parses.of("The old king ruled the land , and the queen led the army")
WOULD = parses.of("The old king would rule the land , and the queen would lead the army")


def said(opening: str, clauses: str, ending: str = ""):
    """Returns the statements of an opening, two clauses and an ending."""
    items = [item.split("|") for item in (*opening.split(), *clauses.split(), *ending.split(), ".|.|punct|V")]
    before = len(opening.split())
    verbs = {
        "V": next(k for k, item in enumerate(items, 1) if item[2] == "ROOT"),
        "C": next(k for k, item in enumerate(items, 1) if item[2] == "conj"),
    }
    for item in items:
        head = item[3]
        item[3] = str(verbs.get(head) or int(head) + before * head.startswith("+"))
    if opening:
        items[before][0] = items[before][0].lower()
    return statements(" ".join("|".join(item) for item in items))


# What opens a sentence.
UNDER = {
    "If": ("If|IN|mark|4 the|DT|det|3 mill|NN|nsubj|4 ran|VBD|advcl|V ,|,|punct|V", RULED),
    "Whenever": ("Whenever|WRB|advmod|4 the|DT|det|3 mill|NN|nsubj|4 ran|VBD|advcl|V ,|,|punct|V", RULED),
    "As long as": ("As|RB|advmod|2 long|RB|advmod|V as|IN|mark|5 mills|NNS|nsubj|5 ran|VBD|advcl|2 ,|,|punct|V", RULED),
    "Assuming that": ("Assuming|VBG|advcl|V that|IN|mark|4 mills|NNS|nsubj|4 ran|VBD|ccomp|1 ,|,|punct|V", WOULD),
    "Had": ("Had|VBD|aux|3 mills|NNS|nsubj|3 run|VBN|advcl|V ,|,|punct|V", WOULD),
    "Without": ("Without|IN|prep|V mills|NNS|pobj|1 ,|,|punct|V", WOULD),
    "But for": ("But|CC|cc|V for|IN|prep|V mills|NNS|pobj|2 ,|,|punct|V", WOULD),
    "Probably": ("Probably|RB|advmod|V ,|,|punct|V", RULED),
    "In the novel": ("In|IN|prep|V the|DT|det|3 novel|NN|pobj|1 ,|,|punct|V", RULED),
    "In Smith's view": ("In|IN|prep|V Smith|NNP|poss|4|B-PERSON 's|POS|case|2 view|NN|pobj|1 ,|,|punct|V", RULED),
}
APART = {
    "nothing": ("", RULED),
    "a place": ("In|IN|prep|V the|DT|det|3 valley|NN|pobj|1 ,|,|punct|V", RULED),
    "a participle": ("Born|VBN|advcl|V in|IN|prep|1 Leeds|NNP|pobj|2|B-GPE ,|,|punct|V", RULED),
    "Without, as a fact": ("Without|IN|prep|V mills|NNS|pobj|1 ,|,|punct|V", RULED),
    "But alone": ("But|CC|cc|V", WOULD),
}


def test_what_stands_under_an_opening_is_not_parted_from_it():
    for name in UNDER:
        (made,) = said(*UNDER[name])
        assert made.operations == (), name


def test_other_sentences_are_split():
    for name in APART:
        made = said(*APART[name])
        assert [s.operations[0].split()[0] for s in made] in (["SPLIT", "SPLIT"], ["DELETE", "DELETE"]), name
        assert len(made) == 2 and any("SPLIT SINGLE_S_COORD , and" in s.operations for s in made), name


def test_a_source_at_the_end_is_that_of_all():
    (made,) = said("", RULED, ",|,|punct|C according|VBG|prep|C to|IN|prep|15 Smith|NNP|pobj|16|B-PERSON")
    assert made.text.endswith(", according to Smith.") and made.operations == ()
