"""The sieve on hand-built parses: who may be meant, who may not, and what the clusters look like."""

from gistmill.rules.coreference.scorer import CUT, Scorer, Sieve
from gistmill.rules.documents import Mention, Sentence
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.testing import parsed

CASES = by_heading(__file__)

SIEVE = Sieve()


def _text(sentences: list[Sentence], m: Mention) -> str:
    return " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end])


def linked(sentences: list[Sentence], word: str, *, title: str = "", nth: int = 0) -> tuple[str, float]:
    """Returns what opens the cluster of the nth mention with this text, and the confidence of the link; ("", 0) if it
    is in none.
    """
    found = []
    for cluster in SIEVE.resolve(sentences, title=title):
        for m in cluster:
            if _text(sentences, m) == word:
                found.append(((m.sentence, m.start), _text(sentences, cluster[0]), m.confidence))
    found.sort()
    return found[nth][1:] if len(found) > nth else ("", 0.0)


RIDER = parsed(parses.of("Rider entered the weekend averaging 23.0 points ."))
HE_SAID = parsed(parses.of("He said those numbers mean little ."))


def test_the_confidence_of_a_pronoun_is_calibrated():
    class Halved(Scorer):
        def confidence(self, probability: float) -> float:
            return probability / 2

    ((_, he),) = Sieve(Halved()).resolve([RIDER, HE_SAID])
    assert 0 < he.confidence <= 0.5


class TestPersons:
    def test_subject_of_the_sentence_before(self):
        opening, confidence = linked([RIDER, HE_SAID], "He")
        assert opening == "Rider" and confidence >= CUT

    def test_possessive_in_a_subordinate_clause_and_a_name_tagged_as_a_noun(self):
        # The tagger makes "Ruiz" a common noun; no dictionary knows it.
        ruiz = parsed(
            "Ruiz|NN|nsubj|2 ordered|VBD|ROOT|0||order his|PRP$|poss|5||his first|JJ|amod|5 shot|NN|nsubjpass|8 "
            "to|TO|aux|8 be|VB|auxpass|8 "
            "retaken|VBN|ccomp|2||retake because|IN|mark|12 Brazilian|JJ|amod|11|B-NORP "
            "players|NNS|nsubj|12||player entered|VBD|advcl|2||enter "
            "the|DT|det|15 penalty|NN|compound|15 area|NN|dobj|12 before|IN|prep|12 his|PRP$|poss|18||his "
            "kick|NN|pobj|16 .|.|punct|2"
        )
        opening, confidence = linked([ruiz], "his", nth=1)
        assert opening == "Ruiz" and confidence > 0.5

    def test_a_known_noun_at_the_start_is_not_a_name(self):
        water = parsed("Water|NN|nsubj|2 froze|VBD|ROOT|0||freeze in|IN|prep|2 pipes|NNS|pobj|3||pipe .|.|punct|2")
        assert linked([water, HE_SAID], "He") == ("", 0.0)

    def test_gender_decides_between_two(self):
        met = parsed(parses.of("Mary Smith met John Jones ."))
        she = parsed("She|PRP|nsubj|2||she married|VBD|ROOT|0||marry him|PRP|dobj|2||he .|.|punct|2")
        assert linked([met, she], "She")[0] == "Mary Smith"
        assert linked([met, she], "him")[0] == "John Jones"

    def test_a_title_before_a_name_tells_its_gender(self):
        met = parsed(parses.of("Mrs. Baker met Mr. Stone ."))
        she = parsed("She|PRP|nsubj|2||she left|VBD|ROOT|0||leave .|.|punct|2")
        assert linked([met, she], "She")[0] == "Mrs. Baker"

    def test_subject_and_object_of_one_verb_differ(self):
        # "Tom" is the only man, yet "him" next to him as subject is somebody else.
        tom = parsed("Tom|NNP|nsubj|2|B-PERSON hit|VBD|ROOT|0||hit him|PRP|dobj|2||he .|.|punct|2")
        assert linked([tom], "him") == ("", 0.0)

    def test_reflexive_is_the_subject(self):
        two = parsed("Tom|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2")
        hurt = parsed("Sam|NNP|nsubj|2|B-PERSON hurt|VBD|ROOT|0||hurt himself|PRP|dobj|2||himself .|.|punct|2")
        assert linked([two, hurt], "himself")[0] == "Sam"

    def test_reflexive_follows_a_pronoun_subject(self):
        hurt = parsed("He|PRP|nsubj|2||he hurt|VBD|ROOT|0||hurt himself|PRP|dobj|2||himself .|.|punct|2")
        assert linked([RIDER, hurt], "himself")[0] == linked([RIDER, hurt], "He")[0] == "Rider"

    def test_an_owner_is_not_what_is_owned(self):
        brother = parsed("His|PRP$|poss|2||his brother|NN|nsubj|3 left|VBD|ROOT|0||leave .|.|punct|3")
        assert linked([brother], "His") == ("", 0.0)
        assert linked([RIDER, brother], "His")[0] == "Rider"

    def test_conjoined_owner_may_be_meant(self):
        ann = parsed(
            "Ann|NNP|nsubj|5|B-PERSON and|CC|cc|1 her|PRP$|poss|4||her son|NN|conj|1 left|VBD|ROOT|0||leave .|.|punct|5"
        )
        assert linked([ann], "her")[0] == "Ann"

    def test_cataphora(self):
        when = parsed(parses.of("When she arrived , Ann slept ."))
        (cluster,) = SIEVE.resolve([when])
        assert [_text([when], m) for m in cluster] == ["she", "Ann"]
        # the name opens the entity, although it stands second
        assert cluster[1].confidence == 1.0 and cluster[0].confidence < 1.0

    def test_first_and_second_person_are_left_alone(self):
        i = parsed("I|PRP|nsubj|2 saw|VBD|ROOT|0||see you|PRP|dobj|2 .|.|punct|2")
        assert all(_text([RIDER, i], m) not in ("I", "you") for c in SIEVE.resolve([RIDER, i]) for m in c)


