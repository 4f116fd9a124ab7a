"""Cataphora: a participle phrase before the main clause gets its subject (paper, Table 14, row 5)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse import morphology
from gistmill.rules.discofuse.halves import Halves
from gistmill.rules.discofuse.nouns.empty_subjects import is_empty
from gistmill.rules.discofuse.nouns.references import is_personal, quantified
from gistmill.rules.discofuse.parse import NOUNS, SUBJECTS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.subordination.participles import (
    joined_participles,
    main_subject,
    opening_participle,
    with_subject,
)
from gistmill.rules.discofuse.words import Words

# Participles that have become prepositions, or open a phrase that tells where something begins.
_PREPOSITIONS = frozenset(
    """
    pending barring excluding considering including beginning starting leading counting excepting allowing
    """.split()
)
# Prepositions and nouns in -ing that open sentences.
_NOT_PARTICIPLES = frozenset(
    """
    king spring morning evening nothing something everything anything thing ring wing string during according
    regarding concerning depending owing notwithstanding following
    """.split()
)
# Without an agent of its own such a phrase says how something is done, by whomever.
_INSTRUMENTS = frozenset(
    ("using", "employing", "applying", "assuming", "speaking", "judging", "looking", "taking", "comparing")
)
# What only persons (and bodies of persons) do.
_OF_PERSONS = frozenset(
    """
    thinking believing feeling hoping wanting noting stating saying seeing knowing wishing fearing claiming arguing
    realizing realising deciding trying seeking writing speaking learning hearing finding expecting studying
    working discussing describing referring quoting citing returning
    """.split()
)
# Openings of what the author does, not the subject (style disjuncts; Quirk et al., 1985, chapter 8).
_OF_AUTHORS = frozenset(
    (
        ("adjusting", "for"),
        ("contrasting", "from"),
        ("contrasting", "to"),
        ("contrasting", "with"),
        ("allowing", "for"),
        ("going", "forward"),
        ("judging", "by"),
        ("judging", "from"),
        ("leaving", "aside"),
        ("looking", "ahead"),
        ("moving", "forward"),
        ("putting", "it"),
        ("speaking", "of"),
        ("summing", "up"),
        ("talking", "of"),
    )
)
# With a clause they open a condition, which nobody says to be so: "Assuming all goes well , the firm will".
_CONDITIONAL = frozenset("assuming granting providing supposing".split())
_OF_BELIEF = frozenset("assuming believing considering judging suspecting thinking".split())
# What these say is mostly said of a fact, not of a person: "Reflecting the split , Ann and Bob have won one each".
_OF_FACTS = frozenset(
    """
    adding capping completing complicating compounding confirming demonstrating echoing emphasizing exemplifying
    highlighting illustrating indicating marking mirroring proving reflecting rounding showing signaling signalling
    suggesting symbolizing underlining underscoring
    """.split()
)
# Of these an event or a fact is the source, whatever the subject is: "Stemming from the match , Lee feuded".
_OF_SOURCES = frozenset(("stemming", "resulting", "arising", "deriving", "ensuing"))
# What a thing may do without anybody acting. Another participle before a thing is about who reads or acts: "Heading
# south , the gap is ten miles wide".
_OF_THINGS = frozenset(
    """
    being having becoming containing comprising consisting covering spanning extending stretching measuring weighing
    standing lying rising running flowing falling dating belonging remaining lasting opening closing featuring bearing
    holding carrying serving facing overlooking bordering surrounding connecting linking ranging reaching growing
    ending occurring appearing forming representing costing numbering totaling totalling scoring winning
    losing selling entering leaving debuting peaking premiering arriving departing originating emerging developing
    operating working using reducing increasing making giving causing providing
    """.split()
)
_WHEN = frozenset("after before when while once until since".split())
_GENERIC = frozenset(("one", "you", "we", "there"))


@dataclass(frozen=True, slots=True)
class CataphoraMatch:
    """The comma at ``comma`` closes the participle phrase; the main clause's subject is at ``subject``, if any."""

    comma: int
    subject: int | None


def find(parse: Parse) -> CataphoraMatch | None:
    """Finds a sentence that opens with a present participle and has a comma later."""
    first = parse.tokens[0]
    word = parse.lower[0]
    if not word.endswith("ing") or word in _NOT_PARTICIPLES or not morphology.is_word(word, upos="VERB"):
        return None  # nor "unwilling"
    if first.tag != "VBG" and (
        first.tag not in ("NN", "NNP", "JJ", "IN")
        or parse.tokens[first.head].dep in SUBJECTS
        or first.dep in SUBJECTS
        or first.entity
    ):
        return None
    commas = [c for c in parse.commas if 0 < c < len(parse) - 2]
    if not commas:
        return None
    subject = main_subject(parse, after=commas[0])
    # one taken for a second subject of the main verb may pass: "Assuming the worst , they compared"
    doubled = subject is not None and first.head == parse.tokens[subject].head
    if first.dep in ("csubj", "csubjpass", "nsubj", "amod", "compound") and not doubled:
        return None
    return CataphoraMatch(_closing(parse, commas, subject), subject)


def find_all(parse: Parse) -> Iterator[CataphoraMatch]:
    """As ``find``: there is one at most."""
    match = find(parse)
    if match is not None:
        yield match


def _closing(parse: Parse, commas: list[int], subject: int | None) -> int:
    """The first comma behind the phrase, before the main subject."""
    if subject is not None:
        before = [c for c in commas if c < parse.left_edge(subject)]
        participle = opening_participle(parse)
        phrase_end = parse.right_edge(participle) if parse.tokens[participle].head != participle else 0
        behind = [c for c in before if c > phrase_end]
        if behind:
            return behind[0]
        if before:
            return before[-1]
    return commas[0]


