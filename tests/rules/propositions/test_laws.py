"""Laws of statements, of simple sentences and of resolved texts, on what the models make of real texts."""

import re
from collections import Counter
from collections.abc import Iterator
from math import prod

import pytest

from gistmill.pipelines.texts import annotate
from gistmill.rules.discofuse.candidate import DiscourseType
from gistmill.rules.documents import AnnotatedDocument, Token, natural_text
from gistmill.rules.propositions import recipe
from gistmill.rules.propositions.resolution import Resolution
from gistmill.rules.propositions.splitting import Part
from gistmill.rules.propositions.statements import Divided
from gistmill.rules.text.prose import Places
from tests.rules.propositions.helpers import resolved, used

_RELATIVES = ("WDT", "WP", "WP$", "WRB")
_PARTICIPLES = (DiscourseType.SINGLE_CATAPHORA, DiscourseType.SINGLE_CONN_START)


def parts(part: Part) -> Iterator[Part]:
    """Yields a part and all parts below it."""
    yield part
    for below in part.below:
        yield from parts(below)


def taken_out(found: Divided) -> Counter[str]:
    """The words of the connectives that were taken out of a sentence."""
    texts = [p.split.connective_string if p.split else p.connective for p in parts(found.whole)]
    return Counter(word for text in texts for word in text.lower().split())


def missing(found: Divided, tokens: tuple[Token, ...]) -> list[Token]:
    """The words of a sentence that no statement has, other than connectives, relatives, and marks."""
    there: set[int] = set()
    for statement in found.statements:
        for sentence, start, end in statement.pieces:
            there.update(range(start, end) if sentence == found.index else ())
        for made in statement.replaced:
            possessive = tokens[made.mention.end : made.mention.end + 1]
            there.update(range(made.mention.start, made.mention.end + any(t.tag == "POS" for t in possessive)))
    gone, left = taken_out(found), []
    for k, token in enumerate(tokens):
        if k in there or token.tag in _RELATIVES or not any(map(str.isalnum, token.text)):
            continue
        if gone[token.text.lower()]:
            gone[token.text.lower()] -= 1
        else:
            left.append(token)
    return left


@pytest.fixture(scope="module")
def all_used(documents) -> list[tuple[AnnotatedDocument, Divided]]:
    """The sentences that state something, each with its document."""
    return [(document, found) for document in documents for found in used(document)]


@pytest.fixture(scope="module")
def all_resolved(documents) -> list[tuple[str, Resolution]]:
    """The texts, each with what it is when its mentions are resolved."""
    return [(Places(document).text, resolved(document)) for document in documents]


@pytest.mark.slow
def test_the_statements_have_every_word_of_their_sentence(all_used):
    seen = 0
    for document, found in all_used:
        left = missing(found, document.sentences[found.index].tokens)
        # "Having left": a rule writes the participle as a finite verb
        fronted = [p for p in parts(found.whole) if p.split and p.split.discourse_type in _PARTICIPLES]
        assert len(left) <= len(fronted) and all(t.tag == "VBG" for t in left), (left, found.whole.parse.lower)
        seen += 1
    assert seen > 900


@pytest.mark.slow
def test_pieces_are_words_of_the_document(all_used):
    for document, found in all_used:
        for statement in found.statements:
            assert statement.pieces
            for sentence, start, end in statement.pieces:
                assert 0 <= start < end <= len(document.sentences[sentence].tokens)
            elsewhere = {sentence for sentence, _, _ in statement.pieces} - {found.index}
            assert elsewhere <= {r.antecedent.mention.sentence for r in statement.replaced}


def test_the_quality_is_the_product_of_splits_and_links(all_used):
    for _, found in all_used:
        for statement in found.statements:
            splits = sum(o.startswith("SPLIT ") for o in statement.operations)
            links = prod(r.antecedent.confidence for r in statement.replaced)
            assert 0 <= statement.quality <= 1
            assert statement.quality == pytest.approx(0.98**splits * links, abs=5e-5)


def test_a_sentence_that_is_left_as_it_is_states_itself(all_used):
    seen = 0
    for document, found in all_used:
        (first, *others) = found.statements
        if not first.operations:
            assert not others
            assert first.text == natural_text(document.sentences[found.index].tokens) and first.quality == 1
            seen += 1
    assert seen > 300


