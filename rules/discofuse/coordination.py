"""Code shared by sentence and verb-phrase coordination: conjunctions, the part after one, the subject that it shares
with the first part, and reasons not to split there."""

from __future__ import annotations

from itertools import pairwise

from gistmill.core.records import Reason
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses import assertion, frames
from gistmill.rules.discofuse.clauses.assertion import Conjunct
from gistmill.rules.discofuse.connectives import CONJUNCTIONS
from gistmill.rules.discofuse.nouns.noun_phrases import core, definite
from gistmill.rules.discofuse.nouns.references import is_empty
from gistmill.rules.discofuse.operations import join
from gistmill.rules.discofuse.parse import AUXILIARIES, FINITE, NOMINAL, NOUNS, QUOTES, SUBJECTS, WORDS, Parse, Words

_TABLE = {c.words[0]: c for c in CONJUNCTIONS}
_PHRASES = NOMINAL | {"ADJ"}
# Maximum distance of the conjoined verb from the conjunction (Table 14: j <= i + 5).
_REACH = 5


def conjunctions(parse: Parse) -> list[int]:
    """Returns the positions of coordinating conjunctions with text on both sides."""
    return [i for i in range(1, len(parse) - 3) if parse.lower[i] in _TABLE and _is_conjunction(parse, i)]


def _is_conjunction(parse: Parse, i: int) -> bool:
    """Whether a word is not a noun, and "so" or "for" is after a comma but not in "so that", "so far" or "for him"."""
    token, word = parse.tokens[i], parse.lower[i]
    if token.pos in ("PROPN", "NOUN") or (not _TABLE[word].bare and parse.lower[i - 1] != ","):
        return False
    if word == "so":
        return parse.lower[i + 1] not in WORDS["behind_so"]
    return _TABLE[word].bare or (token.dep in ("cc", "mark") and parse.finite(token.head if token.dep == "mark" else i))


def label(parse: Parse, cc: int) -> str:
    """Returns the conjunction in its recorded form, with its comma: ", but"."""
    return f", {parse.lower[cc]}" if parse.lower[cc - 1] == "," else parse.lower[cc]


def joins_phrases(parse: Parse, cc: int) -> bool:
    """Whether the conjunction joins nouns, adjectives or other phrases."""
    tokens, head = parse.tokens, parse.tokens[cc].head
    joined = (tokens[k] for k in parse.children(head) if k > cc and tokens[k].dep == "conj")
    return tokens[cc].dep == "cc" and tokens[head].pos in _PHRASES and any(t.pos in _PHRASES for t in joined)


def joined_verbs(parse: Parse, cc: int) -> list[int]:
    """Returns the verbs within reach of the conjunction whose first conjunct precedes it."""
    reach = range(cc + 1, 1 if joins_phrases(parse, cc) else min(len(parse), cc + 1 + _REACH))
    return [i for i in reach if parse.tokens[i].dep == "conj" and parse.tokens[i].head < cc and parse.is_verb(i)]


def in_frame(parse: Parse, second: Words, part: Conjunct, *, first: int) -> Words:
    """Adds the frame ("In 1990 ,") of the first clause, headed by ``first``, to the second, if it applies there.

    The first clause may share an earlier clause's frame: "In 1990 the roof fell and the wall was moved and sold".
    """
    own = part.subject >= 0
    found = frames.shared_frame(parse, first, part.verb, part.cc, own_subject=own)
    above = parse.tokens[first].head
    joints = (k for k in parse.children(above) if above < k < first and parse.tokens[k].dep == "cc")
    joint = next(joints, None) if parse.tokens[first].dep == "conj" else None
    if not found and joint is not None and frames.shared_frame(parse, above, first, joint, own_subject=True):
        found = frames.shared_frame(parse, above, part.verb, part.cc, own_subject=own)
    return frames.within(found, second)


# Classes of words in a phrase that may open a clause.
_OF_PHRASES = frozenset(("ADP", "SCONJ", "NOUN", "PROPN", "NUM"))


