"""Definite nouns that mean what the text is about, and not what the links give them."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse.anaphora.nominal_topics import means_topic
from tests.rules.discofuse.helpers import parse, second_of
from tests.testing import mention

BASED = "{It} is|VBZ|auxpass|3||be based|VBN|ROOT|0||base on|IN|prep|3 {Book}|NNP|pobj|4|{kind} .|.|punct|3"
FILM = "This|DT|det|2 {film}|NN|nsubj|3 opened|VBD|ROOT|0||open there|RB|advmod|3 .|.|punct|3"


def is_topic(it="It|PRP|nsubjpass|3", *, film="film", kind="B-WORK_OF_ART", book="Book", antecedent="name", known=()):
    first = parse(BASED.format(It=it, Book=book, kind=kind))
    links = mention(0, 4, 5, antecedent), mention(1, 0, 2, "nominal")
    return means_topic(first, links[0], parse(FILM.format(film=film)), links[1], [*links, *known])


class TestPronoun:
    def test_the_text_is_about_it(self):
        assert is_topic()

    @pytest.mark.parametrize(
        "it", ["Wind|NNP|nsubjpass|3", "It|PRP|dobj|3", "He|PRP|nsubjpass|3", "We|PRP|nsubjpass|3"]
    )
    def test_nothing_else_is(self, it):
        assert not is_topic(it)

    def test_he_may_be_a_person(self):
        assert is_topic("He|PRP|nsubjpass|3", kind="B-PERSON")

    def test_it_is_the_name_already(self):
        assert not is_topic(known=[mention(0, 0, 1, "pronoun")])

    def test_a_name_with_the_noun_is_meant(self):
        assert not is_topic(book="Film")

    def test_a_nominal_is_not_a_name(self):
        assert not is_topic(antecedent="nominal")

    def test_the_name_may_be_the_subject(self):
        first = parse("It|PRP|nsubj|2 is|VBZ|ROOT|0||be {}|2|B-ORG .|.|punct|2".format("Book|NNP|nsubj"))
        links = mention(0, 2, 3, "name"), mention(1, 0, 2, "nominal")
        assert not means_topic(first, links[0], parse(FILM.format(film="film")), links[1], links)

    def test_the_noun_stays(self):
        links = mention(0, 4, 5, "name"), mention(1, 0, 2, "nominal", confidence=0.9)
        given = {"Book": "Book", "kind": "B-WORK_OF_ART"}
        for it, made in (("It|PRP|nsubjpass|3", "This film"), ("Fox|NNP|nsubjpass|3|B-PERSON", "Book")):
            assert second_of(BASED.format(It=it, **given), FILM.format(film="film"), *links) == f"{made} opened there ."


class TestOne:
    BREED = "This|DT|det|2 breed|NN|{label}|3 is|VBZ|ROOT|0||be a|DT|det|6 {old} {one}|NN|attr|3 .|.|punct|3"

    @pytest.mark.parametrize(
        ("label", "old", "one", "taken"),
        [
            ("nsubj", "old|JJ|amod|6", "one", True),
            ("nsubj", "old|JJ|amod|6", "mill", False),
            ("nsubj", "old|JJ|dep|6", "one", False),
            ("npadvmod", "old|JJ|amod|6", "one", False),
        ],
    )
    def test_one_needs_its_noun(self, label, old, one, taken):
        first = parse("Rex|NNP|nsubj|2 ran|VBD|ROOT|0||run .|.|punct|2")
        links = mention(0, 0, 1, "name"), mention(1, 0, 2, "nominal")
        second = parse(self.BREED.format(label=label, old=old, one=one))
        assert means_topic(first, links[0], second, links[1], links) == taken


class TestShares:
    SHARE = "{it} makes|VBZ|ROOT|0||make 3|CD|nummod|4 {of_what}|NN|dobj|2 {of}|IN|prep|4 {the}|DT|det|7 fund|NN|pobj|5 .|.|punct|2"

    @pytest.mark.parametrize(
        ("of_what", "of", "the", "whole"),
        [
            ("%", "of", "the", True),
            ("percent", "of", "the", True),
            ("%", "of", "this", False),
            ("%", "in", "the", False),
            ("walls", "of", "the", False),
        ],
    )
    def test_a_share_is_of_another_whole(self, of_what, of, the, whole):
        second = parse(self.SHARE.format(it="It|PRP|nsubj|2", of_what=of_what, of=of, the=the))
        first = parse("A|DT|det|3 small|JJ|amod|3 fund|NN|nsubj|4 opened|VBD|ROOT|0||open .|.|punct|4")
        links = mention(0, 0, 3, "nominal"), mention(1, 5, 7, "nominal")
        assert means_topic(first, links[0], second, links[1], links) == whole

    def test_a_subject_is_not_a_whole(self):
        second = parse("The|DT|det|2 fund|NN|nsubj|3 grew|VBD|ROOT|0||grow .|.|punct|3")
        links = mention(0, 0, 3, "nominal"), mention(1, 0, 2, "nominal")
        first = parse("A|DT|det|3 small|JJ|amod|3 fund|NN|nsubj|4 opened|VBD|ROOT|0||open .|.|punct|4")
        assert not means_topic(first, links[0], second, links[1], links)


class TestPronounAbove:
    GIVES = """
    {it}|{tag}|{label}|2 gave|VBD|ROOT|0||give the|DT|det|4 country|NN|dative|2 oil|NN|dobj|2 .|.|punct|2
    """

    def made(self, it="It", tag="PRP", label="nsubj", *, kind="B-GPE", antecedent="name", known=()):
        first = parse(f"Lee|NNP|nsubj|2|{kind} grew|VBD|ROOT|0||grow .|.|punct|2")
        links = mention(0, 0, 1, antecedent), mention(1, 2, 4, "nominal")
        second = parse(self.GIVES.format(it=it, tag=tag, label=label))
        return means_topic(first, links[0], second, links[1], [*links, *known])

    def test_under_a_pronoun_a_name_is_another(self):
        assert self.made()

    @pytest.mark.parametrize(
        "changed",
        [
            {"it": "He"},
            {"it": "We"},
            {"it": "Acme", "tag": "NNP"},
            {"label": "dobj"},
            {"antecedent": "nominal"},
            {"known": [mention(1, 0, 1, "pronoun")]},
        ],
    )
    def test_under_others_it_may_be_the_same(self, changed):
        assert not self.made(**changed)

    @pytest.mark.parametrize(("kind", "other"), [("B-PERSON", True), ("B-GPE", False)])
    def test_he_may_be_a_person(self, kind, other):
        assert self.made("He", kind=kind) == other


class TestPredicates:
    CROWNED = "That|DT|nsubj|2 {was}|VBD|ROOT|0||{lemma} the|DT|det|5 tall|JJ|amod|5 mill|NN|{label}|2 there|RB|advmod|2 .|.|punct|2"

    @pytest.mark.parametrize(("label", "said"), [("attr", True), ("dobj", False)])
    def test_what_is_said_of_another_is_not_a_topic(self, label, said):
        first = parse("Ixo|NNP|nsubj|2|B-FAC fell|VBD|ROOT|0||fall .|.|punct|2")
        second = parse(self.CROWNED.format(was="was", lemma="be", label=label))
        links = mention(0, 0, 1, "name"), mention(1, 2, 5, "nominal")
        assert means_topic(first, links[0], second, links[1], links) == said

    @pytest.mark.parametrize(("article", "meant"), [("a", False), ("the", True)])
    def test_what_is_only_called_so_is_none(self, article, meant):
        first = parse(
            f"It|PRP|nsubj|3 is|VBZ|auxpass|3||be called|VBN|ROOT|0||call {article}|DT|det|5 Terrier|NNP|oprd|3"
        )
        second = parse("The|DT|det|2 breed|NN|nsubj|3 barks|VBZ|ROOT|0||bark .|.|punct|3")
        links = mention(0, 3, 5, "name"), mention(1, 0, 2, "nominal")
        known = mention(0, 0, 1, "pronoun")
        assert means_topic(first, links[0], second, links[1], [*links, known]) == (not meant)

    END = """
    Ixo|NNP|nsubj|2|B-PRODUCT is|VBZ|ROOT|0||be {the}|DT|det|{n} {tin} end|NN|attr|2 there|RB|advmod|2 .|.|punct|2
    """

    @pytest.mark.parametrize(
        ("the", "tin", "other"),
        [
            ("the", "tin|NN|npadvmod|5 rich|JJ|amod|6", True),
            ("a", "tin|NN|npadvmod|5 rich|JJ|amod|6", False),
            ("the", "old|JJ|dep|6 rich|JJ|amod|6", False),
            ("the", "iron|NN|npadvmod|5 rich|JJ|amod|6", False),
        ],
    )
    def test_its_like_has_other_modifiers(self, the, tin, other):
        first = parse(self.END.format(the=the, n=6, tin=tin))
        second = parse(
            "We|PRP|nsubj|2 met|VBD|ROOT|0||meet the|DT|det|6 iron|NN|npadvmod|5 rich|JJ|amod|6 end|NN|dobj|2 .|.|punct|2"
        )
        links = mention(0, 0, 1, "name"), mention(1, 2, 6, "nominal")
        assert means_topic(first, links[0], second, links[1], links) == other