class TestThingsAndPlurals:
    COMPANY = parsed("The|DT|det|2 company|NN|nsubj|3 makes|VBZ|ROOT|0||make cars|NNS|dobj|3||car .|.|punct|3")

    def test_it_is_a_thing(self):
        it = parsed(parses.of("It was founded in 1950 ."))
        assert linked([self.COMPANY, it], "It")[0] == "The company"

    def test_it_is_not_a_person(self):
        it = parsed("It|PRP|nsubj|2||it grew|VBD|ROOT|0||grow .|.|punct|2")
        sam = parsed("Sam|NNP|nsubj|2|B-PERSON slept|VBD|ROOT|0||sleep .|.|punct|2")
        assert linked([sam, it], "It") == ("", 0.0)

    def test_empty_it_stays_out(self):
        for sentence in CASES["empty it stays out"]:
            assert linked([self.COMPANY, parsed(sentence)], "It") == ("", 0.0), sentence

    def test_they_are_a_coordination(self):
        both = parsed("Ann|NNP|nsubj|4|B-PERSON and|CC|cc|1 Bob|NNP|conj|1|B-PERSON left|VBD|ROOT|0||leave .|.|punct|4")
        they = parsed("They|PRP|nsubj|2||they married|VBD|ROOT|0||marry .|.|punct|2")
        assert linked([both, they], "They")[0] == "Ann and Bob"

    def test_they_are_not_one_woman(self):
        ann = parsed("Ann|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2")
        they = parsed("They|PRP|nsubj|2||they married|VBD|ROOT|0||marry .|.|punct|2")
        assert linked([ann, they], "They") == ("", 0.0)


class TestNominals:
    def test_repeated_definite(self):
        a = parsed("A|DT|det|2 club|NN|nsubj|3 won|VBD|ROOT|0||win .|.|punct|3")
        the = parsed("The|DT|det|2 club|NN|nsubj|3 folded|VBD|ROOT|0||fold .|.|punct|3")
        assert linked([a, the], "The club")[0] == "A club"
        assert linked([a, a], "A club") == ("", 0.0)

    def test_modified_definite_is_another(self):
        a = parsed("A|DT|det|2 club|NN|nsubj|3 won|VBD|ROOT|0||win .|.|punct|3")
        new = parsed("The|DT|det|3 new|JJ|amod|3 club|NN|nsubj|4 folded|VBD|ROOT|0||fold .|.|punct|4")
        assert linked([a, new], "The new club")[1] < CUT

    def test_kind_of_a_name(self):
        is_a = parsed("Metallica|NNP|nsubj|2|B-ORG is|VBZ|ROOT|0||be a|DT|det|4 band|NN|attr|2 .|.|punct|2")
        the = parsed("The|DT|det|2 band|NN|nsubj|3 toured|VBD|ROOT|0||tour .|.|punct|3")
        assert linked([is_a, the], "The band")[0] == "Metallica"
        # the predicate itself is not a mention
        assert linked([is_a, the], "a band") == ("", 0.0)

    def test_apposition(self):
        ann = parsed(parses.of("Ann Lee , the singer , left ."))
        assert linked([ann], "the singer")[0] == "Ann Lee"


class TestTitle:
    def test_the_pages_subject_is_preferred(self):
        met = parsed(parses.of("Ann met Eve in Rome ."))
        she = parsed("She|PRP|nsubj|2||she married|VBD|ROOT|0||marry .|.|punct|2")
        of_eve = linked([met, she], "She", title="Eve")
        of_ann = linked([met, she], "She", title="Ann")
        assert of_ann[0] == "Ann"
        assert of_eve[0] == "Eve" or of_eve[1] < of_ann[1]

    def test_first_and_last_word_of_the_title_are_one_person(self):
        sarah = parsed("Sarah|NNP|nsubj|2|B-PERSON sang|VBD|ROOT|0||sing .|.|punct|2")
        jarosz = parsed("Jarosz|NNP|nsubj|2|B-PERSON left|VBD|ROOT|0||leave .|.|punct|2")
        assert linked([sarah, jarosz], "Jarosz", title="Sarah Jarosz")[0] == "Sarah"
        assert linked([sarah, jarosz], "Jarosz") == ("", 0.0)