def subject_phrase(parse: Parse, subject: int, cc: int, verb: int) -> Words:
    """Returns the first clause's subject to repeat before ``verb``, without an insertion. It becomes definite if either
    clause is in the past and thus about a particular thing: "A mill stands here and was sold"."""
    words = core(parse, subject, end=cc)
    insertion = next((n for n, w in enumerate(words) if w.text == "," and w.head == subject < w.position), len(words))
    if not any(parse.tokens[k].dep == "conj" and k > subject for k in parse.children(subject)):
        words = words[:insertion]
    while len(words) > 1 and words[-1].text.lower() in WORDS["of_clauses"] and words[-1].position != subject:
        words = words[:-1]
    came_to_be = any(parse.tokens[k].tag == "VBD" or parse.lower[k] == "has" for k in (verb, *parse.auxiliaries(verb)))
    return definite(words) if came_to_be or parse.past(parse.tokens[subject].head) else words


def with_subject(parse: Parse, second: Words, subject: Words, *, verb: int, cc: int) -> Words:
    """Inserts the subject before the predicate, after an opening phrase: "and in 1839 led" -> "in 1839 he led"."""
    start = parse.start_of_group(verb, after=cc)
    fronted, rest = (tuple(w for w in second if (w.position < start) == before) for before in (True, False))
    if any(w.head == verb and w.dep in AUXILIARIES for w in fronted):
        return join(subject, second)  # "but is in practice kept"
    if any(w.pos in _OF_PHRASES for w in fronted):
        return frames.before_subject(fronted, subject, rest)
    lone = [w.text for w in fronted].count(",") == 1 and fronted[-1].text == ","
    return join(subject, fronted[:-1] if lone else fronted, rest)  # "and thus , fell" -> "it thus fell"


def _is_split(parse: Parse, subject: int) -> bool:
    """Whether another noun phrase precedes the verb, or the phrase has a preposition ("On July 25 , 2005 Agassi
    left")."""
    verb, words = parse.tokens[subject].head, core(parse, subject)
    second = any(k != subject and k < verb and parse.tokens[k].dep in SUBJECTS for k in parse.children(verb))
    return second or (bool(words) and words[0].position > 0 and parse.tokens[words[0].position - 1].dep == "prep")


def _is_indefinite(parse: Parse, subject: int) -> bool:
    """Whether the subject may mean different people or things in each clause: "few", "some", "two"."""
    words, verb = core(parse, subject), parse.tokens[subject].head
    opening = parse.opening(subject)
    if opening in WORDS["negatives"] or (not parse.past(verb) and not parse.perfect(verb)):
        return opening in WORDS["negatives"]
    amount = opening == "a" and len(words) > 2 and words[1].lemma in WORDS["amounts"]
    return amount or parse.tokens[subject].tag == "CD" or opening in WORDS["indefinites"]


# Checks on the subject shared with the second part.
SUBJECT_CHECKS: tuple[Check[int], ...] = (
    Check("subject.split", R.AMBIGUOUS, _is_split,
          "One of the largest events in the city, Pride Week takes place in June, and is known in all of Europe.",
          "A man came home and left it."),
    Check("subject.empty", R.NO_SUBJECT, is_empty,
          "It rained in May and made the town wet.", "A man came home and left it."),
    Check("subject.indefinite", R.AMBIGUOUS, _is_indefinite,
          "Some men came to the town and stayed with us.", "A man came home and left it."),
)  # fmt: skip


# Words that join two clauses when between them.
_JOINTS = frozenset(c.words[0] for c in CONJUNCTIONS) | QUOTES | {";", ":", "that"}
_CORRELATIVE = {"or": ("either", "whether"), "nor": ("neither",)}
_ADVERBS = frozenset(("advmod", "npadvmod", "neg"))


def problem_of_conjunct(parse: Parse, part: Conjunct) -> Reason | None:
    """Returns the reason not to split before this part, if any, regardless of the part's own form."""
    problem = first_reason(CONJUNCT_CHECKS, parse, part) or first_reason(assertion.CHECKS, parse, part)
    own = part.subject >= 0 or parse.tokens[part.verb].head > part.cc
    return problem or (None if own else first_reason(CHECKS_OF_SHARED, parse, part))


def _is_below(parse: Parse, part: Conjunct) -> bool:
    """Whether the conjunction joins subordinate clauses."""
    token = parse.tokens[part.verb]
    return token.dep == "conj" and token.head < part.cc and not parse.on_main_line(token.head)


