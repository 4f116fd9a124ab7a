"""Why a relative clause between two commas cannot be split off: what its pronoun means, where it ends, what rivals."""

from __future__ import annotations

from gistmill.rules.coreference.noun_kinds import ABSTRACT, NO_KINDS
from gistmill.rules.discofuse.checks import Check, first_reason
from gistmill.rules.discofuse.insertions.insertion import Insertion, goes_on, is_cut
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.nouns.references import is_personal, may_be_person, rivals
from gistmill.rules.discofuse.nouns.referent_kinds import kinds_at, may_agree
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse
from gistmill.rules.discofuse.reasons import DiscoFuseReason as R

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
# "The road was 12 km , which is short": the road is, not the kilometres.
_MEASURED = frozenset(("DATE", "TIME", "PERCENT", "ORDINAL", "QUANTITY", "MONEY", "CARDINAL"))


def problem_of(parse: Parse, match: Insertion) -> R | None:
    """Returns the first reason to refuse the clause, or None."""
    return first_reason(CHECKS, parse, match) if parse.tokens[match.head].dep == "relcl" else R.WRONG_SCOPE


def _predicate_of(parse: Parse, verb: int) -> int | None:
    """Returns the predicate noun of a clause: of "be" or "become", or behind "as" or a passive that names or judges."""
    found = parse.child(verb, "attr", "oprd")
    return found if found is not None and parse.tokens[found].pos in NOUNS else None


def _is_open(parse: Parse, match: Insertion) -> bool:
    """Whether it is "which", no subject is before it, and no verb in the plural tells that a noun is meant."""
    pronoun = match.open + 1
    if parse.lower[pronoun] != "which" or parse.tokens[match.antecedent].dep in NOMINAL_SUBJECTS:
        return False
    return parse.tokens[pronoun].dep not in NOMINAL_SUBJECTS or parse.number(match.head) != "plural"


def _is_judged(parse: Parse, match: Insertion) -> bool:
    """Whether the clause says what a fact or an event is, and the noun is not such a thing."""
    if not _is_open(parse, match):
        return False
    predicate = _predicate_of(parse, match.head)
    if predicate is None:
        return _is_judgement(parse, match.head)
    kinds = kinds_at(parse, predicate)
    other = not may_agree(kinds, kinds_at(parse, match.antecedent)) and not ABSTRACT.isdisjoint(kinds)
    return other or parse.tokens[predicate].lemma.lower() in _FACTS or _is_judgement(parse, match.head)


def _is_judgement(parse: Parse, verb: int) -> bool:
    """Whether a clause says that something is possible, legal or the like, or why or how it is."""
    if parse.tokens[verb].lemma not in ("be", "become", "seem", "remain", "appear"):
        return False
    behind = [k for k in parse.children(verb) if k > verb and parse.tokens[k].dep not in ("attr", "punct")]
    questions = [j for k in behind for j in parse.children(k) if j < k and parse.tokens[j].tag in ("WRB", "WP")]
    return any(parse.lower[k] in _JUDGEMENTS for k in (*behind, *questions))


def _is_done_by_fact(parse: Parse, match: Insertion) -> bool:
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


def _is_not_a_person(parse: Parse, match: Insertion) -> bool:
    return parse.lower[match.open + 1] in ("who", "whom") and not may_be_person(parse, match.antecedent)


def _is_not_a_thing(parse: Parse, match: Insertion) -> bool:
    """Whether "which" would stand for a person, or for how many there are."""
    kind = parse.tokens[match.antecedent].entity[2:]
    return parse.lower[match.open + 1] == "which" and (is_personal(parse, match.antecedent) or kind in _MEASURED)


def _has_rival(parse: Parse, match: Insertion) -> bool:
    pronoun, predicate = parse.lower[match.open + 1], _predicate_of(parse, match.head)
    return rivals(
        parse,
        match.antecedent,
        match.open,
        number=parse.number(match.head) if parse.tokens[match.open + 1].dep in NOMINAL_SUBJECTS else None,
        personal=None if pronoun == "whose" else pronoun != "which",
        kinds=NO_KINDS if predicate is None else kinds_at(parse, predicate),
    )


def agrees(parse: Parse, noun: int, pronoun: int, verb: int) -> bool:
    """Whether the noun has the number of the verb that the relative pronoun is the subject of, as far as that shows."""
    number = parse.number(verb) if parse.tokens[pronoun].dep in NOMINAL_SUBJECTS else None
    # a name in the plural may be one thing, a name in the singular is not many, two names are not one
    joined = any(parse.tokens[k].dep == "conj" for k in parse.children(noun) if k < pronoun)
    named = parse.tokens[noun].pos == "PROPN" and number == "singular" and not joined
    return number is None or named or is_plural(parse, noun) == (number == "plural")


def _disagrees(parse: Parse, match: Insertion) -> bool:
    return not agrees(parse, match.antecedent, match.open + 1, match.head)


CHECKS: tuple[Check[Insertion], ...] = (
    Check("relative.judged", R.CLAUSAL_ANTECEDENT, _is_judged,
          "They sell ivory, which is illegal in most countries.",
          "They sell ivory, which is popular in most countries."),
    Check("relative.fact", R.CLAUSAL_ANTECEDENT, _is_done_by_fact,
          "The firm closed the old factory, which upset the mayor.",
          "The firm closed the old factory, which stood near the river."),
    Check("relative.no-person", R.WRONG_SCOPE, _is_not_a_person,
          "A man came to the mill, who had lost his hat.", "The town thanked the miller, who gave bread to the poor."),
    Check("relative.no-thing", R.WRONG_SCOPE, _is_not_a_thing,
          "The road climbs for nine miles, which felt shorter than that.", "The road was a path, which felt shorter."),
    Check("relative.rival", R.AMBIGUOUS, _has_rival,
          "He drew the roof of a house, which stood in Leeds.", "He drew a house, which stood in Leeds."),
    Check("relative.goes-on", R.CLAUSE_CUT, goes_on,
          "The army joined the union, which included Malta, in 1950.",
          "The army joined the union, which included Malta."),
    Check("relative.number", R.WRONG_SCOPE, _disagrees,
          "The road joins Upton and Norton, which has mills.", "The road joins Upton and Norton, which have mills."),
    Check("relative.cut-phrase", R.WRONG_SCOPE, is_cut,
          "Other methods, which are slower, are used in Japan.", "Two methods, which are slower, are used in Japan."),
)  # fmt: skip
