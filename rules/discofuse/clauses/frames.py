"""The frame of a sentence, and whether a second clause has its own frame or shares that of the first.

In Table 14 of the paper, everything before the verb, including the frame, is prepended to a second predicate.
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from gistmill.rules.discofuse.checks import Check
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.operations import join, lowered
from gistmill.rules.discofuse.parse import COMMA, NOUNS, SUBJECTS, TIME_ENTITIES, WORDS, Parse, Words

_PLACE_ENTITIES = frozenset(("GPE", "LOC", "FAC", "ORG"))


def _is_located(parse: Parse, second: int, cc: int, *, timed: bool = True, placed: bool = True) -> bool:
    """Whether the second clause has its own time (``timed``) or place (``placed``), not in a note: "( see Kent )"."""
    depth = 0
    for k in range(cc + 1, parse.right_edge(second) + 1):
        depth += parse.lower[k] == "("
        place = placed and parse.tokens[k].dep == "pobj" and parse.tokens[k].entity[2:] in _PLACE_ENTITIES
        if depth == 0 and (place or (timed and _times(parse, k, second))):
            return True
        depth -= parse.lower[k] == ")" and depth > 0
    return False


def _times(parse: Parse, k: int, verb: int) -> bool:
    """Whether a word gives the time of the verb's clause, rather than of a noun or clause inside it."""
    token = parse.tokens[k]
    if not tells_time(parse, k):
        return False
    if token.entity[2:] in TIME_ENTITIES:
        while parse.tokens[token.head].entity[2:] == token.entity[2:] and token.head != k:
            k, token = token.head, parse.tokens[token.head]
        if token.dep == "pobj" and parse.lower[token.head] in WORDS["before_measures"]:
            return False
    # "took Seoul , which fell in May": lower clauses may have their own time
    above = takewhile(lambda at: at != verb, (k, *parse.ancestors(k)))
    return all(parse.tokens[at].dep not in ("relcl", "acl", "ccomp") for at in above)


def tells_time(parse: Parse, k: int) -> bool:
    """Whether a word is part of a date or other time expression; "as" with a noun ("known as") is not."""
    word = parse.lower[k]
    if word == "as" and parse.tokens[k].dep != "mark":
        return False
    return word in WORDS["own_times"] or (parse.tokens[k].entity[2:] in TIME_ENTITIES and word not in WORDS["rates"])


def opens_otherwise(parse: Parse, second: int, cc: int) -> bool:
    """Whether the second clause has its own phrase before the subject or verb: "and in 1839 led"."""
    subject = parse.subject(second, after=cc)
    for k in range(cc + 1, second if subject is None else parse.left_edge(subject)):
        if parse.tokens[k].dep in SUBJECTS:
            return False
        if parse.tokens[k].pos in ("ADP", "SCONJ", "NUM"):
            return True
    return False


_ADVERBIALS = frozenset(("prep", "advcl", "npadvmod", "pcomp"))
_TIMES, _PLACES = WORDS["frame_events"] | WORDS["frame_times"], WORDS["frame_places"]
# Longer frames are not repeated.
_LONGEST = 12
# Minimum length, in words, of a phrase set off from the subject by a comma.
_SHORT = 5


def frame(parse: Parse, verb: int) -> Words:
    """Returns the adverbial, or adverbials of place and time, before the subject of ``verb``, with any comma; () if
    there are none. They must open the sentence, a part after a semicolon, or a conjunct."""
    subject = parse.subject(verb)
    if subject is None:
        return ()
    end = parse.left_edge(subject)
    end += parse.lower[end] == ","  # the comma may depend on the subject
    if end > 3 and parse.lower[end - 3] == parse.lower[end - 1] == "," and parse.lower[end - 2] in WORDS["links"]:
        end -= 2  # "After the war , however , it closed"
    # Where the sentence, the part after a semicolon or the verb's conjunct begins: "and in 1990 it".
    above = parse.tokens[verb].head
    joints = (k for k in parse.children(above) if above < k < end and parse.tokens[k].dep == "cc")
    begins = [k + 1 for k in range(end) if parse.lower[k] == ";"]
    start = max((*begins, *(k + 1 for k in joints if parse.tokens[verb].dep == "conj")), default=0)
    if end - start < 2:
        return ()
    opening = [k for k in parse.children(verb) if start <= k < end and parse.tokens[k].dep != "punct"]
    if not opening or not _are_adverbials(parse, opening, start, end):
        return ()
    if parse.right_edge(opening[-1]) + 1 + (parse.lower[end - 1] == ",") != end or parse.tokens[end - 1].pos == "ADP":
        return ()  # after a final preposition, the frame continues in the supposed subject
    return parse.words[start:end] if end - start <= _LONGEST + 1 else ()