def _ends_list(parse: Parse, part: Conjunct) -> bool:
    """Whether the conjunction joins the last of three or more verbs: without it, "he came , saw" would be left."""
    cc, tokens, head = part.cc, parse.tokens, parse.tokens[part.cc].head
    if head > cc or not parse.is_verb(head):
        return False
    before = [k for k in parse.children(tokens[head].head) if k < head]
    if tokens[head].dep == "conj" and _verbs_behind_conjunction(parse, before) != 0:
        return True
    before = [k for k in parse.children(head) if head < k < cc]
    behind = _verbs_behind_conjunction(parse, before)
    if behind is not None:
        return behind > 1
    verbs = [tokens[k] for k in before if parse.is_verb(k)]
    return any(t.dep == "conj" or (t.tag in FINITE and t.dep in ("prep", "dep")) for t in verbs)


def _verbs_behind_conjunction(parse: Parse, before: list[int]) -> int | None:
    """Counts the conjoined verbs after the last conjunction; None without one. "Leased it and rebuilt it , bought it ,
    and" has one too many: cutting off the last part would leave a comma instead of a conjunction."""
    joint = max((k for k in before if parse.tokens[k].dep == "cc"), default=None)
    verbs = [k for k in before if parse.tokens[k].dep == "conj" and parse.is_verb(k)]
    return None if joint is None else sum(k > joint for k in verbs)


def _breaks_list(parse: Parse, part: Conjunct) -> bool:
    """Whether the first part ends in a list of nouns without a conjunction, other than a place and its region."""
    cc, last = part.cc, parse.last_before(part.cc)
    for at, head in pairwise((last, *parse.ancestors(last))):
        if parse.right_edge(at) not in (last, cc - 1):
            return False
        if head < at and _is_listed(parse, at, head):
            own = (k for k in (*parse.children(head), *parse.children(at)) if k < cc)
            return "," in parse.lower[head:at] and all(parse.tokens[k].dep not in ("cc", "preconj") for k in own)
    return False


def _is_listed(parse: Parse, at: int, head: int) -> bool:
    """Whether one noun follows another in a list, or is mislabelled an apposition: two persons, "a term , a fine"."""
    token, kind = parse.tokens[at], parse.tokens[at].entity[2:]
    if parse.is_verb(at) or kind == "GPE" or token.dep not in ("conj", "appos"):
        return False
    new = all(parse.opening(k) in ("a", "an") for k in (at, head))
    return token.dep == "conj" or new or kind == parse.tokens[head].entity[2:] == "PERSON"


def _is_joined_by_comma(parse: Parse, verb: int, cc: int) -> bool:
    """Whether only a comma joins the verb's clause to another clause before the conjunction."""
    token = parse.tokens[verb]
    first, last = min(verb, token.head), max(verb, token.head)
    if last > cc or token.dep not in ("ccomp", "parataxis", "conj") or not parse.is_verb(verb):
        return False
    clause = parse.subject(verb) is not None or (token.dep == "ccomp" and token.tag in FINITE)
    if not clause or parse.child(verb, "mark") is not None or parse.tokens[last].lemma in WORDS["saying"]:
        return False
    between = parse.lower[parse.right_edge(first) + 1 if verb == first else first + 1 : last]
    return "," in between and _JOINTS.isdisjoint(between)


def _joins_noun(parse: Parse, part: Conjunct) -> bool:
    """Whether a noun between two verbs, parsed as a conjunct of the first, may be the subject of the second."""
    at = part.verb
    while part.subject < 0 and parse.tokens[at].dep == "conj" and parse.subject(at) is None:
        at = parse.tokens[at].head
        joined = (k for k in parse.children(at) if at < k < part.verb and parse.tokens[k].dep == "conj")
        if parse.is_verb(at) and any(parse.tokens[k].pos in NOUNS for k in joined):
            return True
    return False


def _has_correlative(parse: Parse, part: Conjunct) -> bool:
    """Whether the conjunction has a correlative before or after it: "either ... or", "not only ... but", "and so"."""
    lower, word = parse.lower, parse.lower[part.cc]
    if part.subject < 0 and lower[part.cc + 1] == "so":
        return True
    for k in range(part.cc - 1, -1, -1):
        if lower[k] == word:
            return False
        both = word == "and" and lower[k] == "both" and parse.finite(k + 1)
        not_only = lower[k] == "only" and lower[k - 1] in ("not", "n't")
        if both or not_only or parse.tokens[k].dep == "preconj" or lower[k] in _CORRELATIVE.get(word, ()):
            return True
    return False


