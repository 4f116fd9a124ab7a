"""Forward connective: "Although A , B" (paper, Table 14, row 3)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.coreference.lexicon import FEMALE, MALE, PLURAL, PRONOUNS
from gistmill.rules.discofuse.clauses.verb_ellipsis import is_elliptical
from gistmill.rules.discofuse.connectives import FORWARD, by_first_word, match_at
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.nouns.agreement import agrees
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.subordination.participles import main_subject, with_subject

_PLACES = frozenset(("GPE", "LOC", "FAC"))
_NO_ADVERBIALS = frozenset(("dep", "appos", "attr"))
_TABLE = by_first_word(FORWARD)


@dataclass(frozen=True, slots=True)
class ForwardMatch:
    """The connective is words [0, end); the comma at ``comma`` closes its clause."""

    end: int
    comma: int
    text: str


def find(parse: Parse) -> ForwardMatch | None:
    """Finds a sentence that opens with a forward connective and has a comma later."""
    connective = match_at(_TABLE, parse.lower, 0)
    if connective is None:
        return None
    end = len(connective.words)
    if parse.lower[end : end + 1] == [","]:
        return None
    commas = [c for c in parse.commas if end < c < len(parse) - 2]
    if not commas:
        return None
    return ForwardMatch(end, _closing(parse, commas), connective.text)


def find_all(parse: Parse) -> Iterator[ForwardMatch]:
    """As ``find``: there is one at most."""
    match = find(parse)
    if match is not None:
        yield match


def _closing(parse: Parse, commas: list[int]) -> int:
    """The comma before the main clause's subject, or the first one: "Although born in Bath , England , she ..."."""
    subject = parse.subject(parse.root())
    if subject is not None:
        before = [c for c in commas if c < parse.left_edge(subject)]
        clause = next(
            (
                i
                for i in parse.children(parse.root())
                if parse.tokens[i].dep in ("advcl", "prep") and parse.left_edge(i) == 0
            ),
            None,
        )
        if clause is not None:
            after = [c for c in before if c > parse.right_edge(clause)]
            if after:
                return after[0]
    return commas[0]


def apply(parse: Parse, match: ForwardMatch) -> Halves:
    """Splits at the comma; a first half that is only a participle gets the main clause's subject and tense."""
    words = parse.words
    first, second = words[match.end : match.comma], words[match.comma + 1 :]
    problem = _problem(parse, match)
    opening = first[0].tag if first else ""
    # "Although building projects cost much": a noun or a clause is the subject
    if (
        opening in ("VBG", "VBN")
        and first[0].dep not in ("csubj", "csubjpass")
        and not any(w.dep in ("nsubj", "nsubjpass", "expl") and w.head == first[0].position for w in first)
    ):
        subject = main_subject(parse, after=match.comma)
        if subject is not None and (";" in parse.lower[match.comma : subject] or parse.in_quotation(subject)):
            subject = None  # 'In addition to singing , " soft " also means it ; mills are old'
        # "Since becoming a province , it has seen", "In addition to writing , she has sung": with a perfect it is past
        perfect = subject is not None and "have" in _auxiliaries(parse, parse.tokens[subject].head)
        past = True if match.text == "since" or perfect and match.text != "although" else None
        made = with_subject(parse, first, subject, past=past) if subject is not None else None
        if made is None:
            problem = problem or DiscoFuseReason.NO_SUBJECT
        else:
            first = made
    return Halves(first=first, second=join(second), connective=match.text, boundary=match.comma + 1, problem=problem)


def _auxiliaries(parse: Parse, verb: int) -> set[str]:
    return {parse.tokens[k].lemma for k in parse.auxiliaries(verb)}


