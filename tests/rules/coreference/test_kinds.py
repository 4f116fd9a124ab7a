"""Nominals that stand for a name because of what the name, its apposition or its predicate says."""

from __future__ import annotations

from rules.coreference.kinds import kinds_of_name, same_kind
from rules.coreference.sieve import CUT, ask
from rules.records import Sentence
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
        assert opening(two, "The university") == "The university"

    def test_the_page_of_a_country(self):
        both = [_fell("Albania", "GPE"), _fell("Italy", "GPE"), _grew("country")]
        assert opening(both, "The country") == "The country"
        assert opening(both, "The country", title="Albania") == "Albania"
        # another country is not the page's, even where the page's own name has not appeared yet
        assert opening(both[1:], "The country", title="Albania") == "The country"

    def test_no_person(self):
        lake = [_fell("Ann University", "PERSON"), _grew("university")]
        assert opening(lake, "The university") == "Ann University"
        ann = parsed("Ann|NNP|nsubj|2|B-PERSON is|VBZ|ROOT|0||be a|DT|det|4 singer|NN|attr|2 .|.|punct|2")
        assert opening([ann, _grew("company")], "The company") == "The company"


class TestConfidence:
    """The figures are shares of right links on GUM."""

    def _of(self, sentences: list[Sentence], nominal: str) -> float:
        mentions = ask(sentences)[0]
        texts = {m.order: " ".join(t.text for t in sentences[m.sentence].tokens[m.start : m.end]) for m in mentions}
        last = [m for m in mentions if texts[m.order] == nominal][-1]
        return last.cluster.links[last.order]

    def test_the_repeated_definite_is_sure_and_the_introduced_one_is_not(self):
        a_club = parsed("A|DT|det|2 club|NN|nsubj|3 fell|VBD|ROOT|0||fall .|.|punct|3")
        assert self._of([_grew("club"), _grew("club")], "The club") >= CUT
        assert self._of([a_club, _grew("club")], "The club") < CUT
        # a chain is as sure as its weakest link
        assert self._of([a_club, _grew("club"), _grew("club")], "The club") < CUT

    def test_a_name_far_away_is_not_sure(self):
        between = [parsed("Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2")] * 3
        university = _fell("Acme University", "ORG")
        assert self._of([university, _grew("university")], "The university") >= CUT
        assert self._of([university, *between, _grew("university")], "The university") < CUT

    def test_one_of_the_kind_named_since_is_meant_rather(self):
        sentences = [_grew("university"), _fell("Acme University", "ORG"), _grew("university")]
        assert opening(sentences, "The university") == "Acme University"
        assert self._of(sentences, "The university") < CUT
        two = [*sentences[:2], _fell("Bell University", "ORG"), sentences[2]]
        assert opening(two, "The university") == "The university"
        assert self._of(two, "The university") < CUT

    def test_that_club_is_not_sure_and_that_time_is_no_anaphor(self):
        that_club = parsed("That|DT|det|2 club|NN|nsubj|3 grew|VBD|ROOT|0||grow .|.|punct|3")
        assert self._of([_grew("club"), that_club], "That club") < CUT
        mentions = ask([_grew("time"), _grew("time")])[0]
        assert len({m.cluster.number for m in mentions}) == 2
