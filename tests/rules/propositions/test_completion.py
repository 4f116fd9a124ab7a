"""The last sentence of a text, with what its names and dates lacked: full names, years, and the name for "the film"."""

import dataclasses

from tests.cases import by_heading
from tests.rules.discofuse import parses
from tests.rules.discofuse.helpers import mentions
from tests.rules.propositions.helpers import sentences, stated
from tests.testing import document

CASES = by_heading(__file__)


def last(texts, clusters, title, sections=("",)):
    """Returns the last statement of hand-written parses; the sections are of one sentence each, the last of the rest."""
    made = [
        dataclasses.replace(sentence, section=min(k, len(sections) - 1))
        for k, sentence in enumerate(sentences(*(text if "|" in text else parses.of(text) for text in texts)))
    ]
    found = document(made, clusters=[*map(mentions, clusters)], title=title)
    return stated(dataclasses.replace(found, section_titles=tuple(sections)))[-1]


def check(cases):
    for texts, title, expected, left in cases:
        made = last(texts, [], title)
        assert (made.text, [f"{u.kind.name} {u.text}".rstrip() for u in made.unresolved]) == (expected, left), texts


def test_a_surname_becomes_the_full_name_that_the_text_gives():
    check(CASES["a surname becomes a full name"])


def test_other_names_stay():
    check(CASES["other names stay"])


def test_a_name_that_only_the_title_has_is_of_no_place_in_the_text():
    (made,) = last([*CASES["a surname becomes a full name"][1][0][-1:]], [], "Leo Lane").replaced
    assert made.antecedent.mention.sentence == -1


def test_a_date_gets_the_year_of_its_section():
    for texts, title, sections, expected, left in CASES["a date gets the year of its section"]:
        made = last(texts, [], title, sections)
        assert (made.text, [u.kind.name for u in made.unresolved]) == (expected, left), texts


def test_the_pieces_of_a_date_are_its_own_and_the_year():
    texts, title, *_ = CASES["a date gets the year of its section"][0]
    assert last(texts, [], title).pieces == ((1, 0, 3), (1, 3, 5), (0, 4, 5), (1, 5, 6))


def test_a_noun_becomes_the_name_of_what_the_text_is_about():
    check(CASES["a noun becomes the name of what the text is about"])


def test_a_pronoun_of_the_titles_cluster_is_the_titles():
    for texts, clusters, title, expected in CASES["a pronoun of the title's cluster is the title's"]:
        assert last(texts, clusters, title).text == expected, texts


def test_a_named_subject_needs_no_title():
    check(CASES["a named subject needs no title"])


def test_what_stands_alone_once_the_titles_have_been_read():
    for texts, clusters, title, sections, expected in CASES["what stands alone once the titles have been read"]:
        made = last(texts, clusters, title, sections)
        assert made.unresolved and made.with_title is expected, (texts, title, sections)