def _problem(parse: Parse, match: ForwardMatch) -> Reason | None:
    """ "Since 1945 , ..." opens no clause, and the comma has to close the one that is opened."""
    if parse.tokens[1].entity == "B-DATE" and parse.tokens[1].dep not in ("nsubj", "nsubjpass", "det", "amod"):
        return DiscoFuseReason.NO_VERB
    if match.end == 1 and parse.tokens[0].dep == "prep" and parse.child(0, "pobj") is not None:
        return DiscoFuseReason.NO_VERB  # "Since the war , in a town that was poor , he has worked"
    if match.text == "in addition to" and parse.tokens[match.end].tag != "VBG":
        return DiscoFuseReason.NO_VERB  # "In addition to the mill built when": no clause follows a preposition
    if parse.lower[match.comma - 1] == "prior":
        return DiscoFuseReason.UNRESOLVED_ANAPHOR  # "Although the mill was theirs prior , it": prior to what follows
    if parse.tokens[match.end].tag in ("VBG", "VBN") and parse.tokens[match.end].dep in ("amod", "compound"):
        return DiscoFuseReason.NO_VERB  # "In addition to growing violence , wars"
    behind = [k for k in parse.children(match.end) if k > match.end]
    if parse.tokens[match.end].tag == "VBG" and any(parse.lower[k] == "since" for k in behind):
        return DiscoFuseReason.VERB_FORM  # "In addition to being old since 1991 , it": "has been", and not "is"
    if parse.lower[1] in ("most", "best", "more", "less") and parse.tokens[2].tag in ("VBN", "VBD"):
        return DiscoFuseReason.NO_SUBJECT  # "Although most noted for his exploits"
    if parse.lower[0] in ("although", "since") and not 0 < parse.tokens[0].head < match.comma:
        return DiscoFuseReason.NO_VERB
    subject = main_subject(parse, after=match.comma)
    if subject is not None and is_elliptical(parse, parse.tokens[subject].head):
        return DiscoFuseReason.SHARED_PART  # "Although the plan is the same , the details are not"
    if parse.crossings(match.comma, match.comma + 1) > 1 or _goes_on(parse, match.comma) or _has_rest(parse, match):
        return DiscoFuseReason.CLAUSE_CUT
    return DiscoFuseReason.AMBIGUOUS if _points_forward(parse, match) else None


def _goes_on(parse: Parse, comma: int) -> bool:
    """Whether a list goes on behind the comma, so that the verb gets a subject too many: "Although justified by debts ,
    rights or interest , denial went too far"."""
    subject = main_subject(parse, after=comma)
    if subject is None:
        return False
    verb = parse.tokens[subject].head
    return sum(comma < k < verb and parse.tokens[k].dep in NOMINAL_SUBJECTS for k in parse.children(verb)) > 1


def _has_rest(parse: Parse, match: ForwardMatch) -> bool:
    """Whether a noun that is not an adverbial stands between the comma and another one before the subject: "Although
    most have one owner , mostly Lee 's , the mill"."""
    subject = main_subject(parse, after=match.comma)
    end = max((c for c in parse.commas if subject is not None and match.comma < c < subject), default=match.comma)
    return any(parse.tokens[k].dep in _NO_ADVERBIALS for k in range(match.comma + 1, end))


def _points_forward(parse: Parse, match: ForwardMatch) -> bool:
    """Whether a pronoun of the clause may mean the main clause's subject or its owner: "Although he lost , Lincoln",
    "Since he came , Lincoln's fame", "Although much of his life is unknown , Lincoln"; but not where the clause has
    named one before that he may be."""
    noun = main_subject(parse, after=match.comma)
    if noun is None or parse.lower[noun] in PRONOUNS:
        return False
    owners = (k for k in parse.children(noun) if parse.tokens[k].dep == "poss" and parse.lower[k] not in PRONOUNS)
    meant = (noun, *owners)
    return any(_may_mean(parse, k, meant, match) for k in range(match.end, match.comma))


def _may_mean(parse: Parse, position: int, nouns: Sequence[int], match: ForwardMatch) -> bool:
    """Whether the word is a pronoun that agrees with one of the nouns, and with nothing of its clause before it."""
    gender = PRONOUNS.get(parse.lower[position])
    if gender is None or parse.tokens[position].dep == "expl" or not any(_fits(parse, k, gender) for k in nouns):
        return False
    return not any(_agrees(parse, k, gender) for k in range(match.end, position))


def _agrees(parse: Parse, position: int, gender: str) -> bool:
    """Whether a word is a pronoun of the gender, or a noun that one may stand for."""
    if PRONOUNS.get(parse.lower[position]) == gender:
        return True
    if parse.tokens[position].pos not in NOUNS:
        return False
    if (
        gender in (MALE, FEMALE)
        and parse.tokens[position].entity[2:] in _PLACES
        and parse.tokens[position].dep != "poss"
    ):
        return False  # "Although Paris made him rich , Lee"
    return _fits(parse, position, gender)


def _fits(parse: Parse, noun: int, gender: str) -> bool:
    """Whether a pronoun of the gender may stand for the noun; "Lee and Fox" are "they"."""
    return agrees(parse, noun, gender) or gender == PLURAL and is_plural(parse, noun)
