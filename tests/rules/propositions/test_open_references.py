"""What of a statement does not stand alone, by kind."""

from gistmill.rules.propositions.open_references import OpenKind, find
from gistmill.rules.propositions.statements import is_nameless, open_kind
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)

SUBJECT = "{}|nsubj|2 won|VBD|ROOT|0||win Kent|NNP|dobj|2|B-GPE|Kent .|.|punct|2"


def found(text: str, explained=(), title: str = "") -> list[tuple[str, str]]:
    """Returns (kind, words) of what a hand-written parse leaves open."""
    made = parse(text)
    return [
        (o.kind.name, " ".join(t.text for t in made.tokens[o.start : o.end]))
        for o in find(made, explained, title=title)
    ]


def subject(*items: str, behind: str = "") -> str:
    """A sentence whose subject is the last of some ``word|tag|label`` items, or ``word|tag|label|head`` behind it."""
    size, more = len(items), len(behind.split())
    verb = size + more + 1
    inner = [f"{item}|{size}" for item in items[:-1]]
    return " ".join(
        [
            *inner,
            f"{items[-1]}|nsubj|{verb}",
            behind,
            f"won|VBD|ROOT|0||win Kent|NNP|dobj|{verb}|B-GPE|Kent .|.|punct|{verb}",
        ]
    )


NOTHING: list[tuple[str, str]] = []


class TestPronouns:
    def test_the_third_person(self):
        for word in ["He", "She", "It", "They"]:
            assert found(SUBJECT.format(f"{word}|PRP")) == [("PRONOUN", word)], word
            assert found(SUBJECT.format(f"{word}|PRP"), explained={0}) == NOTHING, word

    def test_the_speaker(self):
        for word in ["I", "We", "You"]:
            assert found(SUBJECT.format(f"{word}|PRP")) == [("SPEAKER", word)], word

    def test_possessives(self):
        for word, kind in [("his", "PRONOUN"), ("their", "PRONOUN"), ("our", "SPEAKER")]:
            assert found(subject(f"{word}|PRP$|poss", "mill|NN")) == [(kind, word)], word

    def test_a_reflexive_means_what_the_clause_names(self):
        assert found("Ada|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0||see herself|PRP|dobj|2 .|.|punct|2") == NOTHING

    def test_an_empty_it_means_nothing(self):
        for text in CASES["an empty it means nothing"]:
            assert found(text) == NOTHING, text

    def test_one_in_the_name_of_a_work(self):
        text = "Ada|NNP|nsubj|2|B-PERSON saw|VBD|ROOT|0||see {0} Lives|NNS|dobj|2|I-WORK_OF_ART of|IN|prep|4 Kent|NNP|pobj|5|B-GPE .|.|punct|2"
        assert found(text.format("Our|PRP$|poss|4|B-WORK_OF_ART")) == NOTHING
        assert found(text.format("our|PRP$|poss|4")) == [("SPEAKER", "our")]

    def test_a_noun_says_what_an_it_is(self):
        text = parses.of("It was the capital of Kent after Leeds fell .")
        assert found(text) == [("PRONOUN", "It")]


class TestDemonstratives:
    def test_alone(self):
        for word in ["This", "That", "These", "Those"]:
            assert found(SUBJECT.format(f"{word}|DT")) == [("DEMONSTRATIVE", word)], word

    def test_before_a_noun(self):
        for item in ["this|DT|det", "those|DT|det", "Such|JJ|amod"]:
            assert found(subject(item, "mill|NN")) == [("DEMONSTRATIVE", item.partition("|")[0])], item

    def test_those_of_something(self):
        assert found(subject("Those|DT", behind="of|IN|prep|1 Leeds|NNP|pobj|2|B-GPE")) == NOTHING

    def test_this_is_not_told_apart_by_a_participle(self):
        behind = "combined|VBN|acl|1 with|IN|prep|2 Leeds|NNP|pobj|3|B-GPE"
        assert found(subject("This|DT", behind=behind)) == [("DEMONSTRATIVE", "This")]
        assert found(subject("Those|DT", behind=behind)) == NOTHING

    def test_such_as(self):
        assert found(subject("Mills|NNS", behind="such|JJ|amod|3 as|IN|prep|1 Dean|NNP|pobj|3|B-ORG")) == NOTHING

    def test_a_relative_and_a_conjunction_point_to_nothing(self):
        for item in ["that|WDT|nsubj", "that|IN|mark"]:
            text = subject("Men|NNS", behind=f"{item}|3 left|VBD|relcl|1 Rome|NNP|dobj|3|B-GPE")
            assert found(text) == NOTHING, item


