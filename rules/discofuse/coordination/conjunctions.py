"""Conjunctions and the parts that they join, for sentence coordination and verb-phrase coordination."""

from __future__ import annotations

from gistmill.core.verdict import Reason
from gistmill.rules.discofuse.clauses import assertion
from gistmill.rules.discofuse.clauses.frames import shared_frame, within
from gistmill.rules.discofuse.clauses.verb_ellipsis import is_elliptical
from gistmill.rules.discofuse.connectives import CONJUNCTIONS
from gistmill.rules.discofuse.coordination.conjunct_doubts import problem_of_predicate
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.parse import FINITE, NOMINAL, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason
from gistmill.rules.discofuse.words import Words

_WORDS = {c.words[0]: c for c in CONJUNCTIONS}
_NOUNS = frozenset(("NN", "NNS", "NNP", "NNPS"))
# In an adverbial right before its verb, a name behind one of these is the verb's subject.
_BEFORE_NAMES = frozenset(("NN", "NNS", "VBG", "CD"))
_SAYING = frozenset("say write state argue claim note explain add think believe recall report".split())
_CORRELATIVE = {"or": ("either", "whether"), "nor": ("neither",), "and": ("both",), "but": ()}
# How far from the conjunction the conjoined verb may stand (Table 14: j <= i + 5).
_REACH = 5


def conjunctions(parse: Parse) -> list[int]:
    """Returns the positions of coordinating conjunctions that have text on both sides."""
    found = []
    for i, word in enumerate(parse.lower):
        if word not in _WORDS or not 0 < i < len(parse) - 3:
            continue
        if parse.tokens[i].pos in ("PROPN", "NOUN"):
            continue
        if not _WORDS[word].bare and (parse.lower[i - 1] != "," or not _conjunction(parse, i)):
            continue
        found.append(i)
    return found


def _conjunction(parse: Parse, i: int) -> bool:
    """ "so" and "for" after a comma: not "so that", "so far", "for example", "for him"."""
    token = parse.tokens[i]
    if parse.lower[i] == "so":
        return parse.lower[i + 1] not in ("that", "far", "much", "many", "long", "as", "to", ",")
    return token.dep in ("cc", "mark") and parse.finite(token.head if token.dep == "mark" else i)


def label(parse: Parse, cc: int) -> str:
    """Returns the conjunction as it is recorded, with its comma: ", but"."""
    return f", {parse.lower[cc]}" if parse.lower[cc - 1] == "," else parse.lower[cc]