def test_statements_look_like_sentences(all_used):
    for document, found in all_used:
        own = natural_text(document.sentences[found.index].tokens)
        for text in (s.text for s in found.statements):
            assert text == text.strip() and "  " not in text
            assert not text[0].islower() or own[0].islower() or text[1].isupper()  # "pH" keeps its letter
            assert text.count(" ,") <= own.count(" ,")


def test_simple_sentences_and_their_edits_make_the_sentence_again(all_used):
    seen = 0
    for document, found in all_used:
        if found.whole.split is None:
            continue
        values = recipe.values(found.whole)
        sentences = list(zip(values["simple_sentences"], (t.split(" ") for t in values["tokens"]), strict=True))
        assert recipe.fuse(sentences, values["edits"]) == values["inputs"]
        assert values["inputs"] == natural_text(document.sentences[found.index].tokens)
        assert (
            len(sentences) == 1 + len(values["operations"]) == 1 + sum(e.startswith("fuse ") for e in values["edits"])
        )
        assert values["targets"] == " ".join(values["simple_sentences"])
        assert values["quality"] == round(0.98 ** len(values["operations"]), 4)
        seen += 1
    assert seen > 350


def is_same(kept: str, written: str) -> bool:
    """Whether two texts after a mention are the same, except for a short verb that is written out, and a second comma
    after "Athens, Georgia"."""
    written = written.removeprefix(",") if not kept.startswith(",") else written
    short, verb = re.match(r"'(?:s|d|ll|ve|re)\b", kept), re.match(r" (?:has|is|had|would|will|have|are)\b", written)
    return kept == written or bool(short and verb and kept[short.end() :] == written[verb.end() :])


def test_outside_the_mentions_a_resolved_text_is_the_same(all_resolved):
    seen = 0
    for old, made in all_resolved:
        at, new = 0, 0
        for mention in made.resolved:
            assert at <= mention.start < mention.end and new <= mention.new_start < mention.new_end
            assert old[mention.start : mention.end] == mention.text
            assert made.text[mention.new_start : mention.new_end] == mention.by
            kept, written = old[at : mention.start], made.text[new : mention.new_start]
            assert is_same(kept, written) or written == f"{kept.rstrip()}, "  # a name behind a phrase needs a comma
            at, new = mention.end, mention.new_end
            seen += 1
        assert is_same(old[at:], made.text[new:])
    assert seen > 100


def test_an_antecedent_has_the_words_that_stand_for_the_mention(all_resolved):
    for old, made in all_resolved:
        for mention in made.resolved:
            there = set(re.findall(r"\w+", old[mention.antecedent_start : mention.antecedent_end].lower()))
            if there & {"his", "her", "its", "their"}:  # the owner's name is in the text before
                there |= set(re.findall(r"\w+", old[: mention.antecedent_end].lower()))
            assert set(re.findall(r"\w+", mention.by.lower())) <= there | {"the", "s"}, mention
            assert 0.84 <= mention.confidence <= 1 and mention.kind in ("pronoun", "name", "nominal")


@pytest.mark.slow
def test_a_resolved_text_can_be_resolved_again(sliced):
    first, second = 0, 0
    for document in sliced:
        made = resolved(document)
        again = resolved(annotate(made.text.replace("\n", "\n\n"), title=document.origin.title))
        first, second = first + len(made.resolved), second + len(again.resolved)
        assert again.text
    assert second < first / 2


def test_a_text_in_which_nothing_is_resolved_stays(documents):
    found = [d for d in documents if not resolved(d, min_coref_confidence=1.0).resolved]
    assert len(found) > 300
    for document in found:
        assert resolved(document, min_coref_confidence=1.0).text == Places(document).text


def test_a_higher_cut_resolves_a_part(documents):
    def spans(cut: float) -> set[tuple[int, int, int]]:
        return {
            (n, m.start, m.end) for n, d in enumerate(documents) for m in resolved(d, min_coref_confidence=cut).resolved
        }

    low, high = spans(0.7), spans(0.95)
    assert len(high) < len(low)
