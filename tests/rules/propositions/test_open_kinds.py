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
CLAUSES = {"RULED": RULED, "WOULD": WOULD}


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


def test_what_stands_under_an_opening_is_not_parted_from_it():
    for name, opening, clauses in CASES["openings that clauses stand under"]:
        (made,) = said(opening, CLAUSES[clauses])
        assert made.operations == (), name


def test_other_sentences_are_split():
    for name, opening, clauses in CASES["openings that are apart"]:
        made = said(opening, CLAUSES[clauses])
        assert [s.operations[0].split()[0] for s in made] in (["SPLIT", "SPLIT"], ["DELETE", "DELETE"]), name
        assert len(made) == 2 and any("SPLIT SINGLE_S_COORD , and" in s.operations for s in made), name


def test_a_source_at_the_end_is_that_of_all():
    (made,) = said("", RULED, ",|,|punct|C according|VBG|prep|C to|IN|prep|15 Smith|NNP|pobj|16|B-PERSON")
    assert made.text.endswith(", according to Smith.") and made.operations == ()