def _are_adverbials(parse: Parse, heads: list[int], start: int, end: int) -> bool:
    """Whether the phrases of ``heads`` frame a clause, one after the other from ``start`` on. All but the first must
    give a time or place: "On 1 May , after midnight ,"."""
    for n, head in enumerate(heads):
        # Whether the phrase of ``head`` begins at ``start`` and is of a kind that frames a clause: "In 1990", "Here ,".
        word = parse.lower[head]
        adverb = word == "prior" or (word in WORDS["frame_adverbs"] and end == start + 2)
        if not ((parse.tokens[head].dep in _ADVERBIALS or adverb) and parse.left_edge(head) == start):
            return False
        if n and (parse.lower[start] not in _TIMES | _PLACES or parse.child(head, "pobj") is None):
            return False
        start = parse.right_edge(head) + 1
        start += parse.lower[start] == ","
    return True


def shared_frame(parse: Parse, first: int, second: int, cc: int, *, own_subject: bool, contrast: bool = False) -> Words:
    """Returns the frame of the first clause if the second shares it.

    It does unless it has its own time or place or another tense, or follows "but" after "before". A clause with its own
    subject shares no frame after "but", and only a date or place after a comma, unless the clauses contrast ("while").

    Args:
        parse: the sentence.
        first, second: the verbs of the two clauses.
        cc: position of the conjunction.
        own_subject: whether the second clause has its own subject.
        contrast: whether the conjunction contrasts the clauses under the same circumstances.
    """
    words = frame(parse, first)
    if not words or is_beginning(words) or opens_otherwise(parse, second, cc):
        return ()
    if contrast and any(word in ("other", "others", "elsewhere") for word in parse.lower[cc + 1 : cc + 3]):
        return ()  # it contrasts with the frame itself: "In many schools it is , while other schools"
    opening = words[0].text.lower()
    if opening in WORDS["sources"]:
        return _repeated(words, past=parse.past(first))
    timed = any(w.entity[2:] in TIME_ENTITIES or w.lemma in WORDS["time_nouns"] for w in words)
    timed = (timed or opening in WORDS["frame_events"]) and opening not in WORDS["frame_conditions"]
    placed = not timed and (opening == "at" or any(w.entity[2:] in _PLACE_ENTITIES for w in words))
    # Whether the conjunction excludes a clause with its own subject from the frame: "but", or one after a comma, unless
    # the frame gives a time or place, or the clauses contrast.
    if own_subject and (parse.lower[cc] == "but" or (parse.lower[cc - 1] == "," and not (timed or placed or contrast))):
        return ()
    # Whether the frame gives the subject's purpose or state, or a preceding event: "To win , they must run", "Unseen by
    # the clerk ,", "After he left ,".
    of_subject = (words[0].tag, words[0].dep) in (("TO", "aux"), ("JJ", "advcl"))
    of_subject = of_subject or (opening == "after" and any(w.dep == "mark" for w in words))
    if not _can_hold(words, timed=timed) and (own_subject or not of_subject):
        return ()
    # "since 1990" requires a perfect; "by 1990" allows both
    shifts = opening in ("since", "by") and parse.perfect(first) != parse.perfect(second)
    shifts = shifts or (parse.finite(second) and parse.past(first) != parse.past(second))
    if shifts or _is_located(parse, second, cc, timed=timed, placed=placed):
        return ()
    return _repeated(words, past=parse.past(first))


def _can_hold(words: Words, *, timed: bool) -> bool:
    """Whether the frame gives a time, place, circumstance or condition that may apply to several clauses."""
    opening, clause = words[0].text.lower(), any(w.dep == "mark" for w in words)
    possible = _TIMES if timed and not clause else WORDS["frame_conditions"] | _PLACES
    bare = "npadvmod" in (words[-2].dep, words[0].dep)  # "Last year ,", "Year to date ,"
    return opening in possible or opening in WORDS["frame_adverbs"] or bare


def is_beginning(words: Words) -> bool:
    """Whether the frame gives a beginning or only links the sentence to the preceding text ("In addition ,"); not "in
    the first season", nor "at the end of the season"."""
    nouns, ends = {w.position for w in words if w.pos in NOUNS}, {w.head for w in words if w.text == "of"}
    beginnings = (w for w in words if w.text.lower() in WORDS["beginnings"])
    beginnings = (w for w in beginnings if w.dep != "amod" or w.head not in nouns)
    return any(w.text.lower() != "end" or w.position not in ends for w in beginnings)


def _repeated(words: Words, *, past: bool) -> Words:
    """Returns the frame for its second mention: "In a test ," becomes "In the test ,", unless it is general or negative
    ("without a test"); and "In another test ," becomes "In that test ,"."""
    if len(words) < 3 or words[1].dep != "det":
        return words
    if past and words[1].text in ("a", "an") and words[0].text.lower() != "without":
        return (words[0], words[1]._replace(text="the", lemma="the"), *words[2:])
    if words[1].text == "another":
        return (words[0], words[1]._replace(text="that", lemma="that"), *words[2:])
    return words


