"""Nominals that stand for a name because of what the name, its apposition or its predicate says."""

from gistmill.rules.coreference.lexicon import (
    COUNTRIES,
    NO_KINDS,
    PERSON_NOUNS,
    SHARED_ROLES,
    ReferentKind,
    calls,
    kinds_of_name,
    kinds_of_noun,
    main_kind,
    same_kind,
)
from gistmill.rules.coreference.markables import NAME, NOMINAL, Cluster, Markable, Syntax
from gistmill.rules.coreference.nominals import SAME_SUBJECT
from gistmill.rules.coreference.scorer import CUT, Sieve, ask
from gistmill.rules.documents import Sentence
from tests.testing import parsed


def opening(sentences: list[Sentence], nominal: str, *, title: str = "") -> str:
    """Returns the first mention of the cluster of the last nominal with this text."""

    def text(m):
        return " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end])

    mentions = ask(sentences, title=title)[0]
    return text([m for m in mentions if text(m) == nominal][-1].cluster.mentions[0])


def _grew(noun: str) -> Sentence:
    return parsed(f"The|DT|det|2 {noun}|NN|nsubj|3 grew|VBD|ROOT|0||grow .|.|punct|3")


def _fell(name: str, entity: str) -> Sentence:
    words = name.split()
    items = [
        f"{w}|NNP|{'compound' if k < len(words) - 1 else 'nsubj'}|{len(words) + (k == len(words) - 1)}|"
        f"{'I' if k else 'B'}-{entity}"
        for k, w in enumerate(words)
    ]
    return parsed(" ".join(items) + f" fell|VBD|ROOT|0||fall .|.|punct|{len(words) + 1}")


def test_what_a_name_says_of_itself():
    assert kinds_of_name(("harvard", "university")) == ["university"]
    assert kinds_of_name(("university", "of", "calgary")) == ["university"]
    assert "fort" in kinds_of_name(("fort", "donelson"))
    assert kinds_of_name(("new", "zealand")) == ["country"]
    assert kinds_of_name(("texas",)) == ["state"]
    assert kinds_of_name(("texaco",)) == []


def test_nouns_that_stand_for_one_another():
    assert same_kind("band") == {"band", "group"}
    assert same_kind("comet") == {"comet"}


def test_what_stands_for_a_name():
    assert calls("company") == {"group"}
    assert "town" in calls("city") and "country" in calls("nation")
    # each place has a government of its own, so "the government" means no name near by
    assert calls("government") == calls("end") == frozenset()


