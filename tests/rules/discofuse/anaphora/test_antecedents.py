"""The phrase that replaces an anaphor: its form, and what speaks against it."""

from gistmill.rules.discofuse.anaphora import mentions
from gistmill.rules.discofuse.anaphora.antecedents import is_fuller, phrase
from gistmill.rules.discofuse.nouns.noun_phrases import can_return, core, definite, is_cut, with_article
from tests.cases import by_heading
from tests.rules.discofuse.helpers import outcome, parse, said
from tests.testing import mention

CASES = by_heading(__file__)


def noun_phrase(*items: str):
    """The words of ``word|tag|label`` items that hang on the last of them, the subject of "won"."""
    size = len(items)
    inner = [f"{item}|{size}" for item in items[:-1]]
    made = parse(" ".join([*inner, f"{items[-1]}|{size + 1}", "won|VBD|ROOT|0", f".|.|punct|{size + 1}"]))
    return core(made, size - 1)


def said_again(*items: str) -> str:
    """The second mention of a noun phrase; "-" where it has none."""
    words = definite(noun_phrase(*items))
    return " ".join(w.text for w in words) if can_return(words) else "-"


class TestSecondMention:
    def test_definite(self):
        for items, expected in CASES["definite"]:
            assert said_again(*items) == expected, items

    def test_nothing_that_means_the_same(self):
        for items in CASES["nothing that means the same"]:
            assert said_again(*items) == "-", items

    def test_superlative_is_not_a_quantity(self):
        assert said_again("the|DT|det", "most|RBS|advmod", "famous|JJ|amod", "painter|NN|nsubj") == (
            "the most famous painter"
        )

    def test_one_of_many(self):
        text = "One|CD|nsubj|5 of|IN|prep|1 the|DT|det|4 men|NNS|pobj|2 won|VBD|ROOT|0 .|.|punct|5"
        assert not can_return(core(parse(text), 0))

    def test_adverb_of_the_clause_is_left_out(self):
        text = "The|DT|det|2 king|NN|nsubj|4 later|RB|advmod|2 won|VBD|ROOT|0 .|.|punct|4"
        assert [w.text for w in core(parse(text), 1)] == ["The", "king"]


def test_what_an_antecedent_is_said_again_as():
    for text, start, end, kind, head, again in CASES["said again"]:
        assert said(text, start, end, kind, head=head) == again, text


class TestCapitalOfASentence:
    """A phrase that opens its sentence behind marks is said again without the sentence's capital."""

    def test_behind_marks_that_open_it(self):
        for before in ("``|``", "(|-LRB-", "*|NFP", "...|:", "1|CD .|.", "(|-LRB- 3|CD )|-RRB-"):
            for noun, again in CASES["behind marks that open it, noun and again"]:
                assert self.said(before, noun) == again, (before, noun)

    def test_a_capital_of_its_own_stays(self):
        for before, noun, after, again in CASES["a capital of its own stays"]:
            assert self.said(before, noun, after) == again, before

    @staticmethod
    def said(before: str, noun: str, after: str = "") -> str:
        items = [item.split("|") for item in noun.split()]
        start = len(before.split())
        subject = start + next(k for k, item in enumerate(items, 1) if item[2] == "nsubj")
        verb = start + len(items) + len(after.split()) + 1
        heads = {"nsubj": verb, "pobj": subject + 1}
        outside = (f"{item}|punct|{verb}" for item in (*before.split(), *after.split()))
        outside_before = [next(outside) for _ in before.split()]
        inside = ["|".join([*item[:3], str(heads.get(item[2], subject)), *item[3:]]) for item in items]
        first = parse(" ".join([*outside_before, *inside, *outside, "came|VBD|ROOT|0||come", f".|.|punct|{verb}"]))
        words = phrase(first, mention(0, start, subject, "nominal"), limit=8, possessive=False)
        return " ".join(w.text for w in words)


def test_a_noun_with_its_own_modifiers_gets_no_second_article():
    first = parse("The|DT|det|3 Low|NNP|compound|3 Mill|NNP|nsubj|4|B-FAC|Mill closed|VBD|ROOT|0||close .|.|punct|4")
    text = "The|DT|det|{0} {1}mill|NN|nsubj|{2} reopened|VBD|ROOT|0||reopen .|.|punct|{2}"
    low_mill = mention(0, 0, 3, "name", head=2)
    words = phrase(first, low_mill, limit=8, possessive=False)
    modified = parse(text.format(3, "new|JJ|amod|3 ", 4))
    assert not is_fuller(first, low_mill, modified, mention(1, 2, 3, "nominal"), words)
    bare = parse(text.format(2, "", 3))
    assert is_fuller(first, low_mill, bare, mention(1, 1, 2, "nominal"), words)


def test_where_what_tells_some_apart_cannot_stay_they_are_not_named():
    text = "Some|DT|det|2 mills|NNS|nsubj|5||mill in|IN|prep|2 Kent|NNP|pobj|3|B-GPE won|VBD|ROOT|0||win .|.|punct|5"
    assert phrase(parse(text), mention(0, 0, 2, "nominal"), limit=10, possessive=True) == ()


def test_what_a_subject_is_said_to_be_is_not_barred_by_it():
    clusters = [
        (
            mention(0, 0, 1, "pronoun", confidence=0.97),
            mention(0, 2, 5, "nominal"),
            mention(1, 0, 1, "pronoun", confidence=0.97),
        )
    ]
    first = "He|PRP|nsubj|2 was|VBD|ROOT|0 the|DT|det|5 old|JJ|amod|5 king|NN|attr|2 .|.|punct|2"
    second = "He|PRP|nsubj|2 died|VBD|ROOT|0 in|IN|prep|2 May|NNP|pobj|3 .|.|punct|2"
    assert outcome(first, second, clusters=clusters)[2:] == ("The old king died in May .", None)


def test_a_slash_cuts_a_name():
    for first, cut in (("A6X/", True), ("A6X", False)):
        tree = parse(f"The|DT|det|3 {first}|NNP|compound|3 A2|NNP|nsubj|4 fell|VBD|ROOT|0 .|.|punct|4")
        assert is_cut(core(tree, 2)) == cut


def test_a_bare_noun_gets_an_article_and_a_title_none():
    for text, head, made in CASES["with an article"]:
        assert " ".join(w.text for w in with_article(core(parse(text), head))) == made, text


# The comma between a phrase that opens a second part and the name behind it.


class TestComma:
    def test_one_parts_an_opening_phrase_from_a_name(self):
        for opening, comma in CASES["one parts an opening phrase from a name"]:
            words = parse(f"{opening} she|PRP|nsubj|4 sold|VBD|ROOT|0||sell cloth|NN|dobj|4 .|.|punct|4").words
            assert [w.text for w in mentions.comma_before(words, 2)] == [","] * comma, opening

    def test_a_noun_with_a_clause_of_its_own_keeps_it(self):
        words = parse(
            "The|DT|det|2 mill|NN|nsubj|5 she|PRP|nsubj|4 sold|VBD|relcl|2||sell burnt|VBD|ROOT|0||burn"
        ).words
        assert mentions.comma_before(words, 2) == ()
