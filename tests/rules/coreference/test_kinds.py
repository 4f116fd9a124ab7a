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
from tests.cases import by_heading
from tests.testing import parsed

CASES = by_heading(__file__)


def opening(sentences: list[Sentence], nominal: str, *, title: str = "") -> str:
    """Returns the first mention of the cluster of the last nominal with this text."""

    def text(m):
        return " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end])

    mentions = ask(sentences, title=title)[0]
    return text([m for m in mentions if text(m) == nominal][-1].cluster.mentions[0])


def sentence(text: str) -> Sentence:
    """Returns "The NOUN grew .", or "NAME fell ." of a name with its type, such as "Bell University/ORG", or a parse."""
    if "|" in text:
        return parsed(text)
    name, _, entity = text.partition("/")
    if not entity:
        return parsed(f"The|DT|det|2 {name}|NN|nsubj|3 grew|VBD|ROOT|0||grow .|.|punct|3")
    *before, last = name.split()
    verb = len(before) + 2
    items = [f"{word}|NNP|compound|{verb - 1}|{'I' if k else 'B'}-{entity}" for k, word in enumerate(before)]
    items.append(f"{last}|NNP|nsubj|{verb}|{'I' if before else 'B'}-{entity}")
    return parsed(" ".join([*items, f"fell|VBD|ROOT|0||fall .|.|punct|{verb}"]))


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


def test_what_opens_the_cluster_of_a_nominal():
    for *texts, nominal, expected in CASES["what opens the cluster"]:
        assert opening(list(map(sentence, texts)), nominal) == expected, texts


def test_a_nominal_is_sure_of_its_link_or_not():
    for *texts, nominal, sure in CASES["sure or not"]:
        assert (sureness(list(map(sentence, texts)), nominal) >= CUT) == sure, texts


def test_the_subject_of_the_sentence_before_is_as_sure_as_its_link():
    pair = [sentence("IBM/ORG"), sentence("company")]
    assert sureness(pair, "The company") == SAME_SUBJECT
    # a chain is as sure as its weakest link
    assert sureness([*pair, sentence("company")], "The company") <= SAME_SUBJECT


def test_that_time_is_not_an_anaphor():
    mentions = ask([sentence("time"), sentence("time")])[0]
    assert len({m.cluster.number for m in mentions}) == 2


def test_the_table_tells_kinds_apart():
    for noun, kind in CASES["the table tells kinds apart"]:
        assert ReferentKind[kind] in kinds_of_noun(noun), noun


def test_a_noun_of_several_kinds_has_them_all_and_its_main_one():
    assert kinds_of_noun("party") >= {ReferentKind.GROUP, ReferentKind.EVENT}
    assert main_kind("party") is ReferentKind.GROUP


def test_names_phrases_and_unknown_words_have_no_kind():
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