class TestOthers:
    def test_alone(self):
        for item in ["Others|NNS", "Some|DT", "Both|DT", "Most|JJS", "None|NN", "All|DT"]:
            assert found(SUBJECT.format(item)) == [("OTHER", item.partition("|")[0])], item

    def test_with_what_they_are_of(self):
        for word in ["One", "Some", "Each", "Most"]:
            assert (
                found(subject(f"{word}|DT", behind="of|IN|prep|1 Dean|NNP|poss|5|B-ORG 's|POS|case|3 mills|NNS|pobj|2"))
                == NOTHING
            ), word

    def test_before_a_noun(self):
        for items, word in CASES["before a noun"]:
            assert found(subject(*items)) == [("OTHER", word)], items

    def test_before_a_noun_that_needs_no_more(self):
        for items in CASES["before a noun that needs no more"]:
            assert found(subject(*items)) == NOTHING, items

    def test_the_other(self):
        assert ("OTHER", "other") in found(subject("The|DT|det", "other|JJ|amod", "mills|NNS"))

    def test_each_other_means_what_the_clause_names(self):
        for one, two in [("each", "other"), ("one", "another")]:
            text = f"Men|NNS|nsubj|2 saw|VBD|ROOT|0||see {one}|DT|det|4 {two}|JJ|dobj|2 in|IN|prep|2 Kent|NNP|pobj|5|B-GPE .|.|punct|2"
            assert found(text) == NOTHING, one

    def test_an_ordinal_stands_for_its_noun(self):
        fourth = "The|DT|det|2 fourth|JJ|nsubj|{}|B-ORDINAL{} won|VBD|ROOT|0||win Kent|NNP|dobj|{}|B-GPE .|.|punct|{}"
        assert ("OTHER", "fourth") in found(fourth.format(3, "", 3, 3))
        assert found(fourth.format(5, " of|IN|prep|2 Leeds|NNP|pobj|3|B-GPE", 5, 5)) == NOTHING

    def test_a_comparison_says_with_what(self):
        assert found(subject("Smaller|JJR|amod", "islands|NNS")) == [("OTHER", "Smaller")]
        assert found(subject("Higher|JJR|amod", "education|NN")) == NOTHING
        text = "Smaller|JJR|amod|2 islands|NNS|nsubj|5 than|IN|prep|2 Malta|NNP|pobj|3|B-GPE sank|VBD|ROOT|0||sink .|.|punct|5"
        assert found(text) == NOTHING

    def test_no_one_is_nobody(self):
        assert found(subject("No|DT|det", "one|NN")) == NOTHING
        assert found(SUBJECT.format("one|NN")) == [("OTHER", "one")]


