"""The sieve on hand-built parses: who may be meant, who may not, and what the clusters look like."""

from importlib.resources import files

import numpy as np

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


def read(texts: list[str]) -> list[Sentence]:
    """Returns sentences, each given as a parse or as the words of one of parses.txt."""
    return [parsed(text if "|" in text else parses.of(text)) for text in texts]


RIDER, HE_SAID = "Rider entered the weekend averaging 23.0 points .", "He said those numbers mean little ."


def test_the_confidence_of_a_pronoun_is_calibrated():
    with files("gistmill.rules.coreference").joinpath("data", "scorer.npz").open("rb") as stream:
        weights = dict(np.load(stream))
    halved = Scorer({**weights, "calibration": np.array([(0.0, 1.0), (0.0, 0.5)])})
    ((_, he),) = Sieve(halved).resolve(read([RIDER, HE_SAID]))
    assert 0 < he.confidence <= 0.5


def test_what_a_mention_is_linked_to():
    for *texts, mention, opening in CASES["linked"]:
        assert linked(read(texts), mention)[0] == opening, texts


def test_a_mention_without_a_link():
    for *texts, mention in CASES["not linked"]:
        assert linked(read(texts), mention) == ("", 0.0), texts


def test_the_subject_of_the_sentence_before_is_sure():
    assert linked(read([RIDER, HE_SAID]), "He")[1] >= CUT


def test_possessive_in_a_subordinate_clause_and_a_name_tagged_as_a_noun():
    # the tagger makes "Ruiz" a common noun; no dictionary knows it
    opening, confidence = linked(read([parses.RUIZ]), "his", nth=1)
    assert opening == "Ruiz" and confidence > 0.5


def test_cataphora():
    when = read(["When she arrived , Ann slept ."])
    (cluster,) = SIEVE.resolve(when)
    assert [_text(when, m) for m in cluster] == ["she", "Ann"]
    # the name opens the entity, although it is second
    assert cluster[1].confidence == 1.0 and cluster[0].confidence < 1.0


def test_first_and_second_person_are_left_alone():
    sentences = read([RIDER, "I|PRP|nsubj|2 saw|VBD|ROOT|0||see you|PRP|dobj|2 .|.|punct|2"])
    assert all(_text(sentences, m) not in ("I", "you") for c in SIEVE.resolve(sentences) for m in c)


def test_empty_it_stays_out():
    company = "The|DT|det|2 company|NN|nsubj|3 makes|VBZ|ROOT|0||make cars|NNS|dobj|3||car .|.|punct|3"
    for text in CASES["empty it stays out"]:
        assert linked(read([company, text]), "It") == ("", 0.0), text


def test_the_pages_subject_is_preferred():
    texts = ["Ann met Eve in Rome .", "She|PRP|nsubj|2||she married|VBD|ROOT|0||marry .|.|punct|2"]
    of_eve, of_ann = (linked(read(texts), "She", title=title) for title in ("Eve", "Ann"))
    assert of_ann[0] == "Ann"
    assert of_eve[0] == "Eve" or of_eve[1] < of_ann[1]


def test_first_and_last_word_of_the_title_are_one_person():
    sarah = "Sarah|NNP|nsubj|2|B-PERSON sang|VBD|ROOT|0||sing .|.|punct|2"
    both = read([sarah, sarah.replace("Sarah", "Jarosz")])
    assert linked(both, "Jarosz", title="Sarah Jarosz")[0] == "Sarah"
    assert linked(both, "Jarosz") == ("", 0.0)
