"""Mentions give way to their antecedents where the link is sure, and stay elsewhere."""

from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import mentions
from tests.rules.propositions.helpers import statements
from tests.testing import mention

CASES = by_heading(__file__)

ADA = parses.of("Ada Lane sold Mill Works .")
LEFT = "She|PRP|nsubj|2 left|VBD|ROOT|0||leave Kent|NNP|dobj|2|B-GPE|Kent .|.|punct|2"
RAIN = "Rain|NN|nsubj|2 fell|VBD|ROOT|0||fall .|.|punct|2"
LANE = mention(0, 0, 2, "name")


def last(*texts: str, clusters, **given):
    """Returns the last statement of hand-written parses."""
    return statements(*texts, clusters=clusters, **given)[-1]


def she(sentence: int = 1, start: int = 0, confidence: float = 0.9):
    """A pronoun of the cluster of Ada Lane."""
    return mention(sentence, start, start + 1, "pronoun", confidence=confidence)


def test_mentions_give_way_and_stay():
    for texts, clusters, given, text, left in CASES["mentions give way and stay"]:
        parsed = [each if "|" in each else parses.of(each) for each in texts]
        made = last(*parsed, clusters=[*map(mentions, clusters)], **given)
        assert (made.text, [f"{u.kind.name} {u.text}" for u in made.unresolved]) == (text, left), (texts, given)


class TestPronouns:
    def test_the_first_gives_way(self):
        made = last(ADA, LEFT, clusters=[[LANE, she(confidence=0.97)]])
        assert made.text == "Ada Lane left Kent."
        assert made.operations[0].startswith("REPLACE She by Ada Lane (")
        (replaced,) = made.replaced
        assert (replaced.start, replaced.end, replaced.here) == (0, 1, 0)
        assert made.pieces == ((0, 0, 2), (1, 1, 4)) and made.unresolved == ()

    def test_a_contraction_is_written_out(self):
        for joined, tag, rest, full in CASES["a contraction is written out"]:
            copula = "ROOT" not in rest
            verb = (
                f"{joined}|{tag}|ROOT|0||be"
                if copula
                else f"{joined}|{tag}|aux|3||{'have' if tag == 'VBZ' else 'will'}"
            )
            root = 2 if copula else 3
            text = f"She|PRP|nsubj|{root} {verb} {rest} .|.|punct|{root}"
            assert last(ADA, text, clusters=[[LANE, she()]]).text == full, joined


class TestConfidence:
    def test_a_link_at_the_cut_is_sure(self):
        for confidence, cut, gives_way in CASES["a link at the cut is sure"]:
            texts = [ADA, RAIN, RAIN, LEFT]  # so far away that its place says nothing
            made = last(*texts, clusters=[[LANE, she(3, 0, confidence)]], min_coref_confidence=cut)
            assert bool(made.replaced) is gives_way, confidence
            assert made.quality == (confidence if gives_way else 1.0), confidence

    def test_the_place_of_the_next_subject_adds_to_it(self):
        near = last(ADA, LEFT, clusters=[[LANE, she(1, 0, 0.75)]])
        assert near.replaced and 0.84 <= near.quality <= 1
        assert not last(ADA, RAIN, RAIN, LEFT, clusters=[[LANE, she(3, 0, 0.75)]]).replaced
        assert last(ADA, LEFT, clusters=[[LANE, she(1, 0, 0.99)]]).quality == 1.0


class TestDistance:
    def test_a_name_may_stand_many_sentences_before(self):
        texts = [ADA, *[RAIN] * 30, LEFT]
        assert last(*texts, clusters=[[LANE, she(31)]]).text == "Ada Lane left Kent."

    def test_a_common_noun_may_not(self):
        for between, gives_way in [(7, True), (8, False)]:
            mill = parses.of("The stone mill of Kent burned .").replace("nsubj|4", "nsubj|6")
            it = "It|PRP|nsubj|2 reopened|VBD|ROOT|0||reopen .|.|punct|2"
            clusters = [[mention(0, 0, 3, "nominal"), mention(between + 1, 0, 1, "pronoun", confidence=0.95)]]
            made = last(mill, *[RAIN] * between, it, clusters=clusters)
            assert bool(made.replaced) is gives_way, between

    def test_what_stands_behind_a_mention_is_no_antecedent(self):
        made = statements(LEFT, ADA, clusters=[[she(0), mention(1, 0, 2, "name")]])
        assert made[0].text == "She left Kent." and [u.kind.name for u in made[0].unresolved] == ["PRONOUN"]


def test_a_pronoun_is_not_a_namesake_of_whom_the_text_is_about():
    for title, said in CASES["a pronoun is not a namesake of whom the text is about"]:
        made = last(ADA, LEFT, clusters=[[LANE, she(confidence=0.97)]], title=title)
        assert made.text == ("Ada Lane left Kent." if said else "She left Kent."), title


def test_a_nominal_that_only_points_gives_way_to_a_name():
    for words, size, gives_way in CASES["one that only points gives way to a name"]:
        verb = len(words.split()) + 1
        text = f"{words} closed|VBD|ROOT|0||close soon|RB|advmod|{verb} .|.|punct|{verb}"
        company = mention(1, 0, size, "nominal", confidence=0.95)
        made = last(ADA, text, clusters=[[mention(0, 3, 5, "name"), company]])
        assert bool(made.replaced) is gives_way, made.text
        if gives_way:
            assert "Mill Works closed soon." in made.text, words
