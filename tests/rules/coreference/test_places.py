"""Places and plurals that the parser or a role makes look like a person: who may be "it", who "they"."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import COUNTRIES, PERSON_NOUNS, SHARED_ROLES
from gistmill.rules.coreference.markables import NAME, NOMINAL, Cluster, Markable, Syntax
from gistmill.rules.coreference.scorer import Sieve
from tests.testing import parsed

SENTENCE = parsed("Albania|NNP|nsubj|2 grew|VBD|ROOT|0||grow .|.|punct|2")
SYNTAX = Syntax(SENTENCE.tokens)


def name(entity: str, *words: str, person: bool = False, gender: str = "") -> Markable:
    made = Markable(0, 0, 1, 0, offset=0, kind=NAME, syntax=SYNTAX)
    made.entity, made.words, made.person, made.gender = entity, words, person, gender
    return made


def noun(word: str, *, gender: str = "") -> Markable:
    made = Markable(0, 0, 1, 0, offset=0, kind=NOMINAL, syntax=SYNTAX)
    made.words, made.person, made.gender = (word,), True, gender
    return made


def cluster(*names: Markable) -> Cluster:
    made = Cluster(0, names[0])
    for other in names[1:]:
        made.add(other, 0.9)
    made.weigh_names()
    return made


class TestPersonhoodOfAPlace:
    def test_a_member_or_producer_may_be_a_country(self):
        albania = cluster(name("GPE", "albania"))
        albania.learn(noun("member"))
        assert not albania.person

    def test_so_may_be_a_place_that_is_always_taken_for_one(self):
        town = cluster(*[name("GPE", "bodmin") for _ in range(5)])
        town.learn(noun("owner"))
        assert not town.person
        town.learn(noun("poet"))  # no role of a place
        assert town.person

    def test_a_name_seen_once_may_be_a_person_taken_for_a_place(self):
        parol = cluster(name("GPE", "parol"))
        parol.learn(noun("winner"))
        assert parol.person

    def test_one_mistaken_name_makes_no_person_of_a_place(self):
        assert not cluster(name("PERSON", "bodmin", person=True), *[name("GPE", "bodmin") for _ in range(5)]).person
        assert cluster(name("PERSON", "bodmin", person=True), *[name("GPE", "bodmin") for _ in range(4)]).person

    def test_a_first_name_outweighs_what_the_recogniser_says_ten_times(self):
        jill = name("PERSON", "jill", person=True, gender="f")
        assert cluster(jill, *[name("GPE", "jill") for _ in range(10)]).person
        toronto = cluster(jill, *[name("GPE", "jill") for _ in range(11)])
        assert not toronto.person and not toronto.gender

    def test_a_country_under_a_longer_name(self):
        council = name("ORG", "council", "of", "albania")
        albania = cluster(council, *[name("ORG", "albania") for _ in range(2)])
        albania.learn(noun("founder"))
        assert not albania.person

    def test_a_person_with_the_name_of_a_country(self):
        assert cluster(*[name("PERSON", "chad", person=True, gender="m") for _ in range(2)]).person

    def test_the_roles_are_nouns_for_persons(self):
        assert SHARED_ROLES <= PERSON_NOUNS


class TestLinks:
    def test_it_after_a_country_that_is_a_member(self):
        for word in ("Albania", "India"):
            assert (word.lower(),) in COUNTRIES, word
            first = parsed(
                f"{word}|NNP|nsubj|2|B-GPE is|VBZ|ROOT|0||be a|DT|det|4 member|NN|attr|2 of|IN|prep|4 NATO|NNP|pobj|5|B-ORG "
                ".|.|punct|2"
            )
            second = parsed("It|PRP|nsubj|2||it holds|VBZ|ROOT|0||hold a|DT|det|4 seat|NN|dobj|2 .|.|punct|2")
            assert opening([first, second], word), word

    def test_they_after_a_plural_that_no_dictionary_knows(self):
        first = parsed("Alkanoids|NNS|nsubj|2 are|VBP|ROOT|0||be shy|JJ|acomp|2 animals|NNS|attr|2||animal .|.|punct|2")
        second = parsed("They|PRP|nsubj|2||they sleep|VBP|ROOT|0||sleep there|RB|advmod|2 .|.|punct|2")
        assert opening([first, second], "Alkanoids")

    def test_a_surname_that_looks_like_a_plural_stays_singular(self):
        first = parsed("Wiggins|NNS|nsubj|2 was|VBD|ROOT|0||be a|DT|det|4 player|NN|attr|2 .|.|punct|2")
        second = parsed("They|PRP|nsubj|2||they slept|VBD|ROOT|0||sleep there|RB|advmod|2 .|.|punct|2")
        assert not opening([first, second], "Wiggins")


def opening(sentences, word: str) -> bool:
    """Whether the pronoun that opens the second sentence means the word that opens the first."""
    return any(
        (cluster[0].sentence, cluster[0].start) == (0, 0) and any((m.sentence, m.start) == (1, 0) for m in cluster)
        for cluster in Sieve().resolve(sentences)
    )
