"""Words that a text mentions and does not use, pieces of titles, and names of what is not a person."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.nouns.mentioned_words import is_cut_from_title, is_only_mentioned, means_no_word
from gistmill.rules.discofuse.nouns.naming import names_a_thing
from tests.rules.discofuse.helpers import parse, said, second_of
from tests.testing import mention

TERM = "The|DT|det|2 {}|NN|nsubj|3 is|VBZ|ROOT|0||be old|JJ|acomp|3 .|.|punct|3"
IT_IS = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be {} .|.|punct|2"


def means_none(noun: str, second: str, at: int = 0) -> bool:
    """Whether the pronoun at ``at`` of the second sentence cannot mean "the term" of the first."""
    return means_no_word(parse(TERM.format(noun)), 1, parse(second), at)


class TestUse:
    @pytest.mark.parametrize(
        ("verb", "expected"),
        [("derives|VBZ|ROOT|0||derive", False), ("means|VBZ|ROOT|0||mean", False), ("kills|VBZ|ROOT|0||kill", True)],
    )
    def test_what_a_word_does(self, verb, expected):
        assert means_none("term", f"It|PRP|nsubj|2 {verb} .|.|punct|2") == expected

    def test_a_thing_does_anything(self):
        assert not means_none("mill", "It|PRP|nsubj|2 kills|VBZ|ROOT|0||kill .|.|punct|2")

    def test_a_name_that_the_tagger_knows_is_not_a_word(self):
        term = TERM.format("Word").replace("Word|NN", "Word|NNP")
        assert not means_no_word(parse(term), 1, parse("It|PRP|nsubj|2 kills|VBZ|ROOT|0||kill .|.|punct|2"), 0)

    @pytest.mark.parametrize(
        ("predicate", "expected"),
        [
            ("a|DT|det|4 phrase|NN|attr|2", False),
            ("a|DT|det|4 game|NN|attr|2", True),
            ("rare|JJ|acomp|2", False),
            ("a|DT|det|4 French|NNP|attr|2", False),
        ],
    )
    def test_what_a_word_is(self, predicate, expected):
        assert means_none("name", IT_IS.format(predicate)) == expected

    @pytest.mark.parametrize(("place", "expected"), [("around", True), ("in", False)])
    def test_where_a_word_is_found(self, place, expected):
        second = (
            "It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be found|VBN|ROOT|0||find {}|IN|prep|3 Leeds|NNP|pobj|4 .|.|punct|3"
        )
        assert means_none("name", second.format(place)) == expected

    @pytest.mark.parametrize(("noun", "expected"), [("origin", False), ("roof", True)])
    def test_what_a_word_has(self, noun, expected):
        assert means_none("name", f"Its|PRP$|poss|2 {noun}|NN|nsubj|3 is|VBZ|ROOT|0||be old|JJ|acomp|3") == expected

    def test_an_object_in_a_phrase(self):
        second = "We|PRP|nsubj|2 {}|VBP|ROOT|0 of|IN|prep|2 it|PRP|pobj|3 .|.|punct|2"
        assert means_none("term", second.format("eat"), 3)
        assert not means_none("term", second.format("know"), 3)

    def test_the_pronoun_stays(self):
        later = "It|PRP|nsubj|2 kills|VBZ|ROOT|0||kill birds|NNS|dobj|2||bird there|RB|advmod|2 .|.|punct|2"
        links = mention(0, 0, 2, "nominal"), mention(1, 0, 1, "pronoun", confidence=0.9)
        assert second_of(TERM.format("term"), later, *links) == "It kills birds there ."
        assert second_of(TERM.format("mill"), later, *links) == "The mill kills birds there ."


class TestMention:
    NAMED = "the|DT|det|2 {noun}|NN|ROOT|0 {of}|IN|prep|2 {article} Terrier|NNP|pobj|3|B-ORG .|.|punct|2"
    CALLED = """
    It|PRP|nsubjpass|3 is|VBZ|auxpass|3||be called|VBN|ROOT|0||call {article}|DT|det|5 Terrier|NNP|{label}|3 .|.|punct|3
    """

    @pytest.mark.parametrize(("noun", "of", "expected"), [("name", "of", 1), ("owner", "of", 0), ("name", "for", 0)])
    def test_the_name_of_a_name(self, noun, of, expected):
        first = parse(self.NAMED.format(noun=noun, of=of, article=""))
        assert is_only_mentioned(first, mention(0, 3, 4, "name")) == expected

    def test_the_name_of_what_is_known(self):
        first = self.NAMED.format(noun="name", of="of", article="the|DT|det|5")
        assert is_only_mentioned(parse(first), mention(0, 3, 5, "name"))
        apart = first.replace("the|DT|det|5", "old|JJ|dep|3")
        assert not is_only_mentioned(parse(apart), mention(0, 4, 5, "name"))

    @pytest.mark.parametrize(
        ("article", "label", "kind", "expected"),
        [("a", "oprd", "name", 1), ("the", "oprd", "name", 0), ("a", "dobj", "name", 0), ("a", "oprd", "nominal", 0)],
    )
    def test_what_it_is_called(self, article, label, kind, expected):
        first = parse(self.CALLED.format(article=article, label=label))
        assert is_only_mentioned(first, mention(0, 3, 5, kind)) == expected


class TestTitles:
    QUOTED = "{open}|``|punct|7 Thank|NNP|dep|7 {you}|PRP|dep|7 ,|,|punct|7 Next|NNP|dep|7 {close}|{mark}|punct|7 "
    WON = "won|VBD|ROOT|0||win .|.|punct|7"

    def made(self, you="You", *, open='"', close='"', start=4):
        text = self.QUOTED.format(you=you, open=open, close=close, mark="''") + self.WON
        return is_cut_from_title(parse(text), start, 5)

    def test_a_piece_is_not_a_name(self):
        assert self.made()

    def test_the_whole_title_is(self):
        assert not self.made(start=1)

    @pytest.mark.parametrize("you", ["others", "YOU"])
    def test_what_somebody_says_has_words_in_lower_case(self, you):
        assert self.made(you) == you.isupper()

    @pytest.mark.parametrize(("open", "close"), [("-", '"'), ('"', "-")])
    def test_a_title_has_two_marks(self, open, close):
        assert not self.made(open=open, close=close)

    def test_behind_a_title_there_is_none(self):
        text = """
        "|``|punct|4 Ada|NNP|dep|4 "|''|punct|4 Next|NNP|dep|5 won|VBD|ROOT|0 "|``|punct|5 B|NNP|dep|5 "|''|punct|5
        """
        assert not is_cut_from_title(parse(text), 3, 4)

    FILM = """
    {noun}|{tag}|{label}|4 from|IN|prep|1 {place}|pobj|2 is|VBZ|ROOT|0||be a|DT|det|6 {predicate}|NN|attr|4 .|.|punct|4
    """

    @pytest.mark.parametrize(
        ("changed", "expected"),
        [
            ({}, ""),
            ({"predicate": "road"}, "The return"),
            ({"place": "sand|NN"}, "The return"),
        ],
    )
    def test_a_work_s_title_is_not_a_noun(self, changed, expected):
        given = {"noun": "Return", "tag": "NN", "label": "nsubj", "place": "Leeds|NNP", "predicate": "film"}
        assert said(self.FILM.format(**{**given, **changed}), 0, 1) == expected

    @pytest.mark.parametrize(
        ("the", "of", "place", "made"),
        [
            ("The|DT", "from", "Leeds|NNP", ""),
            ("The|DT", "from", "Nowhere|RB", ""),
            ("The|DT", "from", "nowhere|RB", "The Wind"),
            ("The|DT", "of", "Leeds|NNP", "The Wind of Leeds"),
            ("This|DT", "from", "Leeds|NNP", "This Wind"),
        ],
    )
    def test_nor_is_one_with_its_article(self, the, of, place, made):
        text = f"""
        {the}|det|2 Wind|NNP|nsubj|5|B-ORG {of}|IN|prep|2 {place}|pobj|3 is|VBZ|ROOT|0||be a|DT|det|7 novel|NN|attr|5 .|.|punct|5
        """
        assert said(text, 0, 2, "name", head=1) == made

    def test_nor_is_one_that_was_taken_for_a_name(self):
        given = {"noun": "Ada", "tag": "NNP", "label": "nsubj", "place": "Leeds|NNP"}
        assert said(self.FILM.format(**given, predicate="film"), 0, 1, "name") == ""
        assert said(self.FILM.format(**given, predicate="clerk"), 0, 1, "name") == "Ada"

    LOVE = "{eat} ,|,|punct|5 {pray}|dep|5 Love|NNP|nsubj|5|B-WORK_OF_ART is|VBZ|ROOT|0||be old|JJ|acomp|5 .|.|punct|5"

    @pytest.mark.parametrize(
        ("eat", "pray", "made"),
        [
            ("Eat|VB|dep|5", ",|,", ""),
            ("Eat|VB|dep|5", "Pray|NNP", "Love"),
            ("Today|NN|npadvmod|5", ",|,", "Love"),
        ],
    )
    def test_a_title_without_marks_opens_with_a_verb(self, eat, pray, made):
        assert said(self.LOVE.format(eat=eat, pray=pray), 3, 4, "name") == made

    def test_a_clause_has_words_in_lower_case(self):
        text = """
        Eat|VB|dep|5 {bread}|NN|dobj|1 ,|,|punct|5 Love|NNP|nsubj|5|B-WORK_OF_ART is|VBZ|ROOT|0||be old|JJ|acomp|5
        .|.|punct|5
        """
        assert said(text.format(bread="Bread"), 3, 4, "name") == ""
        assert said(text.format(bread="bread"), 3, 4, "name") == "Love"
        assert said(text.format(bread="of"), 3, 4, "name") == ""

    def test_a_noun_behind_the_opening_is_one(self):
        later = (
            "The|DT|det|2 return|NN|nsubj|5 from|IN|prep|2 Leeds|NNP|pobj|3 is|VBZ|ROOT|0||be a|DT|det|7 film|NN|attr|5"
        )
        assert said(later, 0, 2) == "The return"


class TestPersons:
    UNO = "{name}|NNP|nsubj|2|B-PERSON is|VBZ|ROOT|0||be {predicate} .|.|punct|2"

    def made(self, predicate, *, name="Uno", word="He"):
        later = f"{word}|PRP|nsubj|2 sold|VBD|ROOT|0||sell tools|NNS|dobj|2||tool there|RB|advmod|2 .|.|punct|2"
        links = mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)
        return second_of(self.UNO.format(name=name, predicate=predicate), later, *links).split()[0]

    @pytest.mark.parametrize(
        ("predicate", "made"),
        [
            ("a|DT|det|4 film|NN|attr|2", "He"),
            ("a|DT|det|4 poet|NN|attr|2", "Uno"),
            ("a|DT|det|4 legend|NN|attr|2", "Uno"),
            ("a|DT|det|4 Film|NNP|attr|2", "Uno"),
            ("old|JJ|acomp|2", "Uno"),
        ],
    )
    def test_no_man_is_a_film(self, predicate, made):
        assert self.made(predicate) == made

    def test_one_with_a_first_name_is_a_person(self):
        assert self.made("a|DT|det|4 film|NN|attr|2", name="Robert") == "Robert"

    @pytest.mark.parametrize(("noun", "word", "made"), [("warship", "She", "Uno"), ("warship", "He", "He")])
    def test_a_ship_may_be_she(self, noun, word, made):
        assert self.made(f"a|DT|det|4 {noun}|NN|attr|2", word=word) == made


class TestNames:
    CROWNED = "They|PRP|nsubj|2 {verb}|VBD|ROOT|0 {it}|PRP|{label}|2 the|DT|det|5 song|NN|dobj|2 .|.|punct|2"

    @pytest.mark.parametrize(
        ("verb", "label", "names"),
        [("crown", "dobj", False), ("crown", "dative", False), ("crown", "advmod", True), ("give", "dative", True)],
    )
    def test_what_something_is_crowned(self, verb, label, names):
        assert names_a_thing(parse(self.CROWNED.format(verb=verb, it="it", label=label)), 4) == names

    SOME = "They|PRP|nsubj|2 {verb} {some}|2 of|IN|prep|3 the|DT|det|6 songs|NNS|pobj|4||song .|.|punct|2"

    @pytest.mark.parametrize(
        ("verb", "some", "names"),
        [
            ("are|VBP|ROOT|0||be", "some|DT|attr", False),
            ("are|VBP|ROOT|0||be", "authors|NNS|attr", True),
            ("sang|VBD|ROOT|0||sing", "some|DT|dobj", True),
        ],
    )
    def test_of_what_something_is_one(self, verb, some, names):
        assert names_a_thing(parse(self.SOME.format(verb=verb, some=some)), 5) == names

    PART = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 {part}|NN|{label}|2 of|IN|prep|4 the|DT|det|7 firm|NN|pobj|5 .|.|punct|2"

    @pytest.mark.parametrize(
        ("part", "label", "names"), [("part", "attr", False), ("branch", "attr", True), ("part", "nsubj", True)]
    )
    def test_of_what_something_is_a_part(self, part, label, names):
        assert names_a_thing(parse(self.PART.format(part=part, label=label)), 6) == names

    JOINED = "It|PRP|nsubj|2 is|VBZ|ROOT|0||be a|DT|det|4 mill|NN|{label}|2 and|CC|cc|4 a|DT|det|7 school|NN|conj|4 .|.|punct|2"

    @pytest.mark.parametrize(("label", "names"), [("attr", False), ("dobj", True)])
    def test_what_something_is_too(self, label, names):
        assert names_a_thing(parse(self.JOINED.format(label=label)), 6) == names

    def test_a_name_does_not_end_in_a_conjunction(self):
        first = "The|DT|det|2 Fox|NNP|nsubj|5|B-ORG {}|cc|2|I-ORG Lee|NNP|dep|5 won|VBD|ROOT|0||win .|.|punct|5"
        assert said(first.format("or|CC"), 0, 3, "name", head=1) == ""
        assert said(first.format("Hill|NNP"), 0, 3, "name", head=1) == "The Fox Hill"