def joins_phrases(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins nouns, adjectives or the like."""
    head = parse.tokens[cc].head
    if parse.tokens[cc].dep != "cc" or parse.tokens[head].pos not in (*NOMINAL, "ADJ"):
        return False
    return any(
        k > cc and parse.tokens[k].dep == "conj" and parse.tokens[k].pos in (*NOMINAL, "ADJ")
        for k in parse.children(head)
    )


def joined_verbs(parse: Parse, cc: int) -> list[int]:
    """Returns the verbs within reach behind the conjunction that are conjuncts of something before it."""
    if joins_phrases(parse, cc):
        return []
    end = min(len(parse), cc + 1 + _REACH)
    return [
        i
        for i in range(cc + 1, end)
        if parse.tokens[i].dep == "conj" and parse.tokens[i].head < cc and parse.is_verb(i)
    ]


def _ends_list(parse: Parse, cc: int) -> bool:
    """Whether it joins the last of three or more: "he came , saw and won" must not leave "he came , saw"."""
    head = parse.tokens[cc].head
    if head > cc or not parse.is_verb(head):
        return False
    if parse.tokens[head].dep == "conj":
        above = parse.tokens[head].head
        own = [k for k in parse.children(above) if k < head]
        if not any(parse.tokens[k].dep == "cc" for k in own) or _verbs_behind_conjunction(parse, own) > 0:
            return True
    before = [k for k in parse.children(head) if head < k < cc]
    if any(parse.tokens[k].dep == "cc" for k in before):
        return _verbs_behind_conjunction(parse, before) > 1
    return any(
        parse.is_verb(k)
        and (parse.tokens[k].dep == "conj" or parse.tokens[k].tag in FINITE and parse.tokens[k].dep in ("prep", "dep"))
        for k in before
    )


def _verbs_behind_conjunction(parse: Parse, before: list[int]) -> int:
    """Counts the conjoined verbs behind the last conjunction. "Leased it and rebuilt it , bought it , and" has one too
    many: without the last part it would lack a conjunction."""
    last = max(k for k in before if parse.tokens[k].dep == "cc")
    return sum(k > last and parse.tokens[k].dep == "conj" and parse.is_verb(k) for k in before)


def _breaks_list(parse: Parse, cc: int) -> bool:
    """Whether the first part ends in a list without a conjunction of its own ("loss of soil , loss of water , and"),
    other than a place and its region."""
    last = parse.last_before(cc)
    at = last
    while parse.tokens[at].head != at and parse.right_edge(at) in (last, cc - 1):
        token = parse.tokens[at]
        persons = token.entity[2:] == parse.tokens[token.head].entity[2:] == "PERSON"  # no apposition
        new = all(parse.lower[parse.left_edge(k)] in ("a", "an") for k in (at, token.head))  # "a term , a fine , and"
        listed = token.dep == "conj" or token.dep == "appos" and (persons or new)
        if listed and token.head < at and not parse.is_verb(at) and token.entity[2:] != "GPE":
            return "," in parse.lower[token.head : at] and not any(
                parse.tokens[k].dep in ("cc", "preconj")
                for k in (*parse.children(token.head), *parse.children(at))
                if k < cc
            )
        at = token.head
    return False


def has_foreign_phrase(parse: Parse, verb: int, cc: int) -> bool:
    """Whether a noun phrase, no adverbial, stands before a verb without a subject: "and another 200 perishing", or one
    that was taken for the end of an adverbial: "and in revenge Leo shot him", "and while dining Leo shot him"."""
    last, before = parse.tokens[verb - 1], parse.tokens[verb - 2]
    if last.tag == "NNP" and last.head < verb - 2 and before.tag in _BEFORE_NAMES and verb - 2 > cc:
        return True
    return any(
        parse.tokens[k].head == verb
        and parse.tokens[k].pos in NOMINAL
        and parse.tokens[k].dep != "npadvmod"
        and parse.tokens[k].entity[2:] not in ("DATE", "TIME")
        for k in range(cc + 1, verb)
    )


def in_frame(parse: Parse, second: Words, *, first: int, verb: int, cc: int, own_subject: bool) -> Words:
    """Puts the frame of the first clause ("In 1990 ,") before the second, if it holds there too.

    The first clause may itself stand in that of one before: "In 1990 the roof fell and the wall was moved and sold".
    """
    found = shared_frame(parse, first, verb, cc, own_subject=own_subject)
    above = parse.tokens[first].head
    joined = parse.tokens[first].dep == "conj"
    between = (k for k in parse.children(above) if joined and above < k < first)
    joint = next((k for k in between if parse.tokens[k].dep == "cc"), None)
    if not found and joint is not None and shared_frame(parse, above, first, joint, own_subject=True):
        found = shared_frame(parse, above, verb, cc, own_subject=own_subject)
    return within(found, second)


def _lists_clauses(parse: Parse, cc: int) -> bool:
    """Whether what stands before the conjunction holds clauses that only a comma joins: "he came , she went and"."""
    for i in range(cc):
        token = parse.tokens[i]
        if (
            token.dep in ("ccomp", "parataxis", "conj")
            and token.pos in ("VERB", "AUX")
            and (parse.subject(i) is not None or token.dep == "ccomp" and token.tag in FINITE)
            and (token.head < cc or parse.tokens[token.head].dep == "ROOT" and i < token.head)
        ):
            first, last = min(i, token.head), max(i, token.head)
            if last > cc:
                continue
            between = parse.lower[parse.right_edge(first) + 1 if i == first else first + 1 : last]
            joined = parse.child(i, "mark") is not None or any(
                w in _WORDS or w in (";", ":", '"', "``", "''", "that") for w in between
            )
            if "," in between and not joined and parse.tokens[last].lemma not in _SAYING:
                return True
    return False


def _has_correlative(parse: Parse, cc: int) -> bool:
    """Whether a word before the conjunction goes with it: "either ... or", "not only ... but"."""
    lower = parse.lower
    word = lower[cc]
    if lower[0] == "either" and word == "or" or lower[0] == "neither" and word == "nor":
        return True
    for k in range(cc - 1, -1, -1):
        if lower[k] in _WORDS and lower[k] == word:
            return False
        if lower[k] in _CORRELATIVE.get(word, ()) and (lower[k] != "both" or _opens_both(parse, k)):
            return True
        if lower[k] == "only" and k and lower[k - 1] in ("not", "n't") or parse.tokens[k].dep == "preconj":
            return True
    return False


def _opens_both(parse: Parse, k: int) -> bool:
    """Whether "both" is of two parts: "the mills both lost and won", not "both mills"."""
    return parse.tokens[k].dep == "preconj" or parse.is_verb(k + 1) and parse.tokens[k + 1].tag in FINITE


def _joins_noun(parse: Parse, verb: int) -> bool:
    """Whether a noun between two verbs was taken for a conjunct of the first: it may be the subject of the second one
    ("it uses each and the course , in all , is fit")."""
    at = verb
    while parse.tokens[at].dep == "conj" and parse.subject(at) is None:
        at = parse.tokens[at].head
        if parse.is_verb(at) and any(
            at < k < verb and parse.tokens[k].dep == "conj" and parse.tokens[k].tag in _NOUNS
            for k in parse.children(at)
        ):
            return True
    return False


def _is_reduced(parse: Parse, verb: int) -> bool:
    """Whether a verb taken for a past tense is a participle, as its agent tells: "the gas leaked out of a pipe fitted
    by Lee"."""
    return parse.tokens[verb].tag == "VBD" and parse.child(verb, "agent") is not None and not parse.auxiliaries(verb)


def _distributes(parse: Parse, cc: int, verb: int) -> bool:
    """Whether "respectively" behind the conjunction shares out what it joins, or what stands before it: "left and right
    , respectively". It stays with two of its own: lists, "three mills", a subject in the plural."""
    if "respectively" not in parse.lower[cc:]:
        return False
    subject = parse.shared_subject(verb)
    listed = subject is not None and is_plural(parse, subject)
    behind = range(cc + 1, parse.lower.index("respectively", cc))
    lists = sum(parse.lower[k] in ("and", "or") or parse.tokens[k].dep == "nummod" for k in behind)
    return listed + lists < 2


def problem_of(parse: Parse, cc: int, verb: int, *, own_subject: bool) -> Reason | None:
    """Returns the reason against a split here: the coordination stands below another clause, or loses a shared part."""
    head = parse.tokens[verb].head
    if parse.tokens[verb].dep == "conj" and head < cc and not parse.on_main_line(head):
        return DiscoFuseReason.WRONG_SCOPE
    if (
        _ends_list(parse, cc)
        or _breaks_list(parse, cc)
        or _lists_clauses(parse, cc)
        or parse.lower[cc - 1] == ";"
        and ";" in parse.lower[: cc - 1]
    ):
        return DiscoFuseReason.LIST
    if parse.crossings(cc, cc + 1) > 1 or not own_subject and _joins_noun(parse, verb):
        return DiscoFuseReason.WRONG_SCOPE
    if any(_is_reduced(parse, k) for k in (head, verb)):
        return DiscoFuseReason.VERB_FORM
    if _has_correlative(parse, cc) or not own_subject and parse.lower[cc + 1] == "so":
        return DiscoFuseReason.DANGLING  # "and so was unable"
    if cc > 0 and parse.lower[cc - 1] in ("either", "neither", "both", "not"):
        return DiscoFuseReason.DANGLING
    if (
        _distributes(parse, cc, verb)
        or _lacks_object(parse, cc)
        or _parts_object(parse, cc)
        or is_elliptical(parse, verb)
    ):
        return DiscoFuseReason.SHARED_PART
    problem = assertion.problem_of_conjunct(parse, cc, verb, own_subject=own_subject)
    return problem or (None if own_subject or head > cc else problem_of_predicate(parse, cc, verb))


def _parts_object(parse: Parse, cc: int) -> bool:
    """Whether a comma stands before an object that both parts share: "founded , and was the head of , the club"."""
    return any(parse.lower[c - 1] == "of" and parse.tokens[c - 1].dep == "prep" for c in parse.commas if c > cc)


def _lacks_object(parse: Parse, cc: int) -> bool:
    """Whether a preposition is left without its object: "were comparable to or exceeded the standards"."""
    last = parse.last_before(cc)
    return parse.tokens[last].dep == "prep" and not parse.children(last)
