"""Whether "which" stands for the whole clause before it, and not for a noun."""

from __future__ import annotations

from gistmill.rules.coreference.noun_kinds import ABSTRACT, NO_KINDS
from gistmill.rules.discofuse.insertions.insertion import Insertion
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse

# Verbs of causing, whose subject is mostly a fact or an event, and others of which it may be.
_OF_FACTS = frozenset(
    """
    make mean cause allow enable help imply force prevent give reduce increase create simplify require ensure leave
    permit provide affect spur spark trigger prompt provoke motivate induce persuade convince encourage discourage
    drive end begin start stop alter improve worsen damage hurt harm ruin destroy save spare cost earn win gain raise
    boost strengthen weaken hasten delay postpone hinder hamper complicate ease facilitate accelerate contribute
    signal fuel feed culminate violate breach contradict contravene undermine jeopardize threaten risk avoid avert
    preclude necessitate entail justify warrant guarantee kill injure wound disrupt restore resolve settle render
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
# What a clause is, and hardly a thing.
_FACTS = frozenset("case reason result exception coincidence mistake error surprise relief shock pity shame".split())
_UNNAMED = frozenset(("", "CARDINAL", "DATE", "QUANTITY", "PERCENT"))
_CAUSES = frozenset(("LAW", "EVENT", "WORK_OF_ART"))


def predicate_of(parse: Parse, verb: int) -> int | None:
    """Returns the predicate noun of a clause: of "be" or "become", or behind "as" or a passive that names or judges."""
    found = parse.child(verb, "attr", "oprd")
    return found if found is not None and parse.tokens[found].pos in NOUNS else None


def _is_open(parse: Parse, match: Insertion) -> bool:
    """Whether it is "which", no subject is before it, and no verb in the plural tells that a noun is meant."""
    pronoun = match.open + 1
    if parse.lower[pronoun] != "which" or parse.tokens[match.antecedent].dep in NOMINAL_SUBJECTS:
        return False
    return parse.tokens[pronoun].dep not in NOMINAL_SUBJECTS or parse.number(match.head) != "plural"


def is_judged(parse: Parse, match: Insertion) -> bool:
    """Whether the clause says what a fact or an event is, and the noun is not such a thing."""
    if not _is_open(parse, match):
        return False
    if parse.tokens[match.head].lemma in ("be", "become", "seem", "remain", "appear"):
        behind = [
            k for k in parse.children(match.head) if k > match.head and parse.tokens[k].dep not in ("attr", "punct")
        ]
        questions = [j for k in behind for j in parse.children(k) if j < k and parse.tokens[j].tag in ("WRB", "WP")]
        if any(parse.lower[k] in _JUDGEMENTS for k in (*behind, *questions)):
            return True
    predicate = predicate_of(parse, match.head)
    if predicate is not None and parse.tokens[predicate].lemma.lower() in _FACTS:
        return True
    kinds = NO_KINDS if predicate is None else kinds_at(parse, predicate)
    return not may_agree(kinds, kinds_at(parse, match.antecedent)) and not ABSTRACT.isdisjoint(kinds)


def is_done_by_fact(parse: Parse, match: Insertion) -> bool:
    """Whether the verb is one that facts or events have for a subject, and the noun cannot do the same by its name."""
    role, label = parse.tokens[match.open + 1].dep, parse.tokens[match.antecedent].entity[2:]
    if not _is_open(parse, match) or label in _CAUSES:
        return False
    if role == "dobj":
        return parse.tokens[parse.tokens[match.open + 1].head].lemma == "do"  # "to leave , which she failed to do"
    near = [match.head, *(k for k in parse.children(match.head) if k < match.open + 8)]
    lemmas = {parse.tokens[k].lemma for k in near}
    if role == "nsubjpass":
        lemmas &= _IN_PASSIVE
    led = not {"lead", "result"}.isdisjoint(lemmas) and parse.child(match.head, "dobj") is None
    if led or not _OF_FEELING.isdisjoint(lemmas):
        return True
    return label in _UNNAMED and not _OF_FACTS.isdisjoint(lemmas)
