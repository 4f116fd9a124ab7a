"""Whether "which" stands for the whole clause before it, and not for a noun."""

from __future__ import annotations

from collections.abc import Collection

from gistmill.rules.coreference.noun_kinds import ABSTRACT
from gistmill.rules.discofuse.nouns.referent_kinds import Kinds, kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse

# Verbs of causing, whose subject is mostly a fact or an event.
_CAUSAL = frozenset(
    """
    make mean cause allow enable help imply force prevent give reduce increase create simplify require ensure leave
    permit provide affect spur spark trigger prompt provoke motivate induce persuade convince encourage discourage
    drive end begin start stop alter improve worsen damage hurt harm ruin destroy save spare cost earn win gain raise
    boost strengthen weaken hasten delay postpone hinder hamper complicate ease facilitate accelerate contribute
    signal fuel feed culminate violate breach contradict contravene undermine jeopardize threaten risk avoid avert
    preclude necessitate entail justify warrant guarantee kill injure wound disrupt restore resolve settle render
    """.split()
)
# Verbs of which the subject may be a fact as well as a thing.
_OF_FACTS = _CAUSAL | frozenset(
    """
    lead result suggest explain show indicate demonstrate confirm mark do happen occur prove bring seem appear become
    think change lower reflect signify symbolize represent constitute follow coincide precede anticipate serve attract
    draw isolate free secure establish solve complete fail succeed backfire work matter involve boil amount account
    come turn add
    """.split()
)
# Of these also the passive: "which was later confirmed".
_IN_PASSIVE = frozenset(
    "think explain suggest show demonstrate confirm do prove reflect follow achieve repeat deny attribute mean".split()
)
# Verbs of feeling and judgement: what is felt about is mostly what happened.
_OF_FEELING = frozenset(
    """
    aggravate agitate alarm amaze amuse anger annoy antagonize appal appall appease astonish astound baffle bewilder
    bother captivate charm cheer comfort concern confound confuse console dazzle delight demoralize depress devastate
    disappoint disconcert discourage disgust dishearten dismay displease disquiet distress disturb embarrass embitter
    embolden encourage endear enrage entertain enthral enthrall exasperate excite fascinate flatter frighten frustrate
    gall gladden gratify grieve hearten horrify humble humiliate hurt impress incense infuriate insult interest
    intimidate intrigue invigorate irk irritate jolt mortify mystify offend outrage overwhelm pain perplex perturb
    please puzzle rankle reassure rejoice relieve rile sadden satisfy scandalize scare shake shame shock sicken soothe
    spook stagger startle stun surprise tantalize terrify thrill torment touch trouble unnerve unsettle upset vex
    worry welcome applaud deplore criticize condemn praise resent regret
    """.split()
)
# Verbs of which "which" is the object, and what is said, thought or undone is a fact: "which he denied".
_TAKE_FACTS = frozenset(
    """
    do deny regret resent admit claim say know believe think attribute ascribe blame expect fear hope realize realise
    note explain confirm report acknowledge concede mention announce notice dispute interpret achieve accomplish
    """.split()
)
# What a clause is said to be.
_JUDGEMENTS = frozenset(
    """
    unusual uncommon common rare surprising unsurprising unprecedented unheard illegal legal unlawful lawful possible
    impossible likely unlikely probable improbable true untrue false correct incorrect wrong right fortunate
    unfortunate contrary consistent inconsistent evident obvious apparent understandable typical atypical normal
    abnormal remarkable sufficient insufficient enough good bad fine acceptable unacceptable permissible forbidden
    necessary unnecessary difficult easy hard ironic strange odd customary crucial essential inevitable unfair fair
    unconstitutional tantamount equivalent why because what how when where
    """.split()
)
# What only a fact is, and what an event mostly is.
_FACTS = frozenset(
    """
    case reason result consequence exception coincidence mistake error success failure surprise relief shock pity shame
    disaster blow disappointment setback triumph miracle mystery disgrace scandal crime sin violation breach
    challenge step achievement feat milestone improvement advantage disadvantage drawback bonus blessing honour honor
    privilege breakthrough accomplishment gift donation
    """.split()
)
# "10% hold a degree , which is the largest share": what is so large stands elsewhere.
_AMOUNTS = frozenset(
    """
    percentage share rate number amount proportion figure total majority minority ratio increase decrease rise fall
    average maximum minimum quarter half third percent distance height length
    """.split()
)
_CAUSES = frozenset(("LAW", "EVENT", "WORK_OF_ART"))
_PLACES = frozenset(("ORG", "GPE", "LOC", "FAC", "PERSON"))


def predicate_of(parse: Parse, verb: int) -> int | None:
    """Returns the predicate noun of a clause: of "be" or "become", or behind "as" or a passive that names or judges."""
    found = parse.child(verb, "attr", "oprd")
    return found if found is not None and parse.tokens[found].pos in NOUNS else None