class TestPlacesAndTimes:
    CAME = "Ada|NNP|nsubj|2|B-PERSON came|VBD|ROOT|0||come {} .|.|punct|2"

    def test_a_place(self):
        for word in ["there", "here", "elsewhere"]:
            assert found(self.CAME.format(f"{word}|RB|advmod|2")) == [("PLACE", word)], word

    def test_there_is(self):
        assert found("There|EX|expl|2 are|VBP|ROOT|0||be mills|NNS|attr|2 .|.|punct|2") == NOTHING

    def test_a_time(self):
        for word in ["then", "now", "today", "afterwards", "meanwhile"]:
            assert found(self.CAME.format(f"{word}|RB|advmod|2")) == [("TIME", word)], word

    def test_a_time_beside_another(self):
        for word in ["following", "next", "previous", "same"]:
            text = f"the|DT|det|5|B-DATE {word}|JJ|amod|5|I-DATE year|NN|npadvmod|2|I-DATE|year"
            assert found(self.CAME.format(text)) == [("TIME", word)], word
            mill = text.replace("year|NN", "mill|NN").replace("|year", "|mill").replace("DATE", "ORG")
            assert found(self.CAME.format(mill)) == ([("OTHER", word)] if word in ("next", "previous") else NOTHING), (
                word
            )

    def test_the_time_may_stand_further_on(self):
        text = "the|DT|det|6|B-DATE following|JJ|amod|6|I-DATE three|CD|nummod|6|I-DATE decades|NNS|npadvmod|2|I-DATE|decade"
        assert found(self.CAME.format(text)) == [("TIME", "following")]

    def test_again_at_the_beginning(self):
        assert found("Again|RB|advmod|3 Ada|NNP|nsubj|3|B-PERSON won|VBD|ROOT|0||win .|.|punct|3") == [
            ("TIME", "Again")
        ]
        assert found(self.CAME.format("again|RB|advmod|2")) == NOTHING

    def test_a_response_is_to_something(self):
        text = "In|IN|prep|{0} response|NN|pobj|1 {1}Ada|NNP|nsubj|{0}|B-PERSON won|VBD|ROOT|0||win .|.|punct|{0}"
        assert found(text.format(4, "")) == [("CONNECTIVE", "In")]
        assert found(text.format(6, "to|IN|prep|2 Leo|NNP|pobj|3|B-PERSON ")) == NOTHING

    def test_later_by_some_time(self):
        span = "two|CD|nummod|4|B-DATE years|NNS|npadvmod|5|I-DATE|year {}"
        assert found(self.CAME.format(span.format("later|RB|advmod|2"))) == [("TIME", "later")]
        assert found(self.CAME.format(span.format("after|IN|prep|2 1990|CD|pobj|5|B-DATE"))) == NOTHING

    def test_an_adverb_without_a_measure(self):
        assert found(self.CAME.format("later|RB|advmod|2")) == NOTHING


class TestDefinite:
    def test_a_noun_that_nothing_tells_apart(self):
        assert found(subject("The|DT|det", "mill|NN")) == [("DEFINITE", "The mill")]
        assert found(subject("The|DT|det", "old|JJ|amod", "mill|NN")) == [("DEFINITE", "The old mill")]

    def test_what_stands_behind_it_does(self):
        for behind in CASES["what stands behind it does"]:
            assert found(subject("The|DT|det", "mill|NN", behind=behind)) == NOTHING, behind

    def test_a_phrase_without_a_name_does_not(self):
        for behind in CASES["a phrase without a name does not"]:
            assert found(subject("The|DT|det", "mill|NN", behind=behind)) == [("DEFINITE", "The mill")], behind

    def test_a_phrase_with_a_name_does(self):
        assert found(subject("The|DT|det", "mill|NN", behind="over|IN|prep|2 Thames|NNP|pobj|3|B-LOC")) == NOTHING

    def test_a_clause_behind_the_verb_does_not(self):
        text = parses.of("The mill burned which stopped Leeds .")
        assert found(text) == [("DEFINITE", "The mill")]

    def test_a_number_in_words_does_not(self):
        assert found(subject("The|DT|det", "two|CD|nummod", "mills|NNS")) == [("DEFINITE", "The two mills")]

    def test_a_complement_may_be_of_two_nouns(self):
        text = "and|CC|cc|2 houses|NNS|conj|2 of|IN|prep|4 Leeds|NNP|pobj|5|B-GPE"
        assert found(subject("The|DT|det", "mill|NN", behind=text)) == NOTHING

    def test_a_common_noun_with_a_capital_is_short_for_a_name(self):
        assert found(subject("The|DT|det", "Bank|NNP")) == [("DEFINITE", "The Bank")]
        assert found(subject("The|DT|det", "Opry|NNP")) == NOTHING

    def test_a_name_or_a_number_does(self):
        for item in ["Leeds|NNP|compound", "1990|CD|nummod"]:
            assert found(subject("The|DT|det", item, "mill|NN")) == NOTHING, item

    def test_there_is_one_of_these(self):
        for noun in ["sun", "north", "world"]:
            assert found(subject("The|DT|det", f"{noun}|NN")) == NOTHING, noun

    def test_a_name_needs_no_more(self):
        assert found("The|DT|det|2 Beatles|NNPS|nsubj|3|B-ORG won|VBD|ROOT|0||win .|.|punct|3") == NOTHING

    def test_the_title_tells_apart(self):
        for title in ["Mill (building)", "Mill"]:
            assert found(subject("The|DT|det", "mill|NN"), title=title) == NOTHING, title

    def test_of_the_past_it_may_be_one_of_a_kind(self):
        for title in ["Millstone", "Old mill", "Video mill (Leeds)"]:
            assert found(subject("The|DT|det", "mill|NN"), title=title) == [("DEFINITE", "The mill")], title

    def test_a_kind_is_known_in_the_present(self):
        text = subject("The|DT|det", "mill|NN").replace("won|VBD", "has|VBZ")
        assert found(text, title="Old mill") == NOTHING

    def test_a_common_noun_of_a_name_is_none(self):
        text = subject("The|DT|det", "Bank|NNP").replace("won|VBD", "has|VBZ")
        assert found(text, title="Leeds Bank") == [("DEFINITE", "The Bank")]
        assert found(text, title="Bank") == NOTHING

    def test_what_is_explained_does_not_need_it(self):
        assert found(subject("The|DT|det", "mill|NN"), explained={0, 1}) == NOTHING


