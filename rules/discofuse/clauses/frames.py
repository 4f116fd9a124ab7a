"""The frame of a sentence: an adverbial before its subject ("In 1990 ,") that may hold for both of two joined clauses.

Table 14 of the paper prepends everything that stands before the verb, and so the frame, to a second predicate.
"""

from __future__ import annotations

from gistmill.rules.discofuse.clauses.own_frames import (
    PLACE_ENTITIES,
    TIME_ENTITIES,
    TIME_NOUNS,
    opens_otherwise,
    stands_apart,
)
from gistmill.rules.discofuse.operations import join, lowered
from gistmill.rules.discofuse.parse import NOUNS, Parse
from gistmill.rules.discofuse.words import Word, Words

_ADVERBIALS = frozenset(("prep", "advcl", "npadvmod", "pcomp"))
_CIRCUMSTANCES = frozenset(("with", "without", "under"))
# A condition: what holds under it may not hold without it.
_CONDITIONS = _CIRCUMSTANCES | frozenset("if once when whenever unless wherever".split())
_PLACES = frozenset("in on at within among across throughout for near outside inside along around".split())
# They say when, whatever stands behind them.
_EVENTS = frozenset(("after", "during", "following", "upon"))
_TIMES = _EVENTS | frozenset("in on at as before prior since by between throughout for from over within".split())
# Adverbs that are a frame by themselves, before a comma.
_ADVERBS = frozenset(("here", "there", "today", "nowadays", "worldwide"))
# Adverbs that link a sentence to the text before, and stand apart from its frame.
_LINKS = frozenset("however therefore thus meanwhile moreover furthermore nevertheless nonetheless though".split())
# What the time before and after the reference differ in: "since 1990" goes with a perfect, "by 1990" with either.
_PERFECTS = frozenset(("since", "by"))
# The source of what is said, which holds to the end of the sentence.
SOURCES = frozenset(("according", "per"))
# A beginning, which the second clause is not about; and a mere link to the text before.
_BEGINNINGS = frozenset(
    "first initially originally beginning outset start end addition fact particular total turn contrast".split()
)
# What stands in contrast to the frame itself: "In many schools it is , while others".
_OTHERS = frozenset(("other", "others", "elsewhere"))
# A longer one is not said twice.
_LONGEST = 12
# From this many words on, a comma closes a phrase before the subject.
_SHORT = 5


def frame(parse: Parse, verb: int) -> Words:
    """Returns the adverbial before the subject of ``verb``, or several of place and time, that open the sentence or the
    part behind a semicolon, with the comma, or a conjunct behind its conjunction; () if none does."""
    subject = parse.subject(verb)
    if subject is None:
        return ()
    end = parse.left_edge(subject)
    end += parse.lower[end] == ","  # the comma may hang on the subject
    if end > 3 and parse.lower[end - 1] == "," and parse.lower[end - 2] in _LINKS and parse.lower[end - 3] == ",":
        end -= 2  # "After the war , however , it closed"
    start = _start(parse, verb, end)
    if end - start < 2:
        return ()
    opening = [k for k in parse.children(verb) if start <= k < end and parse.tokens[k].dep != "punct"]
    if not opening or not _are_adverbials(parse, opening, start, end):
        return ()
    if parse.right_edge(opening[-1]) + 1 + (parse.lower[end - 1] == ",") != end or parse.tokens[end - 1].pos == "ADP":
        return ()  # with a preposition at its end, the frame goes on in what was taken for the subject
    return parse.words[start:end] if end - start <= _LONGEST + 1 else ()


def _start(parse: Parse, verb: int, end: int) -> int:
    """Where the sentence, the part behind a semicolon or the conjunct of the verb begins: "and in 1990 it"."""
    above = parse.tokens[verb].head
    joints = (k for k in parse.children(above) if above < k < end and parse.tokens[k].dep == "cc")
    return max(
        (
            *(k + 1 for k in range(end) if parse.lower[k] == ";"),
            *(k + 1 for k in joints if parse.tokens[verb].dep == "conj"),
        ),
        default=0,
    )


def _are_adverbials(parse: Parse, heads: list[int], start: int, end: int) -> bool:
    """Whether the phrases of ``heads`` frame a clause, one behind the other from ``start`` on. All but the first have
    to tell a time or place: "On 1 May , after midnight ,"."""
    for n, head in enumerate(heads):
        if not _is_adverbial(parse, head, start, end):
            return False
        if n and (parse.lower[start] not in _TIMES | _PLACES or parse.child(head, "pobj") is None):
            return False
        start = parse.right_edge(head) + 1
        start += parse.lower[start] == ","
    return True


def _is_adverbial(parse: Parse, head: int, start: int, end: int) -> bool:
    """Whether the phrase of ``head`` begins at ``start`` and is of a kind that frames a clause: "In 1990", "Prior to
    1990", "Here ,"."""
    word = parse.lower[head]
    adverb = word == "prior" or word in _ADVERBS and end == start + 2
    return (parse.tokens[head].dep in _ADVERBIALS or adverb) and parse.left_edge(head) == start