def sureness(sentences: list[Sentence], nominal: str) -> float:
    """Returns the confidence of the last nominal with this text; 0 where it is in no earlier cluster."""
    mentions = ask(sentences)[0]
    texts = {m.order: " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end]) for m in mentions}
    last = [m for m in mentions if texts[m.order] == nominal][-1]
    return last.cluster.links.get(last.order, 0.0)


class TestLinks:
    def test_by_its_last_word(self):
        assert opening([_fell("Acme University", "ORG"), _grew("university")], "The university") == "Acme University"

    def test_by_a_noun_of_the_same_kind(self):
        is_a = parsed("Metallica|NNP|nsubj|2|B-ORG is|VBZ|ROOT|0||be a|DT|det|4 band|NN|attr|2 .|.|punct|2")
        assert opening([is_a, _grew("group")], "The group") == "Metallica"
        assert opening([is_a, _grew("film")], "The film") == "The film"

    def test_by_the_noun_in_front(self):
        film = parsed(
            "The|DT|det|3 film|NN|compound|3 Solaris|NNP|nsubj|4|B-WORK_OF_ART fell|VBD|ROOT|0||fall .|.|punct|4"
        )
        assert opening([film, _grew("film")], "The film") == "Solaris"

    def test_not_between_two(self):
        two = [_fell("Acme University", "ORG"), _fell("Bell University", "ORG"), _grew("university")]
        assert sureness(two, "The university") < CUT

    def test_a_country_is_not_a_city(self):
        assert sureness([_fell("Rome", "GPE"), _grew("city")], "The city") >= CUT
        assert sureness([_fell("Albania", "GPE"), _grew("city")], "The city") < CUT
        assert sureness([_fell("Rome", "GPE"), _grew("country")], "The country") < CUT
        assert sureness([_fell("Albania", "GPE"), _fell("Italy", "GPE"), _grew("country")], "The country") < CUT

    def test_no_person(self):
        lake = [_fell("Ann University", "PERSON"), _grew("university")]
        assert opening(lake, "The university") == "Ann University"
        ann = parsed("Ann|NNP|nsubj|2|B-PERSON is|VBZ|ROOT|0||be a|DT|det|4 singer|NN|attr|2 .|.|punct|2")
        assert opening([ann, _grew("company")], "The company") == "The company"


class TestPairs:
    """A name and, in the next sentence, a noun for things of its type: nothing else says what is meant."""

    def test_the_subject_of_the_sentence_before(self):
        assert sureness([_fell("IBM", "ORG"), _grew("company")], "The company") == SAME_SUBJECT
        assert opening([_fell("IBM", "ORG"), _grew("company")], "The company") == "IBM"

    def test_not_of_another_type(self):
        assert opening([_fell("IBM", "ORG"), _grew("river")], "The river") == "The river"
        assert opening([_fell("Bonn", "GPE"), _grew("company")], "The company") == "The company"
        assert opening([_fell("IBM", "ORG"), _grew("government")], "The government") == "The government"

    def test_not_farther_away(self):
        rain = parsed("Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2")
        assert sureness([_fell("IBM", "ORG"), rain, _grew("company")], "The company") < CUT

    def test_not_with_a_complement(self):
        of = parsed("The|DT|det|2 company|NN|nsubj|5 of|IN|prep|2 players|NNS|pobj|3 grew|VBD|ROOT|0||grow .|.|punct|5")
        assert sureness([_fell("IBM", "ORG"), of], "The company") < CUT

    def test_not_where_the_noun_stood_before(self):
        a_company = parsed("A|DT|det|2 company|NN|nsubj|3 fell|VBD|ROOT|0||fall .|.|punct|3")
        assert opening([a_company, _fell("IBM", "ORG"), _grew("company")], "The company") == "A company"


class TestConfidence:
    def test_the_repeated_definite_is_sure(self):
        a_club = parsed("A|DT|det|2 club|NN|nsubj|3 fell|VBD|ROOT|0||fall .|.|punct|3")
        assert sureness([_grew("club"), _grew("club")], "The club") >= CUT
        assert sureness([a_club, _grew("club")], "The club") >= CUT

    def test_another_modifier_makes_it_unsure(self):
        old = parsed("The|DT|det|3 old|JJ|amod|3 club|NN|nsubj|4 fell|VBD|ROOT|0||fall .|.|punct|4")
        new = parsed("The|DT|det|3 new|JJ|amod|3 club|NN|nsubj|4 fell|VBD|ROOT|0||fall .|.|punct|4")
        assert sureness([old, new], "The new club") < CUT
        assert sureness([old, old], "The old club") >= CUT

    def test_a_chain_is_as_sure_as_its_weakest_link(self):
        chain = [_fell("IBM", "ORG"), _grew("company"), _grew("company")]
        assert sureness(chain, "The company") <= SAME_SUBJECT

    def test_that_time_is_not_an_anaphor(self):
        mentions = ask([_grew("time"), _grew("time")])[0]
        assert len({m.cluster.number for m in mentions}) == 2


def test_the_table_tells_kinds_apart() -> None:
    for noun, kind in (
        ("astronomer", ReferentKind.PERSON),
        ("frenchman", ReferentKind.PERSON),
        ("horse", ReferentKind.ANIMAL),
        ("committee", ReferentKind.GROUP),
        ("river", ReferentKind.PLACE),
        ("museum", ReferentKind.PLACE),
        ("novel", ReferentKind.WORK),
        ("painting", ReferentKind.WORK),
        ("hammer", ReferentKind.THING),
        ("war", ReferentKind.EVENT),
        ("theory", ReferentKind.IDEA),
        ("disease", ReferentKind.STATE),
        ("century", ReferentKind.MEASURE),
    ):
        assert kind in kinds_of_noun(noun), noun


def test_a_noun_of_several_kinds_has_them_all_and_its_main_one() -> None:
    assert kinds_of_noun("party") >= {ReferentKind.GROUP, ReferentKind.EVENT}
    assert main_kind("party") is ReferentKind.GROUP


def test_names_phrases_and_unknown_words_have_no_kind() -> None:
    for word in ("paris", "zzyzx", "", "vice president", "School"):
        assert kinds_of_noun(word) == NO_KINDS, word
        assert main_kind(word) is None, word


# Places and plurals that the parser or a role makes look like a person: who may be "it", who "they".


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


class TestLinksOfPlaces:
    def test_it_after_a_country_that_is_a_member(self):
        for word in ("Albania", "India"):
            assert (word.lower(),) in COUNTRIES, word
            first = parsed(
                f"{word}|NNP|nsubj|2|B-GPE is|VBZ|ROOT|0||be a|DT|det|4 member|NN|attr|2 of|IN|prep|4 NATO|NNP|pobj|5|B-ORG "
                ".|.|punct|2"
            )
            second = parsed("It|PRP|nsubj|2||it holds|VBZ|ROOT|0||hold a|DT|det|4 seat|NN|dobj|2 .|.|punct|2")
            assert opening_of_places([first, second], word), word

    def test_they_after_a_plural_that_no_dictionary_knows(self):
        first = parsed("Alkanoids|NNS|nsubj|2 are|VBP|ROOT|0||be shy|JJ|acomp|2 animals|NNS|attr|2||animal .|.|punct|2")
        second = parsed("They|PRP|nsubj|2||they sleep|VBP|ROOT|0||sleep there|RB|advmod|2 .|.|punct|2")
        assert opening_of_places([first, second], "Alkanoids")

    def test_a_surname_that_looks_like_a_plural_stays_singular(self):
        first = parsed("Wiggins|NNS|nsubj|2 was|VBD|ROOT|0||be a|DT|det|4 player|NN|attr|2 .|.|punct|2")
        second = parsed("They|PRP|nsubj|2||they slept|VBD|ROOT|0||sleep there|RB|advmod|2 .|.|punct|2")
        assert not opening_of_places([first, second], "Wiggins")


def opening_of_places(sentences, word: str) -> bool:
    """Whether the pronoun that opens the second sentence means the word that opens the first."""
    return any(
        (cluster[0].sentence, cluster[0].start) == (0, 0) and any((m.sentence, m.start) == (1, 0) for m in cluster)
        for cluster in Sieve().resolve(sentences)
    )
