"""Who a pronoun cannot mean by syntax: looked up among the candidates, before any weights."""

from gistmill.rules.coreference.chains import decide, extend_rows
from gistmill.rules.coreference.features import CHAIN, CHAIN_NEXT
from gistmill.rules.coreference.scorer import ask
from gistmill.rules.documents import Sentence
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed


def candidates(sentences: list[Sentence], pronoun: str, *, title: str = "") -> set[str]:
    """Returns the texts of the candidates of the last pronoun with this text."""

    def text(m):
        return " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end])

    question = [q for q in ask(sentences, title=title)[2] if text(q.pronoun) == pronoun][-1]
    return {text(x) for x in question.candidates}


CASES = by_heading(__file__)
BEN_LEFT = "Ben|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2"


def test_whom_a_pronoun_may_mean_behind_ben_left():
    for text, pronoun, expected in CASES["whom a pronoun may mean"]:
        sentence = parsed(text if "|" in text else parses.of(text))
        assert candidates([parsed(BEN_LEFT), sentence], pronoun) == set(expected), text


def test_nor_any_other_mention_of_the_subject():
    texts = (BEN_LEFT.replace("Ben", "Tom"), BEN_LEFT, CASES["whom a pronoun may mean"][0][0])
    assert candidates(list(map(parsed, texts)), "him", title="Tom") == {"Ben"}


def test_place_and_company_do_not_bar_the_subject():
    for preposition, free in (("behind", True), ("with", True), ("to", False), ("of", False)):
        looked = f"Tom|NNP|nsubj|2|B-PERSON looked|VBD|ROOT|0||look {preposition}|IN|prep|2 him|PRP|pobj|3 .|.|punct|2"
        assert ("Tom" in candidates([parsed(looked)], "him")) == free, preposition


def test_a_predicate_is_behind_its_subject():
    are = parsed("The|DT|det|2 algae|NNS|nsubj|3||alga are|VBP|ROOT|0||be plants|NNS|attr|3||plant .|.|punct|3")
    they = parsed("They|PRP|nsubj|2 grow|VBP|ROOT|0 .|.|punct|2")
    assert candidates([are, they], "They") == {"The algae"}


class TestDecide:
    HIT = [
        parsed("Tom|NNP|nsubj|2|B-PERSON met|VBD|ROOT|0||meet Sam|NNP|dobj|2|B-PERSON .|.|punct|2"),
        parsed("He|PRP|nsubj|2 hit|VBD|ROOT|0 him|PRP|dobj|2 .|.|punct|2"),
    ]

    def test_subject_and_object_differ(self):
        questions = ask(self.HIT)[2]
        tom, sam = (c.number for c in ask(self.HIT)[1])
        he, him = {-1: 0.1, tom: 0.7, sam: 0.2}, {-1: 0.1, tom: 0.5, sam: 0.4}
        assert decide(questions, [he, him]) == [(tom, 0.7), (sam, 0.4)]
        # the object keeps it where the subject loses less
        he, him = {-1: 0.1, tom: 0.5, sam: 0.4}, {-1: 0.1, tom: 0.8, sam: 0.1}
        assert decide(questions, [he, him]) == [(sam, 0.4), (tom, 0.8)]

    def test_nobody_twice(self):
        questions = ask(self.HIT)[2]
        tom, sam = (c.number for c in ask(self.HIT)[1])
        none = {-1: 0.6, tom: 0.2, sam: 0.2}
        assert decide(questions, [none, none]) == [(-1, 0.6), (-1, 0.6)]


def test_pronouns_are_near_up_to_three_sentences():
    for apart, near in ((3, True), (4, False)):
        left = parsed("He|PRP|nsubj|2 left|VBD|ROOT|0||leave .|.|punct|2")
        rain = parsed("Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2")
        questions = ask([parsed(BEN_LEFT), left, *[rain] * (apart - 1), left])[2]
        ben = questions[0].candidates[0].cluster.number
        first, second = extend_rows(questions, [{-1: 0.1, ben: 0.9}] * 2)
        buckets = (second[1, -4] - CHAIN) // 45, (first[1, -3] - CHAIN_NEXT) // 2  # by the pronouns before and after
        assert buckets == ((4, 4) if near else (5, 5)), apart