def apply(parse: Parse, match: CataphoraMatch) -> Halves:
    """Gives the phrase the main clause's subject and a finite verb; the main clause is the second half."""
    words = parse.words
    phrase, second = words[: match.comma], words[match.comma + 1 :]
    problem = _problem(parse, match)
    joined = joined_participles(parse, match.comma)
    made = None
    if match.subject is not None:
        made = with_subject(parse, phrase, match.subject, joined=joined or ())
    if joined is None:
        problem = problem or DiscoFuseReason.SHARED_PART
    if made is None:
        return Halves(
            first=phrase, second=second, boundary=match.comma + 1, problem=problem or DiscoFuseReason.NO_SUBJECT
        )
    if (_commas(made) - _commas(phrase)) % 2:
        problem = problem or DiscoFuseReason.CLAUSE_CUT  # "Lee , with his men heard of it": one comma of two
    return Halves(first=made, second=second, boundary=match.comma + 1, problem=problem)


def _commas(words: Words) -> int:
    return sum(word.text == "," for word in words)


def _problem(parse: Parse, match: CataphoraMatch) -> Reason | None:
    word = parse.lower[0]
    if match.subject is None:
        return DiscoFuseReason.NO_SUBJECT
    acts = _may_act(parse, match.subject)
    if word in _OF_BELIEF and parse.tokens[match.subject].dep == "nsubjpass":
        return DiscoFuseReason.DANGLING_PARTICIPLE  # "Believing it a sign , she was cast out": by those who did
    if word in _CONDITIONAL and parse.child(0, "ccomp") is not None:
        return DiscoFuseReason.NOT_ASSERTED
    if word in _PREPOSITIONS or (word in _OF_PERSONS and not acts) or tuple(parse.lower[:2]) in _OF_AUTHORS:
        return DiscoFuseReason.DANGLING_PARTICIPLE
    if word in _INSTRUMENTS and (not acts or parse.tokens[match.subject].dep == "nsubjpass"):
        return DiscoFuseReason.DANGLING_PARTICIPLE
    if parse.lower[match.subject] in _GENERIC or parse.lower[match.subject] == "it" and word in _OF_PERSONS:
        return DiscoFuseReason.DANGLING_PARTICIPLE
    left = parse.left_edge(match.subject)
    problem = _problem_of_main_clause(parse, match, match.subject)
    if problem is not None:
        return problem
    between = "," in parse.lower[match.comma + 1 : left] and parse.tokens[match.comma + 1].pos in NOUNS
    if between or parse.tokens[left - 1].dep == "cc":
        return DiscoFuseReason.LIST  # "Hunting for hares , deer , and sheep is common"
    if match.comma < 4 and any(parse.tokens[k].dep == "conj" for k in parse.children(match.subject)):
        return DiscoFuseReason.LIST  # "Playing cards , checkers and chess are"
    bare = parse.lower[1] == "and" and parse.lower[2].endswith("ing") and match.comma == 3  # "Singing and dancing ,"
    if bare and parse.tokens[2].tag != "VBG":
        return DiscoFuseReason.SHARED_PART
    if any(parse.tokens[k].head < match.comma for k in range(match.comma + 1, match.subject)):
        return DiscoFuseReason.CLAUSE_CUT  # "Buying a house in Linz , a town on the border , Austria will"
    clauses = [k for k in range(2, match.comma) if parse.tokens[k].dep == "advcl" and parse.tokens[k].tag == "VBG"]
    if any(parse.subject(k) is not None and not parse.finite(k) for k in clauses):
        return DiscoFuseReason.CLAUSE_CUT  # "Copying papers being a dry business , Ann left"
    if parse.tokens[match.subject].dep == "expl" or is_empty(parse, match.subject):
        return DiscoFuseReason.DANGLING_PARTICIPLE  # "Digging deeper , it became clear that"
    if (word in _OF_FACTS or word in _OF_SOURCES) and acts or quantified(parse, match.subject):
        return DiscoFuseReason.DANGLING_PARTICIPLE
    of_thing = word in _OF_THINGS or word in _OF_FACTS or word in _OF_SOURCES
    return None if acts or of_thing else DiscoFuseReason.DANGLING_PARTICIPLE


def _problem_of_main_clause(parse: Parse, match: CataphoraMatch, subject: int) -> Reason | None:
    """The reason against what stands behind the participle phrase: a main clause that opens with its subject, or with a
    phrase of its own.
    """
    if parse.tokens[subject].head < subject:
        return DiscoFuseReason.INVERSION  # "Blaming Ann is wrong , says Lee"
    inner = max((c for c in parse.commas if c < match.comma), default=None)
    if inner is None:
        return None
    opening = parse.tokens[inner + 1]
    timed = (
        opening.entity in ("B-DATE", "B-TIME") or opening.dep in ("mark", "advmod") and parse.lower[inner + 1] in _WHEN
    )
    return DiscoFuseReason.CLAUSE_CUT if timed else None  # "Making it worse , three days after the suit , Ann left"


def _may_act(parse: Parse, subject: int) -> bool:
    """Whether the subject is a person or a body of persons, by its entity, its noun or its pronoun."""
    token = parse.tokens[subject]
    return (
        is_personal(parse, subject)
        or token.entity[2:] in ("ORG", "NORP", "GPE")
        or token.pos == "PROPN"
        and not token.entity
        or token.pos == "PRON"
        and parse.lower[subject] not in ("it", "this", "that", "there", "these", "those")
    )
