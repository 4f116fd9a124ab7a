"""What a thing is as long as it is there, by the noun that an apposition says it with: land, roads, works, firms.

Such a thing mostly still is what a text in the past calls it. What is sure to be so is told in the present; where it
may as well have ended, neither tense is sure.
"""

from __future__ import annotations

from gistmill.rules.discofuse.insertions.text_time import RECENT, ends, is_old, years
from gistmill.rules.discofuse.parse import NOMINAL, Parse

NO_MORE = frozenset(("former", "retired", "ex", "onetime"))
# What people settle or rule, whose kind lasts, but not what else is said of it: "a rich town".
_SETTLED = frozenset(
    """
    city town village hamlet suburb neighborhood neighbourhood municipality community resort nation country state county
    province region district port capital
    """.split()
)
# What no man made, and what a definition says: it is so whenever something happened there.
_NATURAL = frozenset(
    """
    archipelago bay canyon cape continent desert fault glacier gulf hill island lake mountain peninsula plain plateau
    reef river sea strait tributary valley volcano asteroid comet constellation galaxy moon planet star bacterium
    compound
    disease disorder dialect enzyme gene genus hormone language mineral molecule protein species subspecies virus
    """.split()
)
_ROADS = frozenset("road street highway freeway motorway expressway bypass avenue boulevard route railway".split())
# An author's work is there for all who read, watch or hear it.
_WORKS = frozenset(
    """
    adaptation album anthology book collection comic compilation film game memoir movie novel novella opera painting
    play poem remake sculpture sequel song soundtrack version
    """.split()
)
# So is what was thought out: its definition holds whenever it served.
_THOUGHT_OUT = frozenset("algorithm format function protocol technique theorem theory".split())
_LOST_WORKS = frozenset(("canceled", "cancelled", "unpublished", "unreleased", "untitled"))
_MATCHES = frozenset(("between", "against"))  # "the Bowl , a game against"
# These may be closed, sold or renamed, or go on to this day.
_OPEN = frozenset(
    """
    agency airline arena association award bank broadcaster bridge building carrier castle cathedral cemetery champion
    championship charity church club college company competition corporation dam device federation festival firm
    foundation holiday hospital hotel institute laboratory league library magazine mall manufacturer medal mosque museum
    network newspaper organisation organization palace park party prize publisher retailer school site society stadium
    station subsidiary supermarket supplier temple theater theatre tournament tower trophy tunnel union university
    website zoo airport aggregator canal venue center centre complex facility development plaza estate barometer
    benchmark brand chain economy employer exporter gauge importer index indicator lender maker market operator producer
    provider seller
    """.split()
)
# What people live in passes to others, but is so while they do.
_HOMES = frozenset("home house residence mansion villa".split())
_WHERE = frozenset("in on near along off between".split())


def lasts(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether an apposition in a text of the past says what its antecedent still is.

    Land, water and what a definition says are so whenever it was; a settled place is where it lies ("Ulm , a town in
    Swabia"), and the kind of place that it is if the text is of late. A road is one since then, a work at any time.
    """
    if parse.lower[parse.left_edge(head)] not in ("a", "an") or _is_told_of_past(parse, head):
        return False
    noun = said_noun(parse, head)
    if noun in _NATURAL or parse.tokens[antecedent].lemma.lower() in _NATURAL:
        return True
    modifiers = {parse.tokens[k].lemma for k in parse.children(head) if parse.tokens[k].dep == "compound"}
    if noun in _SETTLED:
        late = any(year >= RECENT for year in years(parse)) or not parse.past(parse.root())
        return bool(modifiers & _NATURAL) or _is_located(parse, head) or late and not is_old(parse)
    if not _is_named(parse, antecedent):
        return False
    if noun in _ROADS:
        return not is_old(parse) and not ends(parse, antecedent)
    return noun in _THOUGHT_OUT or noun in _WORKS and _is_work(parse, head)


def may_last(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether an apposition in a text of the past, told in the past, may well still hold: "Acme , a bank , moved".

    It does not if the text is old, tells of an end, or has a clause in the past that goes with it ("a firm that made
    looms"). A road may hold even so.
    """
    if _is_told_of_past(parse, head):
        return False
    noun = said_noun(parse, head)
    if noun in _ROADS:
        return _is_named(parse, antecedent)
    if is_old(parse) or ends(parse, antecedent):
        return False
    return (noun in _OPEN or noun in _SETTLED or noun in _NATURAL) and _is_named(parse, antecedent)


def is_home(parse: Parse, antecedent: int, head: int) -> bool:
    """Whether it says where somebody lives: "Upton Hall , the home of Ann Lee"."""
    return said_noun(parse, head) in _HOMES and _is_named(parse, antecedent) and not _is_told_of_past(parse, head)


def said_noun(parse: Parse, head: int) -> str:
    """Returns the noun that an apposition says, in lower case. A participle behind it may be taken for its head: "a
    highway bypassing Ulm"."""
    before = parse.tokens[head - 1]
    participle = parse.tokens[head].tag == "VBG" and before.head == head and before.pos in NOMINAL
    return parse.tokens[head - 1 if participle else head].lemma.lower()


def _is_told_of_past(parse: Parse, head: int) -> bool:
    """Whether a relative clause of the apposition is in the past: "a firm that made looms"."""
    clauses = (k for k in parse.children(head) if parse.tokens[k].dep == "relcl")
    return any(parse.finite(k) and parse.past(k) for k in clauses)


def _is_located(parse: Parse, head: int) -> bool:
    """Whether it says where the place lies: "a town in Swabia", but not "a town in decline"."""
    for k in parse.children(head):
        place = parse.child(k, "pobj") if parse.lower[k] in _WHERE else None
        if place is not None and parse.tokens[place].pos == "PROPN":
            return True
    return False


def _is_work(parse: Parse, head: int) -> bool:
    words = {parse.lower[k] for k in parse.children(head)}
    return words.isdisjoint(_LOST_WORKS) and words.isdisjoint(_MATCHES)


def _is_named(parse: Parse, noun: int) -> bool:
    return parse.tokens[noun].pos == "PROPN"