def test_every_kind_has_a_meaning_of_its_own():
    assert len({kind.value for kind in OpenKind}) == len(OpenKind)


# Whether a statement, or what stands for a mention, names what it is about.


class TestNameless:
    RAIN = "Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall in|IN|prep|2 May|NNP|pobj|3|B-DATE .|.|punct|2"

    @staticmethod
    def is_so(text, title=""):
        made = parse(text)
        return is_nameless(made.words, made, title)

    def test_a_statement_is_about_what_the_title_names(self):
        kent = self.RAIN.replace("May|NNP|pobj|3|B-DATE", "Kent|NNP|pobj|3|B-GPE")
        assert self.is_so(self.RAIN, "Kent") and self.is_so(kent, "Ada Lovelace")
        assert not self.is_so(kent, "Kent") and not self.is_so(kent, "History of Kent (county)")

    def test_small_words_and_what_brackets_add_name_nothing(self):
        assert self.is_so(self.RAIN, "Life in Kent (fall)")

    def test_a_noun_is_known_by_its_lemma(self):
        assert not self.is_so("Otters|NNS|nsubj|2||otter live|VBP|ROOT|0 .|.|punct|2", "Otter")

    def test_without_a_title_a_past_or_a_figure_needs_a_name(self):
        assert self.is_so(self.RAIN)
        assert not self.is_so(self.RAIN.replace("May|NNP|pobj|3|B-DATE", "Kent|NNP|pobj|3|B-GPE"))
        assert self.is_so("Rain|NN|nsubj|2 is|VBZ|ROOT|0||be 3|CD|nummod|4 inches|NNS|attr|2 .|.|punct|2")
        assert not self.is_so("Otters|NNS|nsubj|2 live|VBP|ROOT|0 .|.|punct|2")

    def test_a_first_name_alone_names_nobody(self):
        for name, title, expected in CASES["a first name alone names nobody"]:
            assert self.is_so(f"{name} won|VBD|ROOT|0||win .|.|punct|2", title) is expected, name

    def test_the_end_of_another_name_is_not_the_title(self):
        for first, last, title, expected in CASES["the end of another name is not the title"]:
            assert self.is_so(f"{first} {last} won|VBD|ROOT|0||win .|.|punct|3", title) is expected, first


def test_phrases_that_do_not_stand_alone():
    for items, behind, expected in [
        (("the|DT|det", "man|NN"), "", OpenKind.DEFINITE),
        (("the|DT|det", "old|JJ|amod", "man|NN"), "", OpenKind.DEFINITE),
        (("the|DT|det", "man|NN"), "of|IN|prep|2 the|DT|det|5 house|NN|pobj|3", OpenKind.DEFINITE),
        (("the|DT|det", "man|NN"), "of|IN|prep|2 letters|NNS|pobj|3", None),
        (("the|DT|det", "man|NN"), "of|IN|prep|2 the|DT|det|5 Kent|NNP|pobj|3|B-GPE", None),
        (("her|PRP$|poss", "man|NN"), "", OpenKind.PRONOUN),
        (("Ada|NNP|nmod", "and|CC|cc", "her|PRP$|poss", "man|NN"), "", None),
        (("a|DT|det", "man|NN"), "", None),
        (("the|DT|det", "Beatles|NNPS"), "", None),
        (("Ada|NNP",), "", None),
    ]:
        words = parse(subject(*items, behind=behind)).words
        assert open_kind(words[: len(items) + len(behind.split())]) is expected, items
