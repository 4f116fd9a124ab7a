"""Single sentences cut in two: shared auxiliaries, phrases before subjects, dashes, final marks, participles."""

from __future__ import annotations

import pytest

from gistmill.rules.discofuse import morphology, operations
from gistmill.rules.discofuse.clauses import frames
from gistmill.rules.documents import tokenised_text
from tests.rules.discofuse.helpers import parse
from tests.rules.discofuse.test_operations import words

PREDICATE, CLAUSE, INNER = "SINGLE_VP_COORD", "SINGLE_S_COORD", "SINGLE_CONN_INNER"
RELATIVE, PARTICIPLE, FRONTED = "SINGLE_RELATIVE", "SINGLE_CATAPHORA", "SINGLE_CONN_START"


class TestParticipleOnly:
    @pytest.mark.parametrize("word", ["begun", "gone", "done", "seen", "taken", "drunk", "proven", "overtaken"])
    def test_no_past_tense(self, word):
        assert morphology.is_participle_only(word)

    @pytest.mark.parametrize("word", ["went", "held", "closed", "come", "run", "are", "has", "raising", "town", "men"])
    def test_another_form_or_no_verb(self, word):
        assert not morphology.is_participle_only(word)


class TestPhraseBeforeSubject:
    def test_a_long_phrase_has_one_in_any_case(self):
        phrase = parse("by|IN|prep|0 then|RB|advmod|1 and|CC|cc|2 long|RB|advmod|5 after|RB|conj|2").words
        she = parse("She|PRP|nsubj|0").words
        assert tokenised_text(frames.before_subject(phrase, she, ())) == "by then and long after , she"
        assert tokenised_text(frames.before_subject(phrase[:2], she, ())) == "by then she"


class TestFinalMarks:
    @pytest.mark.parametrize(
        ("text", "made"),
        [
            ("It sank ( why ? )", "It sank ( why ? ) ."),
            ("It sank ( ( why ? ) )", "It sank ( ( why ? ) ) ."),
            ("It sank ( there ) ?", "It sank ( there ) ?"),
            ("( It sank ! )", "( It sank ! )"),
            ("It sank . ( Why ? )", "It sank . ( Why ? )"),
            ('" It sank ! "', '" It sank ! "'),
            ("It sank ! )", "It sank ! )"),
            ("It sank , [ 10 ]", "It sank [ 10 ] ."),
            ("It sank , [ 3 ] [ 4 ]", "It sank [ 3 ] [ 4 ] ."),
            ("It sank , [ 3 ] slowly", "It sank , [ 3 ] slowly ."),
            ("[ 3 ]", "[ 3 ] ."),
        ],
    )
    def test_ends(self, text, made):
        assert tokenised_text(operations.sentence(words(text))) == made
