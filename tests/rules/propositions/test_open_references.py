"""What of a statement does not stand alone, by kind; the cases file has one statement a line, and what is found in it."""

from pathlib import Path

from gistmill.rules.propositions.open_references import OpenKind, find
from gistmill.rules.propositions.statements import is_nameless, open_kind
from tests.cases import by_heading, cases
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)


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


def test_what_is_found():
    for case in cases(Path(__file__).with_name("cases") / "what_is_open.txt"):
        given = dict(line.split(": ") for line in case.lines if ": " in line)
        made = parse(case.text)
        found = find(made, {int(k) for k in given.get("explained", "").split()}, title=given.get("title", ""))
        shown = [f"{o.kind.name} {' '.join(t.text for t in made.tokens[o.start : o.end])}" for o in found]
        assert shown == [line for line in case.lines if ": " not in line], (case.heading, case.text)


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
    for items, behind, expected in CASES["phrases that do not stand alone"]:
        words = parse(subject(*items, behind=behind)).words
        found = open_kind(words[: len(items) + len(behind.split())])
        assert (found.name if found else "") == expected, items
