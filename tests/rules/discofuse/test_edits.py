"""The edits of examples are those of the phenomenon, and give the text back."""

import dataclasses

import pytest

from gistmill.rules.discofuse import candidate as edits
from gistmill.rules.discofuse.anaphora.mentions import Links
from gistmill.rules.discofuse.candidate import operations
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse, as_natural
from gistmill.rules.discofuse.recipe import DiscoFuse
from gistmill.rules.discofuse.splitter import Splitter
from gistmill.rules.documents import Sentence, natural_text, tokenised_text
from gistmill.rules.fusion.edits import from_column, realise
from gistmill.rules.fusion.texts import COLUMNS, problem
from tests.cases import by_heading
from tests.rules.discofuse import parsed_cases, parses
from tests.rules.discofuse.helpers import parse
from tests.testing import document, mention, parsed

CASES = by_heading(__file__)


def made(*texts, clusters=(), kind=None, **config):
    """The sentences of a text, and the candidate that the rules make of it (of a type)."""
    config = DiscoFuseConfig(**{"min_sentence_tokens": 2, "conventions": "extended", **config})
    sentences = [parse(text) for text in texts]
    found = Splitter(config).candidates(*sentences, links=Links(clusters))
    (candidate,) = [c for c in found if kind is None or c.discourse_type.name == kind]
    return candidate, [s.words for s in sentences]


def columns(*texts, **given):
    candidate, sentences = made(*texts, **given)
    return edits.column(candidate, *sentences)


def as_row(candidate, sentences):
    first, second = [*map(tokenised_text, sentences), ""][:2]
    return {
        "coherent_first_sentence": first,
        "coherent_second_sentence": second,
        "incoherent_first_sentence": candidate.incoherent_first_sentence,
        "incoherent_second_sentence": candidate.incoherent_second_sentence,
        "inputs": candidate.inputs,
        "targets": " ".join(natural_text(as_natural(s, keep_marks=candidate.keep_marks)) for s in sentences),
        "edits": edits.column(candidate, *sentences),
    }


def test_the_edits_are_those_of_the_phenomenon():
    for name, kind, column in CASES["the edits are those of the phenomenon"]:
        conventions = "extended" if name.startswith("FINAL_") else "released"  # the released data have no final ones
        assert columns(parses.NAMED[name], kind=kind, conventions=conventions) == column, name


PAIR_FIRST = parses.of("Bob Adams saw the old dog .")
PAIR_SECOND = parses.of("However , his wife never liked it .")
BOTH = (
    (mention(0, 0, 2, "name"), mention(1, 2, 3, "pronoun")),
    (mention(0, 3, 6, "nominal"), mention(1, 6, 7, "pronoun")),
)


def test_pronouns_take_the_place_of_mentions():
    assert columns(PAIR_FIRST, PAIR_SECOND, clusters=BOTH) == [
        "7 before however ,", "7 replace his", "8 delete", "9 delete", "13 replace it", "14 delete", "15 delete"
    ]  # fmt: skip


def test_a_nominal_takes_the_place_of_a_name():
    clusters = ((mention(0, 0, 2, "name"), mention(1, 0, 2, "nominal", confidence=0.9)),)
    (candidate, sentences) = made(parses.TEAM_1, parses.TEAM_2, clusters=clusters)
    n = len(candidate.first)
    assert candidate.incoherent_second_sentence.startswith("The Lions ")
    assert edits.column(candidate, *sentences) == [f"{n + 1} before team", f"{n + 1} delete"]


GOING = parses.of("Going home , Bob saw a dog .")


def test_a_finite_verb_becomes_the_participle_that_it_was_made_of():
    assert columns(GOING, kind="SINGLE_CATAPHORA") == ["0 delete", "1 replace going", "3 delete", "4 before ,"]


def test_the_subject_that_was_copied_to_the_front_is_deleted_there():
    for text in (parses.WALKER, GOING):
        candidate, (tokens,) = made(text, kind="SINGLE_CATAPHORA")
        found = edits.derived(candidate, tokens, 0)
        assert (
            found is not None and found.operations[0] == "DELETE" and found.operations[len(candidate.first)] == "KEEP"
        ), text


def test_a_pair_without_a_phenomenon_has_no_edits():
    assert columns(parses.FLOODS, parses.FRIENDSHIP) == []