def shared_frame(parse: Parse, first: int, second: int, cc: int, *, own_subject: bool, contrast: bool = False) -> Words:
    """Returns the frame of the first clause, if the second one stands in it too.

    It does unless it has a time or place of its own, or another tense, or follows "but" behind "before". A clause with
    a subject of its own shares none behind "but", and only a date or a place behind a comma, unless the two are in
    contrast ("while").

    Args:
        parse: the sentence.
        first, second: the verbs of the two clauses.
        cc: position of the conjunction.
        own_subject: whether the second clause has one.
        contrast: whether the conjunction says that they differ under the same circumstances.
    """
    words = frame(parse, first)
    if not words or is_beginning(words) or _has_own(parse, second, cc, contrast=contrast):
        return ()
    opening, timed = words[0].text.lower(), _tells_time(words)
    if opening in SOURCES:
        return _repeated(words, past=parse.past(first))
    placed = not timed and _tells_place(words)
    if own_subject and _parts(parse, cc, certain=timed or placed or contrast):
        return ()
    if not _can_hold(words, timed=timed) and (own_subject or not _is_of_subject(words)):
        return ()
    if stands_apart(parse, first, second, cc, timed=timed, placed=placed) or _shifts(parse, opening, first, second):
        return ()
    return _repeated(words, past=parse.past(first))


def _has_own(parse: Parse, second: int, cc: int, *, contrast: bool) -> bool:
    """Whether the second clause opens with a frame of its own, or is about others: "while other mills"."""
    others = contrast and not _OTHERS.isdisjoint(parse.lower[cc + 1 : cc + 3])
    return others or opens_otherwise(parse, second, cc)


def _shifts(parse: Parse, opening: str, first: int, second: int) -> bool:
    """Whether the frame asks for a perfect that only one of two verbs has: "Since 1990"."""
    return opening in _PERFECTS and parse.perfect(first) != parse.perfect(second)


def _parts(parse: Parse, cc: int, *, certain: bool) -> bool:
    """Whether the conjunction keeps a clause with its own subject out of the frame: "but", or one behind a comma,
    unless the frame is ``certain`` to hold for both."""
    return parse.lower[cc] == "but" or parse.lower[cc - 1] == "," and not certain


def _tells_place(words: Words) -> bool:
    return words[0].text.lower() == "at" or any(w.entity[2:] in PLACE_ENTITIES for w in words)


def _tells_time(words: Words) -> bool:
    """Whether it gives a time, and no condition."""
    opening = words[0].text.lower()
    timed = any(w.entity[2:] in TIME_ENTITIES or w.lemma in TIME_NOUNS for w in words)
    return opening not in _CONDITIONS and (timed or opening in _EVENTS)


def _can_hold(words: Words, *, timed: bool) -> bool:
    """Whether it is a time, a place, a circumstance or a condition, under which several things can be true."""
    opening, clause = words[0].text.lower(), any(w.dep == "mark" for w in words)
    possible = _TIMES if timed and not clause else _CONDITIONS | _PLACES
    bare = "npadvmod" in (words[-2].dep, words[0].dep)  # "Last year ,", "Year to date ,"
    return opening in possible or opening in _ADVERBS or bare


def _is_of_subject(words: Words) -> bool:
    """Whether it says what a subject does all for, how it is or after what: "To win , they must run", "Unseen by the
    clerk ,", "After he left ,"."""
    first = words[0]
    after = first.text.lower() == "after" and any(w.dep == "mark" for w in words)
    return after or (first.tag, first.dep) in (("TO", "aux"), ("JJ", "advcl"))


def is_beginning(words: Words) -> bool:
    """Whether it tells where something begins, or only links the sentence to the text before ("In addition ,"); not "in
    the first season", nor "at the end of the season"."""
    nouns = {w.position for w in words if w.pos in NOUNS}
    return any(
        w.text.lower() in _BEGINNINGS
        and not (w.dep == "amod" and w.head in nouns)
        and not (w.text.lower() == "end" and any(v.text == "of" and v.head == w.position for v in words))
        for w in words
    )


def _repeated(words: Words, *, past: bool) -> Words:
    """The frame for its second mention: "In a test ," becomes "In the test ,", unless any test is meant, or none
    ("without a test"); and "In another test ," becomes "In that test ,"."""
    if len(words) < 3 or words[1].dep != "det":
        return words
    if past and words[1].text in ("a", "an") and words[0].text.lower() != "without":
        return (words[0], words[1]._replace(text="the", lemma="the"), *words[2:])
    if words[1].text == "another":
        return (words[0], words[1]._replace(text="that", lemma="that"), *words[2:])
    return words


def before_subject(phrase: Words, subject: Words, predicate: Words) -> Words:
    """Puts a phrase before the subject of its clause: "and with his son sold it" becomes "with his son , Lee sold it".

    A comma keeps the two apart, unless the phrase is short and its end or the subject no noun.
    """
    last = phrase[-1]
    timed = last.entity[2:] in TIME_ENTITIES or last.lemma in TIME_NOUNS
    nouns = last.pos in NOUNS and subject[0].pos != "PRON" and not timed
    apart = not any(w.text == "," for w in phrase) and (nouns or len(phrase) >= _SHORT)
    comma = (Word(",", True, ",", "PUNCT", "punct", ","),) if apart else ()
    return join(phrase, comma, lowered(subject), predicate)


def within(frame_words: Words, clause: Words) -> Words:
    """Puts the frame, if there is any, before a clause, whose first word loses the capital that it may have."""
    return before_subject(frame_words, clause, ()) if frame_words else clause
