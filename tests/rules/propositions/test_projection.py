"""The parse of a part: a tree again, whatever words it has."""

from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.discofuse.parse import Parse, Word
from gistmill.rules.documents import Sentence, Token
from gistmill.rules.propositions.splitting import projected
from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import parse

CASES = by_heading(__file__)

_KINDS = CASES["kinds"]
_LABELS = ["nsubj", "dobj", "prep", "relcl", "conj", "punct", "det", "dep", "expl"]
MILL = parse(parses.of("The old mill near Bath burned in May ."))


@st.composite
def random_parses(draw) -> Parse:
    """A tree of random words: each hangs on an earlier one, and then they are put in a random order."""
    size = draw(st.integers(1, 14))
    order = draw(st.permutations(range(size)))
    heads = [draw(st.integers(0, max(0, i - 1))) for i in range(size)]
    tokens: list[Token | None] = [None] * size
    for i, (at, head) in enumerate(zip(order, heads, strict=True)):
        tag, pos = draw(st.sampled_from(_KINDS))
        label = draw(st.sampled_from(_LABELS)) if i else "ROOT"
        lemma = draw(st.sampled_from(["be", "see"])) if pos in ("VERB", "AUX") else "x"
        tokens[at] = Token(f"w{at}", True, tag, pos, label, order[head], lemma)
    return Parse(Sentence(tuple(filter(None, tokens))))


@st.composite
def parts(draw) -> tuple[list[Word], Parse]:
    """A part as a rule may make it: some words in any order, a few of them twice, and words that the rule wrote."""
    whole = draw(random_parses())
    words = draw(st.lists(st.sampled_from(whole.words), min_size=1, max_size=16))
    new = st.sampled_from(
        [
            Word("the", True, "DT", "DET", "det", "the"),
            Word("'s", True, "POS", "PART", "case", "'s"),
            Word("was", True, "VBD", "AUX", "ROOT", "be"),
            Word(".", False, ".", "PUNCT", "punct", "."),
        ]
    )
    for at, word in draw(st.lists(st.tuples(st.integers(0, 16), new), max_size=3)):
        words.insert(at, word)
    return words, whole


@given(parts())
def test_every_word_leads_to_the_one_root(part):
    words, whole = part
    made = projected(words, whole)
    assert [t.text for t in made.tokens] == [w.text for w in words]
    assert [t.dep for t in made.tokens].count("ROOT") == 1
    roots = [i for i, t in enumerate(made.tokens) if t.head == i]
    assert roots == [made.root()] and made.tokens[roots[0]].dep == "ROOT"
    for i in range(len(made)):
        up = [i]
        while up[-1] != roots[0]:
            assert len(up) <= len(made), "a circle"
            up.append(made.tokens[up[-1]].head)


@given(random_parses(), st.data())
def test_a_word_hangs_on_the_nearest_word_above_it_that_is_there(whole, data):
    kept = data.draw(st.lists(st.sampled_from(range(len(whole))), min_size=1, unique=True).map(sorted))
    made = projected([whole.words[k] for k in kept], whole)
    for i, k in enumerate(kept):
        above = next((a for a in whole.ancestors(k) if a in kept), None)
        if made.root() == i:
            continue
        expected = made.root() if above is None else kept.index(above)
        # the root is chosen among words without one above: only what stood above the choice may differ
        assert made.tokens[i].head == expected


@given(random_parses())
def test_a_whole_sentence_keeps_its_tree(whole):
    made = projected(whole.words, whole)
    assert [t.head for t in made.tokens] == [t.head for t in whole.tokens]
    same = [(t.text, t.space, t.tag, t.pos, t.lemma, t.entity) for t in made.tokens]
    assert same == [(t.text, t.space, t.tag, t.pos, t.lemma, t.entity) for t in whole.tokens]


def labelled(made: Parse) -> list[tuple[str, str, str]]:
    """The words with their labels and the words that they hang on."""
    return [(t.text, t.dep, made.tokens[t.head].text) for t in made.tokens]


def test_words_that_lose_their_head_hang_on_what_is_above_it():
    within = Parse(Sentence(MILL.sentence.tokens, section=3, paragraph=7))
    made = projected([w for w in within.words if w.text not in ("near", "in")], within)
    assert (made.sentence.section, made.sentence.paragraph) == (3, 7)
    assert ("Bath", "pobj", "mill") in labelled(made) and ("May", "pobj", "burned") in labelled(made)


def test_words_whose_root_is_gone_hang_on_the_first_finite_verb():
    text = parses.of("Ada wrote while Bea slept at home .")
    whole = parse(text)
    made = projected(whole.words[3:], whole)
    assert labelled(made) == [
        ("Bea", "nsubj", "slept"),
        ("slept", "ROOT", "slept"),
        ("at", "prep", "slept"),
        ("home", "pobj", "at"),
        (".", "punct", "slept"),
    ]


def test_a_verb_that_a_rule_calls_the_root_comes_before_an_earlier_one():
    whole = parse("Ada|NNP|nsubj|2 saw|VBD|ROOT|0||see Bea|NNP|nsubj|4 swim|VB|ccomp|2 .|.|punct|2")
    said = (Word("had", True, "VBD", "VERB", "dep", "have"), Word("swum", True, "VBD", "VERB", "ROOT", "swim"))
    made = projected([whole.words[2], *said], whole)
    assert made.tokens[made.root()].text == "swum"
    assert [t.dep for t in made.tokens].count("ROOT") == 1


def test_an_inserted_copula_gets_its_subject_and_its_predicate():
    whole = parse("Ada|NNP|npadvmod|3 ,|,|punct|3 left|VBD|ROOT|0||leave nurse|NN|npadvmod|3")
    was = Word("was", True, "VBD", "AUX", "ROOT", "be")
    made = projected([whole.words[0], was, Word("a", True, "DT", "DET", "det", "a"), whole.words[3]], whole)
    assert labelled(made) == [
        ("Ada", "nsubj", "was"),
        ("was", "ROOT", "was"),
        ("a", "det", "nurse"),
        ("nurse", "attr", "was"),
    ]
    left = was._replace(text="left", pos="VERB", lemma="leave")  # not a copula
    made = projected([whole.words[0], left, whole.words[3]], whole)
    assert [dep for _, dep, _ in labelled(made)] == ["npadvmod", "ROOT", "npadvmod"]
    whole = parse("There|EX|expl|2 was|VBD|ROOT|0||be a|DT|det|4 mill|NN|attr|2 .|.|punct|2")  # it has a subject
    assert labelled(projected(whole.words, whole)) == labelled(whole)


def test_articles_and_possessive_marks_hang_on_their_nouns():
    the, mark = Word("the", True, "DT", "DET", "det", "the"), Word("'s", True, "POS", "PART", "case", "'s")
    made = projected([the, *MILL.words[1:3], mark, *MILL.words[5:]], MILL)
    assert labelled(made)[:4] == [
        ("the", "det", "mill"),
        ("old", "amod", "mill"),
        ("mill", "nsubj", "burned"),
        ("'s", "case", "mill"),
    ]


def test_typographic_marks_are_printed():
    whole = parse("Ada|NNP|poss|3 ’s|POS|case|1 mill|NN|nsubj|4 burned|VBD|ROOT|0||burn .|.|punct|4")
    made = projected(whole.words, whole)
    assert [t.text for t in made.sentence.tokens][1] == "’s" and made.tokens[1].text == "'s"