def test_every_candidate_gives_its_text_back():
    for conventions in ("extended", "released"):
        splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2, conventions=conventions))
        for case in parsed_cases.stored().values():
            for candidate in splitter.candidates(*case.parses, links=Links(case.clusters)):
                if candidate.first and candidate.second:
                    assert problem(as_row(candidate, [p.words for p in case.parses])) is None, conventions


def typeset(sentence):
    """A sentence with the marks of a printed text, as many as it can hold; its nouns end in a prime."""
    tokens = []
    for t in sentence.tokens:
        word = t.text.replace("'", "’").replace("...", "…").replace("--", "—").replace('"', "“")
        word = {"-": "–", ",": "—"}.get(word, word) if t.tag in (":", "HYPH") else word
        tokens.append(t._replace(text=word + "′" if t.tag in ("NN", "NNP") else word))
    return dataclasses.replace(sentence, tokens=tuple(tokens))


@pytest.mark.parametrize("keep_marks", [True, False])
def test_typographic_marks_change_neither_rules_nor_laws(keep_marks):
    splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2, keep_marks=keep_marks))
    for case in parsed_cases.stored().values():
        printed = [Parse(typeset(s)) for s in case.sentences]
        plain = [Parse(Sentence(p.tokens)) for p in printed]
        for candidate, other in zip(splitter.candidates(*printed), splitter.candidates(*plain), strict=True):
            if not candidate.first or not candidate.second:
                continue
            row = as_row(candidate, [s.words for s in printed])
            assert problem(row) is None
            assert candidate.discourse_type == other.discourse_type
            assert candidate.incoherent_first_sentence == other.incoherent_first_sentence
            assert candidate.incoherent_second_sentence == other.incoherent_second_sentence
            marks = "′" in row["inputs"] or "’" in row["inputs"]
            assert marks == (keep_marks and any(w.original for w in (*candidate.first, *candidate.second)))
            if not keep_marks:
                assert row["edits"] == as_row(other, [s.words for s in plain])["edits"]


def test_letters_outside_ascii_give_the_text_back():
    splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2))
    # first letters whose other case has two code points or none, and letters inside names
    letters = str.maketrans("AEHSTaest", "ÄÉİŠÞåèßþ")
    found = 0
    for case in parsed_cases.stored().values():
        foreign = [
            Parse(dataclasses.replace(s, tokens=tuple(
                t._replace(text=t.text.translate(letters)) if t.tag in ("NNP", "NN", "PRP") else t for t in s.tokens
            )))
            for s in case.sentences
        ]  # fmt: skip
        for candidate in splitter.candidates(*foreign, links=Links(case.clusters)):
            if candidate.first and candidate.second:
                found += not candidate.inputs.isascii()
                assert problem(as_row(candidate, [p.words for p in foreign])) is None, candidate.inputs
    assert found > 100


def test_a_word_that_the_edits_write_has_the_marks_of_the_text():
    floods = parses.FLOODS.replace(",|,|", "—|:|")
    candidate, sentences = made(floods, kind="SINGLE_S_COORD", keep_marks=True)
    assert edits.column(candidate, *sentences) == ["7 delete", "8 before — and", "8 lower"]
    assert problem(as_row(candidate, sentences)) is None
    candidate, sentences = made(floods, kind="SINGLE_S_COORD", keep_marks=False)
    assert edits.column(candidate, *sentences) == ["7 delete", "8 before -- and", "8 lower"]


def test_words_in_another_order_are_aligned():
    candidate, sentences = made(parses.FLOODS)
    turned = dataclasses.replace(candidate, first=candidate.first[::-1])
    assert edits.derived(turned, sentences[0], 0) is None
    first, second = [w.text for w in turned.first], [w.text for w in turned.second]
    found = from_column(edits.column(turned, *sentences), len(first), len(second))
    assert realise(first, second, found) == [t.text for t in sentences[0]]


def test_odd_spaces_of_the_text_are_kept():
    candidate, (words,) = made(parses.FLOODS)
    comma = next(i for i, w in enumerate(words) if w.text == ",")
    odd = tuple(w._replace(space=i != comma) for i, w in enumerate(words))
    column = edits.column(candidate, odd)
    assert column[-3:] == [f"space {comma}", f"join {comma + 1}", f"space {len(words) - 1}"]


def test_rows_keep_the_law():
    sentences = [parsed(PAIR_FIRST), parsed(PAIR_SECOND), parsed(parses.FLOODS)]
    outcome = DiscoFuse(DiscoFuseConfig(min_text_tokens=2, min_sentence_tokens=2)).process(
        document(sentences, clusters=BOTH)
    )
    assert {r.values["discourse_type"] for r in outcome.rows} >= {"PAIR_CONN_ANAPHORA", "SINGLE_S_COORD"}
    for row in outcome.rows:
        assert problem({name: row.values[name] for name in COLUMNS}) is None