def before_subject(phrase: Words, subject: Words, predicate: Words) -> Words:
    """Puts a phrase before its clause's subject: "and with his son sold it" becomes "with his son , Lee sold it".

    A comma separates them unless the phrase is short and either its last word or the subject is not a noun.
    """
    last = phrase[-1]
    timed = last.entity[2:] in TIME_ENTITIES or last.lemma in WORDS["time_nouns"]
    nouns = last.pos in NOUNS and subject[0].pos != "PRON" and not timed
    apart = not any(w.text == "," for w in phrase) and (nouns or len(phrase) >= _SHORT)
    return join(phrase, (COMMA,) if apart else (), lowered(subject), predicate)


def within(frame_words: Words, clause: Words) -> Words:
    """Puts the frame, if any, before a clause, whose first word is lower-cased."""
    return before_subject(frame_words, clause, ()) if frame_words else clause


class Pair(NamedTuple):
    """Two clauses with the verbs ``first`` and ``second``; the conjunction ends at ``cc``, and ``framed`` says whether
    the second clause was given the frame of the first."""

    first: int
    second: int
    cc: int
    framed: bool


def _lacks_noun(parse: Parse, pair: Pair) -> bool:
    """Whether a possessor stands for its possession, or "those in the north" for a noun in the first clause."""
    subject = parse.subject(pair.second, after=pair.cc)
    if subject is None:
        return False
    below = parse.children(subject)
    owner = any(parse.tokens[k].tag == "POS" and k + 1 < len(parse) and parse.is_verb(k + 1) for k in below)
    told_apart = any(k > subject and parse.tokens[k].dep == "prep" for k in below)
    return owner or (told_apart and parse.lower[subject] in ("that", "those"))


def _needs_frame(parse: Parse, pair: Pair) -> bool:
    """Whether the first clause opens with a place or period, at the start of the sentence or after a semicolon, so that
    a general statement in the second may be true only there."""
    start = max((k + 1 for k in range(pair.first) if parse.lower[k] == ";"), default=0)
    opening, subject = parse.tokens[start], parse.subject(pair.second, after=pair.cc)
    framing = opening.head == pair.first and opening.dep in ("prep", "advmod")
    framing = framing and not pair.framed and parse.lower[start] in WORDS["framing"]
    if not framing or subject is None or parse.tokens[subject].tag != "NNS":
        return False
    # "most farms" are things of a kind, or a share of them, not mentioned before
    before = [k for k in parse.subtree(subject) if k <= subject]
    if any(parse.tokens[k].dep in ("poss", "nummod") or parse.lower[k] in WORDS["known"] for k in before):
        return False
    if parse.past(pair.first) != parse.past(pair.second) or opens_otherwise(parse, pair.second, pair.cc):
        return False
    return not _is_located(parse, pair.second, pair.cc)


CHECKS: tuple[Check[Pair], ...] = (
    Check("ellipsis.owner", R.AMBIGUOUS,
          lambda parse, pair: pair.framed and any(w.tag == "PRP$" for w in frame(parse, pair.first)),
          "In her time, Ada sold land and the clerk left town.", "In May, Ada sold land and the clerk left town."),
    Check("ellipsis.noun", R.SHARED_PART, _lacks_noun,
          "Kent's crew was old, while Rome's was quite young.",
          "Kent's crew was old, while the miller was quite young."),
    Check("ellipsis.frame", R.SHARED_PART, _needs_frame,
          "In Kent, the wool was dear, but most farms closed fast there.",
          "In Kent, the wool was dear, but these farms closed fast there."),
)  # fmt: skip


# Complements after a verb; time expressions and clauses are not included.
_COMPLEMENTS = frozenset(("dobj", "ccomp", "xcomp", "attr", "acomp", "oprd", "prt", "dative"))
_LOOSE_OR_NEGATED = frozenset(("punct", "advcl", "parataxis", "cc", "conj", "neg"))


def is_elliptical(parse: Parse, verb: int) -> bool:
    """Whether only "do", "have" or "be" remains of a predicate: "they should stay , and they will do".

    "Did well", "did so", "were done" and "it has to be" are complete.
    """
    token, below = parse.tokens[verb], parse.children(verb)
    if token.lemma == "be":
        bare = all(k < verb or parse.tokens[k].dep in _LOOSE_OR_NEGATED for k in below)
        return bare and parse.child(verb, "expl", "attr", "acomp") is None
    if token.lemma not in ("do", "have") or not parse.is_verb(verb) or parse.child(verb, "auxpass") is not None:
        return False
    return not any(parse.tokens[k].dep in _COMPLEMENTS or (k > verb and parse.tokens[k].dep == "advmod") for k in below)
