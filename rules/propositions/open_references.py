"""Words that keep a statement from standing alone, because only the surrounding text explains them.

Their meaning is not looked up here. Each finding has a kind, so that users can ignore kinds that do not matter to them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from enum import Enum
from typing import NamedTuple

from gistmill.rules.coreference.lexicon import kinds_of_noun
from gistmill.rules.discofuse.nouns.references import NUMBERS, is_empty
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.languages.language import english_table

_WORDS = english_table("propositions")  # rules/languages/data/en.toml explains each list
_MODIFIERS = frozenset("det predet advmod cc preconj amod nummod quantmod".split())
_NOMINAL_PLACES = NOMINAL_SUBJECTS | {"attr"}


def known_nouns(title: str, *, past: bool) -> Collection[str]:
    """Returns the last noun of a title if it is clear by itself: "eagle" from "Bald eagle" in "The eagle hunts fish".

    In a past statement it is an individual ("The game sold well" for "Video game"). "University" alone names nothing.

    Args:
        title: title of the document.
        past: whether the statement is in the past.
    """
    words = title.partition(" (")[0].split()
    if not words:
        return ()
    *before, last = words
    if all(word.islower() for word in words[1:]) and is_word(words[0].lower()):
        return () if before and past else (last, last.lower())
    return (last,) if last[0].isupper() and not (before and kinds_of_noun(last.lower())) else ()


def is_definite(parse: Parse, k: int) -> bool:
    """Whether a word is the definite article of a following noun."""
    return parse.lower[k] == "the" and parse.tokens[k].dep == "det" and parse.tokens[k].head > k


def is_open_noun(parse: Parse, noun: int, known: Collection[str]) -> bool:
    """Whether a noun after "the" lacks an identifying complement, clause, name or number."""
    token = parse.tokens[noun]
    if token.pos not in NOUNS or _needs_nothing(parse, noun, known) or _is_said_before(parse, noun):
        return False
    if any(_tells_apart(parse, c, noun) for c in parse.children(noun)):
        return False
    joined = (parse.children(c) for c in parse.children(noun) if parse.tokens[c].dep == "conj")
    if any(parse.tokens[k].dep in ("prep", "relcl", "acl") for below in joined for k in below):
        return False  # "the mill and houses of Kent"
    behind = parse.lower[noun + 1 : noun + 2]
    if behind == ["to"] and any(parse.tokens[k].tag in ("JJ", "JJS") and k < noun for k in parse.children(noun)):
        return parse.tokens[noun + 2].tag != "VB"  # "the first Briton to fly", whatever the verb depends on
    return not _WORDS["noun_complements"].intersection(behind)


def _needs_nothing(parse: Parse, noun: int, known: Collection[str]) -> bool:
    """Whether the noun is a name, a time, part of a longer phrase, or has the same referent in every text."""
    token = parse.tokens[noun]
    clear = parse.lower[noun] in _WORDS["unique"] or token.text in known or token.lemma in known
    if clear or token.entity[2:] in NUMBERS:
        return True
    if token.dep in ("compound", "nmod") and token.head > noun:
        return True
    return token.pos == "PROPN" and not _is_common(parse, noun)


def _is_said_before(parse: Parse, noun: int) -> bool:
    """Whether the noun occurred before with other dependents: "If an operation fails, the operation"."""
    lemma, article = parse.tokens[noun].lemma, parse.left_edge(noun)
    return any(
        parse.tokens[k].lemma == lemma and parse.tokens[k].pos == "NOUN" and not is_bare(parse, k)
        for k in range(article)
    )


def is_bare(parse: Parse, noun: int) -> bool:
    """Whether only "the" depends on a noun: "the mill"."""
    return [parse.lower[k] for k in parse.children(noun) if k < noun or parse.tokens[k].dep == "prep"] == ["the"]


def _is_common(parse: Parse, noun: int) -> bool:
    """Whether a name is a capitalised common noun, and thus short for another name: "the Bank"."""
    token = parse.tokens[noun]
    whole = not token.entity or token.entity == "B-ORG" or parse.tokens[noun - 1].entity == "B-ORG"
    ends = noun + 1 == len(parse) or not parse.tokens[noun + 1].entity.startswith("I-")
    return (
        whole and ends and token.tag == "NNP" and not token.text.isupper() and bool(kinds_of_noun(token.text.lower()))
    )


def _tells_apart(parse: Parse, child: int, noun: int) -> bool:
    """Whether a dependent of a noun identifies its referent; an apposition does so only right after it."""
    token = parse.tokens[child]
    if token.dep in ("appos", "relcl", "acl"):
        between = range(noun, parse.left_edge(child))
        if any(parse.is_verb(k) for k in between):
            return False
        # after a comma a clause only adds information ("the mill, built in May,"), unless it contains a name
        return token.dep == "appos" or not any(parse.lower[k] == "," for k in between) or _names(parse, child)
    if token.dep == "nummod":  # "the 1990 census", not "the two mills"
        return token.text[0].isdigit() and parse.tokens[noun].lemma not in _WORDS["editions"]
    if token.dep == "prep":  # "the bridge over the Thames" contains a name, unlike "the genre in the 19th century"
        named = parse.lower[child] not in _WORDS["adding"] and _names(parse, child)
        return child == noun + 1 and (parse.lower[child] == "of" or named)
    restricts = token.dep in ("poss", "npadvmod") or token.pos == "PROPN"
    return restricts or (bool(token.entity) and token.entity[2:] != "ORDINAL")


def _names(parse: Parse, k: int) -> bool:
    below = (parse.tokens[i] for i in parse.subtree(k))
    return any((t.pos == "PROPN" or t.entity) and t.entity[2:] not in NUMBERS for t in below)


_NEAR = 3  # "the following three decades"


class OpenKind(Enum):
    """Kinds of words that do not stand alone."""

    PRONOUN = "a pronoun of the third person whose antecedent is not sure"
    SPEAKER = "a pronoun of the speaker or the reader"
    DEMONSTRATIVE = "this, that, these, those or such"
    OTHER = "one of several that the text has named: another, the latter, both"
    CONNECTIVE = "a connective to what the text says before"
    PLACE = "there or here"
    TIME = "a time that counts from another one"
    SURNAME = "a surname that several persons of the text bear"
    DEFINITE = "the, with a noun that nothing in the statement tells apart"
    NAMELESS = "it does not name what the text is about"


class Open(NamedTuple):
    """Tokens [start, end) of a statement that do not stand alone."""

    kind: OpenKind
    start: int
    end: int


def find(parse: Parse, explained: Collection[int], *, title: str = "") -> list[Open]:
    """Returns the words of a statement that do not stand alone, in order.

    Args:
        parse: the statement's parse, before mentions are replaced.
        explained: positions of words that are replaced, or whose referent is named in the statement.
        title: title of the document; mentions of its subject are considered clear.
    """
    known = known_nouns(title, past=parse.past(parse.root()))
    found: list[Open] = []
    for k, token in enumerate(parse.tokens):
        if k in explained or token.entity.endswith("WORK_OF_ART") or _is_in_title(parse, k):
            continue
        if is_definite(parse, k) and token.head not in explained and is_open_noun(parse, token.head, known):
            found.append(Open(OpenKind.DEFINITE, k, token.head + 1))
            continue
        if _lacks_complement(parse, k):
            found.append(Open(OpenKind.OTHER, k, k + 1))
            continue
        kind = next((kind for kind, holds in _CHECKS if holds(parse, k)), None)
        if kind is not None:
            found.append(Open(kind, k, k + 1))
    return found


def _is_in_title(parse: Parse, k: int) -> bool:
    """Whether a word is capitalised as part of a title that the parser may miss: "The Best Years of Our Lives"."""
    if not 0 < k < len(parse) - 1 or parse.lower[k] == "i" or not parse.lower[k - 1].isalpha():
        return False
    return parse.tokens[k].text.istitle() and parse.tokens[k + 1].text[0].isupper()


def _is_pronoun(parse: Parse, k: int) -> bool:
    word = parse.lower[k]
    if parse.tokens[k].tag not in ("PRP", "PRP$") or word in _WORDS["speakers"] or word in ("one", "'s"):
        return False
    if not word.isalpha() or word.endswith(("self", "selves")):
        return False
    return _is_named_by_noun(parse, k) or not is_empty(parse, k)


def _is_named_by_noun(parse: Parse, k: int) -> bool:
    """Whether the predicate of "it" is a noun rather than a clause: "it was the capital after they merged"."""
    verb = parse.tokens[k].head
    noun = parse.child(verb, "attr") if parse.tokens[verb].lemma == "be" else None
    if noun is None or parse.tokens[noun].pos not in NOUNS or parse.tokens[noun].entity[2:] in NUMBERS:
        return False
    return parse.child(verb, "ccomp", "csubj", "xcomp") is None and parse.child(noun, "relcl", "acl", "ccomp") is None


def _is_demonstrative(parse: Parse, k: int) -> bool:
    if parse.lower[k] not in _WORDS["pointing"] or parse.tokens[k].tag not in ("DT", "PDT", "JJ"):
        return False
    if parse.tokens[k].dep in _MODIFIERS:
        return parse.lower[k : k + 2] != ["such", "as"]
    return parse.lower[k] not in ("that", "those") or not _is_described(parse, k)


def _is_one_of_several(parse: Parse, k: int) -> bool:
    """Whether a word stands for a noun ("the latter won", "some died"), or implies that the text mentioned others:
    "another mill", "the other mills", "each mill"."""
    token, word = parse.tokens[k], parse.lower[k]
    if any(" ".join(parse.lower[i : i + 2]) in _WORDS["fixed"] for i in (k - 1, k) if i >= 0):
        return False
    if token.dep not in _MODIFIERS:
        alone = not _is_described(parse, k) or parse.lower[k + 1 : k + 3] == ["in", "particular"]
        return (word in _WORDS["others"] and alone) or (word == "following" and token.dep in _NOMINAL_PLACES)
    return _tells_of_more(parse, k)


def _tells_of_more(parse: Parse, k: int) -> bool:
    """Whether a word before a noun implies that the text mentioned others."""
    token, word = parse.tokens[k], parse.lower[k]
    if word not in _WORDS["ordering"] | _WORDS["distinguishing"] or token.dep not in ("det", "amod", "predet"):
        return False
    noun = parse.tokens[token.head]
    if word == "latter" or (word == "other" and parse.tokens[k - 1].tag == "PRP$"):
        return True  # "the latter type of mill", "his other book"
    if word in ("other", "former"):
        return _is_other(parse, k)
    if word in _WORDS["ordering"] and _is_before_time(parse, k):
        return False
    if word in ("both", "either", "neither") and (token.tag == "CC" or parse.child(token.head, "conj") is not None):
        return False  # "both Ada and Bob", "neither the mill nor the farm"
    if word in ("each", "either", "neither"):
        return noun.lemma not in _WORDS["times"] and not _is_described(parse, token.head)
    return word == "another" or not _is_described(parse, token.head)


def _is_other(parse: Parse, k: int) -> bool:
    """Whether "other" or "former" refers to something mentioned: "the other mills", but not "a former teacher"."""
    word, noun = parse.lower[k], parse.tokens[k].head
    token = parse.tokens[noun]
    if word == "other" and token.dep in NOMINAL_SUBJECTS and parse.left_edge(noun) == k:
        return "than" not in parse.lower
    if word == "former" and token.pos == "PROPN":
        return False
    return parse.lower[max(k - 1, 0)] == "the" and not _is_described(parse, noun)


def _is_described(parse: Parse, k: int) -> bool:
    """Whether the statement specifies which is meant: "those of Kent", "some of the mills"."""
    if any(parse.tokens[c].dep in ("prep", "relcl", "acl") and c > k for c in parse.children(k)):
        return True
    return k + 1 < len(parse) and parse.lower[k + 1] in ("of", "that", "who", "which", "as")


def _is_place(parse: Parse, k: int) -> bool:
    if parse.lower[k] == "nearby" and parse.tokens[k].dep == "amod":
        return parse.lower[parse.left_edge(parse.tokens[k].head)] == "the"
    return parse.lower[k] in _WORDS["places"] and parse.tokens[k].dep == "advmod"


def _is_time(parse: Parse, k: int) -> bool:
    """Whether a time is relative to another one: "then", "the following year", "two years later"."""
    word, token = parse.lower[k], parse.tokens[k]
    if word in _WORDS["moments"]:
        return token.dep in ("advmod", "npadvmod", "pobj", "pcomp")
    if word in _WORDS["counting"]:
        return _is_before_time(parse, k)
    if k == 0:
        return word == "again" or (word in ("within", "after") and _has_bare_span(parse, k))
    if word == "century":
        return parse.lower[max(k - 2, 0) : k] == ["mid", "-"]
    if token.dep not in ("advmod", "prep", "pcomp"):
        return False
    measured = word in ("later", "earlier") and parse.tokens[k - 1].entity[2:] in ("DATE", "TIME")
    alone = not any(parse.tokens[c].dep in ("pobj", "prep", "pcomp") and c > k for c in parse.children(k))
    return alone and (measured or (word in ("before", "after") and token.dep == "advmod"))


def _is_before_time(parse: Parse, k: int) -> bool:
    return any(t.lemma.lower() in _WORDS["times"] for t in parse.tokens[k + 1 : k + 1 + _NEAR])


def _has_bare_span(parse: Parse, k: int) -> bool:
    """Whether a preposition measures time from something not named in the statement: "Within a week"."""
    noun = parse.child(k, "pobj")
    if noun is None or parse.tokens[noun].lemma.lower() not in _WORDS["times"] or _is_described(parse, noun):
        return False
    return any(parse.lower[c] in ("a", "an") or parse.tokens[c].tag == "CD" for c in parse.children(noun) if c < noun)


def _is_that_followed(parse: Parse, k: int) -> bool:
    """Whether a verb makes a time relative to another one: "the years that followed"."""
    counted = parse.tokens[parse.tokens[k].head].lemma in _WORDS["times"]
    return parse.lower[k - 1 : k + 1] == ["that", "followed"] and counted


def _is_repeated(parse: Parse, k: int) -> bool:
    """Whether a past event is a recurring one without a year: "the US Open"."""
    token = parse.tokens[k]
    if token.pos != "PROPN" or token.text not in _WORDS["returning"] or not parse.past(parse.root()):
        return False
    return not any(t.text[0].isdigit() and t.entity[2:] in ("DATE", "EVENT", "ORG", "ORDINAL") for t in parse.tokens)


def _is_connective(parse: Parse, k: int) -> bool:
    if k == 0 and parse.lower[0] == "so":  # "So Ada won", "so much so", but not "So far" or "So that"
        return parse.tokens[0].head == parse.root() or parse.lower[:3] == ["so", "much", "so"]
    if " ".join(parse.lower[k : k + 2]) in _WORDS["openings"]:
        return parse.lower[k + 2 : k + 3] not in (["to"], ["for"])
    return parse.lower[k] in _WORDS["connectives"] and parse.tokens[k].dep == "advmod"


def _lacks_complement(parse: Parse, k: int) -> bool:
    """Whether a noun lacks a complement and anything else that identifies it: "Beneficiaries include Kent"."""
    token = parse.tokens[k]
    if token.pos != "NOUN" or token.lemma.lower() not in _WORDS["relational"] or token.dep not in _NOMINAL_PLACES:
        return False
    if k + 1 < len(parse) and parse.tokens[k + 1].dep in ("prep", "relcl", "acl"):
        return False
    others = [c for c in parse.children(k) if parse.tokens[c].dep not in ("punct", "cc", "conj", "amod")]
    return all(parse.lower[c] in ("a", "an", "some", "many", "several", "most") for c in others)


def _is_compared(parse: Parse, k: int) -> bool:
    """Whether a comparison does not name the other side: "Smaller islands include Kent"."""
    token, said = parse.tokens[k], "than" in parse.lower or parse.lower[k] in _WORDS["fixed_degrees"]
    return token.tag == "JJR" and token.dep == "amod" and not said


def _is_number(parse: Parse, k: int) -> bool:
    """Whether a number stands for a noun: "the fourth has a nave", "he won three", "sung by the two"."""
    token = parse.tokens[k]
    if token.text == "%" and token.dep in NOMINAL_SUBJECTS:
        return not _is_described(parse, k)
    if token.entity[2:] not in ("ORDINAL", "CARDINAL") or not token.text.isalpha() or _is_described(parse, k):
        return False
    if token.dep == "pobj":
        return parse.lower[token.head] == "for" or parse.lower[k - 1] == "the"
    return token.dep in ("nsubj", "nsubjpass", "dobj")


_CHECKS: tuple[tuple[OpenKind, Callable[[Parse, int], bool]], ...] = (
    (OpenKind.SPEAKER, lambda p, k: p.tokens[k].tag in ("PRP", "PRP$") and p.lower[k] in _WORDS["speakers"]),
    (OpenKind.PRONOUN, _is_pronoun),
    (OpenKind.DEMONSTRATIVE, _is_demonstrative),
    (OpenKind.OTHER, _is_one_of_several),
    (OpenKind.OTHER, _is_number),
    (OpenKind.OTHER, _is_compared),
    (OpenKind.CONNECTIVE, _is_connective),
    (OpenKind.PLACE, _is_place),
    (OpenKind.TIME, _is_time),
    (OpenKind.TIME, lambda p, k: p.lower[max(k - 2, 0) : k + 1] == ["at", "the", "time"] and not _is_described(p, k)),
    (OpenKind.TIME, _is_that_followed),
    (OpenKind.TIME, _is_repeated),
)
