"""Phrases that belong to nobody of their half: dangling participles, items of lists, and pronouns with a rival."""

from __future__ import annotations

import pytest

from tests.rules.discofuse.helpers import candidates, outcome
from tests.testing import mention


def reasons(text: str, kind: str, second: str = "", **given) -> list[str | None]:
    found = [c for c in candidates(text, second, conventions="extended", **given) if c.discourse_type.name == kind]
    return [c.verdict.reason and c.verdict.reason.name for c in found]


@pytest.mark.parametrize(
    ("participle", "subject", "reason"),
    [
        ("Heading", "gap|NN", "DANGLING_PARTICIPLE"),  # those who travel head south
        ("Heading", "Ada|NNP", None),
        ("Stretching", "gap|NN", None),
        ("Reflecting", "gap|NN", None),
        ("Heading", "it|PRP", "DANGLING_PARTICIPLE"),
    ],
)
def test_a_thing_does_not_act(participle, subject, reason):
    entity = "|B-PERSON" if subject.startswith("Ada") else ""
    text = (
        f"{participle}|VBG|advcl|7 far|RB|advmod|1 south|RB|advmod|1 ,|,|punct|7 one|CD|nummod|6 "
        f"{subject}|nsubj|7{entity} closed|VBD|ROOT|0||close last|JJ|amod|9 year|NN|npadvmod|7 .|.|punct|7"
    )
    if subject == "it|PRP" or entity:
        text = text.replace("one|CD|nummod|6", "soon|RB|advmod|7")
    assert reasons(text, "SINGLE_CATAPHORA") == [reason]


def test_a_subject_is_not_said_again_with_one_of_two_commas():
    text = (
        "Hearing|VBG|advcl|13 of|IN|prep|1 war|NN|pobj|2 ,|,|punct|13 Ada|NNP|nsubj|13|B-PERSON ,|,|punct|5 "
        "with|IN|prep|5 her|PRP$|poss|9 men|NNS|pobj|7||man and|CC|cc|9 boys|NNS|conj|9||boy ,|,|punct|13 "
        "left|VBD|ROOT|0||leave the|DT|det|15 camp|NN|dobj|13 .|.|punct|13"
    )
    assert reasons(text, "SINGLE_CATAPHORA") == ["CLAUSE_CUT"]


class TestForwardConnective:
    def test_a_list_goes_on_behind_the_comma(self):
        text = (
            "Although|IN|mark|3 trade|NN|nsubj|3 served|VBD|advcl|{verb}||serve old|JJ|amod|5 debts|NNS|dobj|3||debt "
            ",|,|punct|{verb} {more}denial|NN|nsubj|{verb} went|VBD|ROOT|0||go too|RB|advmod|{far} far|RB|advmod|{verb} "
            ".|.|punct|{verb}"
        )
        listed = text.format(more="rights|NNS|nsubj|10||right ,|,|punct|7 ", verb=10, far=12)
        assert reasons(listed, "SINGLE_CONN_START") == ["CLAUSE_CUT"]
        assert reasons(text.format(more="", verb=8, far=10), "SINGLE_CONN_START") == [None]

    def test_a_noun_in_ing_is_a_subject(self):
        text = (
            "Although|IN|mark|4 building|VBG|csubj|4||build projects|NNS|dobj|2||project include|VBP|advcl|11 "
            "many|JJ|amod|6 parts|NNS|dobj|4||part ,|,|punct|11 most|JJS|amod|9 firms|NNS|nsubj|11||firm "
            "still|RB|advmod|11 make|VBP|ROOT|0 money|NN|dobj|11 .|.|punct|11"
        )
        assert outcome(text, conventions="extended")[1:3] == (
            "Building projects include many parts .",
            "Most firms still make money .",
        )


@pytest.mark.parametrize(
    ("rest", "replaced"), [("of|IN|prep|2 1850|CD|pobj|3|B-DATE", False), ("in|IN|prep|5 May|NNP|pobj|3|B-DATE", True)]
)
def test_a_name_that_goes_on_is_another_one(rest, replaced):
    first = (
        "They|PRP|nsubj|2 crossed|VBD|ROOT|0||cross the|DT|det|5 Missouri|NNP|compound|5 Compromise|NNP|dobj|2 "
        "line|NN|npadvmod|2 .|.|punct|2"
    )
    second = (
        f"The|DT|det|2 Compromise|NNP|nsubj|5 {rest} helped|VBD|ROOT|0||help the|DT|det|7 state|NN|dobj|5 .|.|punct|5"
    )
    link = [mention(0, 2, 5, "name"), mention(1, 0, 2, "name", confidence=0.99)]
    found = candidates(first, second, clusters=[link], conventions="extended")
    assert any(c.discourse_type.name == "PAIR_ANAPHORA" for c in found) == replaced


@pytest.mark.parametrize(("before", "replaced"), [("he|PRP|nsubj|6", False), ("Bea|NNP|nsubj|6|B-PERSON", True)])
def test_a_pronoun_that_stays_before_it_seems_to_mean_another(before, replaced):
    first = "Ada|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave the|DT|det|4 town|NN|dobj|2 .|.|punct|2"
    first = first.replace("Ada", "Leo")
    second = (
        f"Neither|CC|preconj|2 {before} nor|CC|cc|2 his|PRP$|poss|5 staff|NN|conj|2 knew|VBD|ROOT|0||know why|WRB|advmod|6 "
        ".|.|punct|6"
    )
    link = [mention(0, 0, 1, "name"), mention(1, 3, 4, "pronoun", confidence=0.99)]
    found = candidates(first, second, clusters=[link], conventions="extended")
    assert any(c.has_coref_type_pronoun for c in found) == replaced


@pytest.mark.parametrize(("opening", "reason"), [("If|IN|mark|3", "NOT_ASSERTED"), ("As|IN|mark|3", None)])
def test_a_condition_holds_for_a_reason_too(opening, reason):
    text = (
        f"{opening} it|PRP|nsubj|3 rains|VBZ|advcl|6||rain ,|,|punct|6 they|PRP|nsubj|6 stay|VBP|ROOT|0 here|RB|advmod|6 "
        "because|IN|mark|10 we|PRP|nsubj|10 sell|VBP|advcl|6 two|CD|nummod|12 books|NNS|dobj|10||book .|.|punct|6"
    )
    assert reasons(text, "SINGLE_CONN_INNER") == [reason]


@pytest.mark.parametrize(("preposition", "reason"), [("of", "DANGLING_PARTICIPLE"), ("at", None)])
def test_speaking_of_something_nobody_speaks(preposition, reason):
    text = (
        f"Speaking|VBG|advcl|6||speak {preposition}|IN|prep|1 school|NN|pobj|2 ,|,|punct|6 Ada|NNP|nsubj|6|B-PERSON "
        "left|VBD|ROOT|0||leave hers|PRP|dobj|6 last|JJ|amod|9 year|NN|npadvmod|6 .|.|punct|6"
    )
    assert reasons(text, "SINGLE_CATAPHORA") == [reason]


@pytest.mark.parametrize(("article", "reason"), [("a", "LIST"), ("the", None)])
def test_two_new_things_before_a_second_predicate_are_a_list(article, reason):
    text = (
        f"He|PRP|nsubj|2 got|VBD|ROOT|0||get a|DT|det|4 term|NN|dobj|2 ,|,|punct|4 {article}|DT|det|7 fine|NN|appos|4 "
        ",|,|punct|2 and|CC|cc|2 left|VBD|conj|2||leave town|NN|dobj|10 .|.|punct|2"
    )
    assert reasons(text, "SINGLE_VP_COORD") == [reason]