def test_a_token_with_a_space_is_not_part_of_a_row():
    spaced = parsed(parses.FLOODS)
    tokens = (*spaced.tokens[:-2], spaced.tokens[-2]._replace(text="Yellow River"), spaced.tokens[-1])
    sentences = [parsed(PAIR_FIRST), dataclasses.replace(spaced, tokens=tokens)]
    outcome = DiscoFuse(DiscoFuseConfig(min_text_tokens=2)).process(document(sentences))
    assert outcome.counts["sentences/rejected/SPACED_TOKEN"] == outcome.counts["pairs/rejected/SPACED_TOKEN"] == 1
    assert not outcome.rows


# The operations of an example lead from its text to its two sentences.


HE = [[mention(0, 0, 1, "name"), mention(1, 0, 1, "pronoun", confidence=0.9)]]


def candidates(*texts, clusters=(), **config):
    config = DiscoFuseConfig(**{"min_sentence_tokens": 2, **config})
    return Splitter(config).candidates(*map(parse, texts), links=Links(clusters))


def named(*texts, kind, **given):
    (candidate,) = [c for c in candidates(*texts, **given) if c.discourse_type.name == kind]
    return [(o.name, o.detail, o.after) for o in operations(candidate, [parse(t).tokens for t in texts])]


def test_a_copied_subject_and_a_connective():
    text = "The Sharks started the year 0 - 4"
    rest = "recovered to claim sixth spot ."
    assert named(parses.SHARKS, kind="SINGLE_VP_COORD") == [
        ("DELETE", "'yet'", (f"{text} , {rest}",)),
        ("SPLIT", "into 9 and 6 tokens", (f"{text} ,", rest)),
        ("COPY", "'The Sharks'", (f"{text} ,", f"The Sharks {rest}")),
        ("FINISH", "capitals and final marks", (f"{text} .", f"The Sharks {rest}")),
    ]


def test_the_subject_of_the_second_half_is_copied_into_the_first():
    steps = named(parses.WALKER, kind="SINGLE_CATAPHORA")
    assert [name for name, _, _ in steps][-3:] == ["COPY", "WRITE", "FINISH"]
    assert {name: detail for name, detail, _ in steps}["COPY"] == "'Walker'"


def test_an_anaphor_is_replaced_by_what_it_means():
    (candidate,) = candidates(parses.RIDER_1, parses.RIDER_2, clusters=HE)
    steps = operations(candidate, [parse(t).tokens for t in (parses.RIDER_1, parses.RIDER_2)])
    assert [(s.name, s.detail) for s in steps] == [("REPLACE", "'He' by 'Rider' (pronoun, confidence 0.90)")]
    assert steps[0].before[1].startswith("He said") and steps[0].after[1].startswith("Rider said")


@pytest.mark.parametrize("conventions", ["released", "extended"])
def test_operations_are_a_chain_from_the_text_to_the_sentences(conventions):
    splitter = Splitter(DiscoFuseConfig(min_sentence_tokens=2, conventions=conventions))
    seen = 0
    for case in parsed_cases.stored().values():
        tokens = [p.tokens for p in case.parses]
        for candidate in splitter.candidates(*case.parses, links=Links(case.clusters)):
            now = tuple(map(tokenised_text, tokens))
            for step in operations(candidate, tokens):
                assert step.before == now != step.after
                now = step.after
                seen += 1
            assert now == (candidate.incoherent_first_sentence, candidate.incoherent_second_sentence)
    assert seen > 100


def test_the_recipe_knows_the_operations_of_each_of_its_rows():
    recipe = DiscoFuse(DiscoFuseConfig(min_sentence_tokens=2))
    texts = [case.sentences for case in parsed_cases.stored().values()]
    made = document([sentence for sentences in texts for sentence in sentences], clusters=HE)
    rows = [row for row in recipe.process(made).rows if row.config == "full"]
    assert len({row.values["discourse_type"] for row in rows}) > 6
    for row in rows:
        last = [(row.values["coherent_first_sentence"], row.values["coherent_second_sentence"])]
        last += [step.after for step in recipe.operations(made, row.id)]
        assert last[-1] == (row.values["incoherent_first_sentence"], row.values["incoherent_second_sentence"])