def predicate_kinds(parse: Parse, verb: int | None) -> Kinds:
    """Returns the kinds of the predicate noun of a clause; none where it has none."""
    found = None if verb is None else predicate_of(parse, verb)
    return frozenset() if found is None else kinds_at(parse, found)


def may_mean_clause(parse: Parse, verb: int, noun: int, opening: int) -> bool:
    """Whether "which" may stand for the whole clause before it.

    It may as the subject of a verb or predicate that facts and events have, unless the antecedent is a subject or a
    name that can do the same; with a predicate noun of another kind than the antecedent's; as the object of what is
    said or done; and behind an infinitive or a gerund.

    Args:
        parse: the sentence.
        verb: the clause's verb.
        noun: the head of the noun phrase before the comma.
        opening: the comma; the pronoun follows it.
    """
    pronoun = opening + 1
    if parse.lower[pronoun] != "which":
        return False
    governor = parse.tokens[pronoun].head
    if parse.tokens[governor].lemma == "do":
        return True
    token, role = parse.tokens[noun], parse.tokens[pronoun].dep
    if token.dep in NOMINAL_SUBJECTS and _is_first_subject(parse, noun, opening):
        return False
    if role in NOMINAL_SUBJECTS and parse.number(verb) == "plural":
        return False
    if token.lemma in ("result", "way", "case", "order", "addition", "time", "number"):
        return True
    if role == "dobj" and parse.tokens[governor].lemma in _TAKE_FACTS and not _names(parse, governor):
        return True
    if _judges(parse, verb, noun):
        return True
    label = token.entity[2:]
    named = label not in ("", "CARDINAL", "DATE", "QUANTITY", "PERCENT")
    lemmas = {parse.tokens[verb].lemma} | {parse.tokens[k].lemma for k in parse.children(verb) if k < opening + 8}
    if role == "nsubjpass":
        if not {"follow", "precede"}.isdisjoint(lemmas) and label in _PLACES:
            return True  # "enrolled at the School , which was followed by a year at"
        lemmas &= _IN_PASSIVE
    if role != "dobj" and _of_facts(parse, verb, lemmas, label if named else ""):
        return True
    if named:
        return False
    if token.dep == "pobj" and parse.is_verb(parse.tokens[token.head].head) and parse.child(verb, "dobj") is not None:
        return True  # "differ by a bit , which simplified the matching"
    above = token.head
    while parse.tokens[above].dep in ("prep", "pobj") and parse.tokens[above].head != above:
        above = parse.tokens[above].head
    return parse.is_verb(above) and not parse.finite(above) and parse.tokens[above].dep in ("pcomp", "xcomp")


def _of_facts(parse: Parse, verb: int, lemmas: Collection[str], label: str) -> bool:
    """Whether the verb is one that facts or events have for a subject, and the noun cannot do the same by its name."""
    if label in _CAUSES:
        return False
    if (
        not _OF_FEELING.isdisjoint(lemmas)
        or not {"lead", "result"}.isdisjoint(lemmas)
        and not parse.child(verb, "dobj")
    ):
        return True
    return not label and not _OF_FACTS.isdisjoint(lemmas)


def _names(parse: Parse, verb: int) -> bool:
    """Whether the verb says what something is called or held for: "which the Romans knew as"."""
    return any(parse.lower[k] == "as" for k in parse.children(verb) if k > verb)


def _is_first_subject(parse: Parse, noun: int, opening: int) -> bool:
    """Whether the noun is a subject whose verb comes behind the clause: no event is told yet."""
    return parse.tokens[noun].head > opening or parse.tokens[noun].head == noun


def _judges(parse: Parse, verb: int, noun: int) -> bool:
    """Whether the clause says what a fact or an event is, and the noun is not such a thing."""
    if parse.tokens[verb].lemma in ("be", "become", "seem", "remain", "appear"):
        behind = [k for k in parse.children(verb) if k > verb and parse.tokens[k].dep not in ("attr", "punct")]
        questions = [j for k in behind for j in parse.children(k) if j < k and parse.tokens[j].tag in ("WRB", "WP")]
        if any(parse.lower[k] in _JUDGEMENTS for k in (*behind, *questions)):
            return True
    predicate = predicate_of(parse, verb)
    if predicate is None:
        return False
    lemma, token = parse.tokens[predicate].lemma.lower(), parse.tokens[noun]
    if lemma in _FACTS:
        return True
    if lemma in _AMOUNTS:
        return token.lemma.lower() not in _AMOUNTS and not parse.lower[noun][0].isdigit()
    kinds = kinds_at(parse, predicate)
    return not may_agree(kinds, kinds_at(parse, noun)) and not ABSTRACT.isdisjoint(kinds)