def _lacks_object(parse: Parse, part: Conjunct) -> bool:
    last = parse.last_before(part.cc)
    return parse.tokens[last].dep == "prep" and not parse.children(last)


def _is_hedged(parse: Parse, part: Conjunct) -> bool:
    """Whether "nor" negates the rest too, or an adverb of certainty or frequency precedes the first verb. A second part
    with its own modal, adverb or date is not hedged."""
    verb, head = part.verb, parse.tokens[part.verb].head
    if parse.lower[part.cc] == "nor":
        return True
    if not any(k < head and parse.lower[k] in WORDS["hedges"] for k in parse.children(head)):
        return False
    if any(parse.tokens[k].tag == "MD" or (k < verb and parse.tokens[k].dep in _ADVERBS) for k in parse.children(verb)):
        return False
    return all(parse.tokens[k].entity[2:] != "DATE" for k in range(part.cc, parse.right_edge(verb)))


def _is_not_a_participle(parse: Parse, part: Conjunct) -> bool:
    """Whether an -ing form may belong to another verb, because it follows a participle or a phrase about an action."""
    cc, verb, head = part.cc, part.verb, parse.tokens[part.verb].head
    if parse.tokens[verb].tag != "VBG" or any(k > cc for k in parse.auxiliaries(verb)):
        return False
    phrases = (
        k for k in range(head + 1, cc) if parse.tokens[k].dep == "prep" and parse.lower[k] in WORDS["before_deeds"]
    )
    return parse.tokens[head].tag == "VBN" or any(parse.right_edge(k) == parse.last_before(cc) for k in phrases)


CONJUNCT_CHECKS: tuple[Check[Conjunct], ...] = (
    Check("conjunction.below", R.WRONG_SCOPE, _is_below,
          "The clerk said that the mill closed and the men went home.", "The war began and the price doubled."),
    Check("conjunction.last-of-list", R.LIST, _ends_list,
          "He bought the mill, repaired the roof and sold the house in 1905.", "A man came home and left it."),
    Check("conjunction.broken-list", R.LIST, _breaks_list,
          "It brought death, loss of soil, and spoiled the water.", "A man came home and left it."),
    Check("conjunction.list-of-clauses", R.LIST,
          lambda parse, part: any(_is_joined_by_comma(parse, verb, part.cc) for verb in range(part.cc)),
          "Ann is the head, Ben became a clerk, and Kim left the firm.", "The war began and the price doubled."),
    Check("conjunction.semicolons", R.LIST,
          lambda parse, part: parse.lower[part.cc - 1] == ";" and ";" in parse.lower[: part.cc - 1],
          "The mill sold cloth; in those years Ann, Lee, and Kim were there; but has lately been closed.",
          "The war began and the price doubled."),
    Check("conjunction.crossing", R.WRONG_SCOPE, lambda parse, part: parse.crossings(part.cc, part.cc + 1) > 1,
          "The ships were built in the 1980s or earlier, and many of them are old.", "A man came home and left it."),
    Check("conjunction.noun", R.WRONG_SCOPE, _joins_noun,
          "The egg is at first held, but in the shell the inner layer melts and allows it to move.",
          "A man came home and left it."),
    Check("conjunction.correlative", R.DANGLING, _has_correlative,
          "The mills both lost their men and sold their cloth.", "A man came home and left it."),
    Check("conjunction.no-object", R.SHARED_PART, _lacks_object,
          "The new results were comparable to or exceeded the standards of the old clinic.",
          "A man came home and left it."),
    Check("conjunction.elliptical", R.SHARED_PART, lambda parse, part: frames.is_elliptical(parse, part.verb),
          "Lee should sell the mill and can do.", "The men should stay there, and they will do it."),
)  # fmt: skip
# Checks on a part that shares the first part's subject.
CHECKS_OF_SHARED: tuple[Check[Conjunct], ...] = (
    Check("predicate.hedged", R.NOT_ASSERTED, _is_hedged,
          "The mill will probably close in May and move to the north.", "A man came home and left it."),
    Check("predicate.not-a-participle", R.SHARED_PART, _is_not_a_participle,
          "They are seeking damages for theft and hiding the money.", "A man came home and left it."),
)  # fmt: skip
