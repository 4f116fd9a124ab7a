"""Relative clauses between two commas (paper, Table 14, row 8): "Kubler , who retired in 1957 , remained ..."."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile

from gistmill.rules.coreference.lexicon import ABSTRACT, NO_KINDS
from gistmill.rules.discofuse import insertion
from gistmill.rules.discofuse.checks import Check, Halves, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.clauses.frames import before_subject
from gistmill.rules.discofuse.connectives import RELATIVE_PRONOUNS
from gistmill.rules.discofuse.insertion import Insertion
from gistmill.rules.discofuse.nouns import references
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural, opens_behind_marks, with_article
from gistmill.rules.discofuse.operations import in_role, join, lowered
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, WORDS, Parse, Word, Words


def _predicate_of(parse: Parse, verb: int) -> int | None:
    """Returns a clause's predicate noun: after "be", "become" or "as", or after a passive of naming or judging."""
    found = parse.child(verb, "attr", "oprd")
    return found if found is not None and parse.tokens[found].pos in NOUNS else None


def _is_open(parse: Parse, match: Insertion) -> bool:
    """Whether the pronoun is "which", its antecedent is not a subject, and no plural verb implies a noun."""
    pronoun = match.open + 1
    if parse.lower[pronoun] != "which" or parse.tokens[match.antecedent].dep in NOMINAL_SUBJECTS:
        return False
    return parse.tokens[pronoun].dep not in NOMINAL_SUBJECTS or parse.number(match.head) != "plural"


def _is_judged(parse: Parse, match: Insertion) -> bool:
    """Whether the predicate describes a fact or event, and the noun does not denote one."""
    predicate = _predicate_of(parse, match.head)
    kinds = NO_KINDS if predicate is None else references.kinds_at(parse, predicate)
    abstract = not ABSTRACT.isdisjoint(kinds)
    fact = abstract and not references.may_agree(kinds, references.kinds_at(parse, match.antecedent))
    fact = fact or (predicate is not None and parse.tokens[predicate].lemma.lower() in WORDS["facts"])
    return _is_open(parse, match) and (fact or _is_judgement(parse, match.head))


def _is_judgement(parse: Parse, verb: int) -> bool:
    """Whether a clause says that something is, for example, possible or legal, or why or how it is."""
    if parse.tokens[verb].lemma not in ("be", "become", "seem", "remain", "appear"):
        return False
    behind = [k for k in parse.children(verb) if k > verb and parse.tokens[k].dep not in ("attr", "punct")]
    questions = [j for k in behind for j in parse.children(k) if j < k and parse.tokens[j].tag in ("WRB", "WP")]
    return any(parse.lower[k] in WORDS["judgements"] for k in (*behind, *questions))


def _is_done_by_fact(parse: Parse, match: Insertion) -> bool:
    """Whether the verb typically has a fact or event as its subject, and the noun is not named as one."""
    role, label = parse.tokens[match.open + 1].dep, parse.tokens[match.antecedent].entity[2:]
    if not _is_open(parse, match) or label in ("LAW", "EVENT", "WORK_OF_ART"):
        return False
    if role == "dobj":
        return parse.tokens[parse.tokens[match.open + 1].head].lemma == "do"  # "to leave , which she failed to do"
    near = [match.head, *(k for k in parse.children(match.head) if k < match.open + 8)]
    lemmas = {parse.tokens[k].lemma for k in near}
    if role == "nsubjpass":
        lemmas &= WORDS["facts_in_passive"]
    led = not {"lead", "result"}.isdisjoint(lemmas) and parse.child(match.head, "dobj") is None
    unnamed = label in ("", "CARDINAL", "DATE", "QUANTITY", "PERCENT")
    return led or bool(lemmas & WORDS["of_feeling"]) or (unnamed and bool(lemmas & WORDS["of_facts"]))


def _is_not_a_thing(parse: Parse, match: Insertion) -> bool:
    """Whether "which" would refer to a person or a quantity."""
    # "the road was 12 km , which is short": the road is short, not the kilometres
    measured = parse.tokens[match.antecedent].entity[2:] in references.NUMBERS
    return parse.lower[match.open + 1] == "which" and (measured or references.is_personal(parse, match.antecedent))


def _has_rival(parse: Parse, match: Insertion) -> bool:
    pronoun, predicate = parse.lower[match.open + 1], _predicate_of(parse, match.head)
    number = parse.number(match.head) if parse.tokens[match.open + 1].dep in NOMINAL_SUBJECTS else None
    personal = None if pronoun == "whose" else pronoun != "which"
    kinds = NO_KINDS if predicate is None else references.kinds_at(parse, predicate)
    return references.rivals(parse, match.antecedent, match.open, number=number, personal=personal, kinds=kinds)


def _agrees(parse: Parse, noun: int, pronoun: int, verb: int) -> bool:
    """Whether the noun agrees with the verb whose subject is the relative pronoun, as far as its form shows."""
    number = parse.number(verb) if parse.tokens[pronoun].dep in NOMINAL_SUBJECTS else None
    # a plural name may denote one thing, but a singular name does not denote several, nor two names one
    joined = any(parse.tokens[k].dep == "conj" for k in parse.children(noun) if k < pronoun)
    named = parse.tokens[noun].pos == "PROPN" and number == "singular" and not joined
    return number is None or named or is_plural(parse, noun) == (number == "plural")


CHECKS: tuple[Check[Insertion], ...] = (
    Check("relative.judged", R.CLAUSAL_ANTECEDENT, _is_judged,
          "They sell ivory, which is illegal in most countries.",
          "They sell ivory, which is popular in most countries."),
    Check("relative.fact", R.CLAUSAL_ANTECEDENT, _is_done_by_fact,
          "The firm closed the old factory, which upset the mayor.",
          "The firm closed the old factory, which stood near the river."),
    Check("relative.no-person", R.WRONG_SCOPE,
          lambda parse, match: parse.lower[match.open + 1] in ("who", "whom")
          and not references.may_be_person(parse, match.antecedent),
          "A man came to the mill, who had lost his hat.", "The town thanked the miller, who gave bread to the poor."),
    Check("relative.no-thing", R.WRONG_SCOPE, _is_not_a_thing,
          "The road climbs for nine miles, which felt shorter than that.", "The road was a path, which felt shorter."),
    Check("relative.rival", R.AMBIGUOUS, _has_rival,
          "He drew the roof of a house, which stood in Leeds.", "He drew a house, which stood in Leeds."),
    Check("relative.goes-on", R.CLAUSE_CUT, insertion.goes_on,
          "The army joined the union, which included Malta, in 1950.",
          "The army joined the union, which included Malta."),
    Check("relative.number", R.WRONG_SCOPE,
          lambda parse, match: not _agrees(parse, match.antecedent, match.open + 1, match.head),
          "The road joins Upton and Norton, which has mills.", "The road joins Upton and Norton, which have mills."),
    Check("relative.cut-phrase", R.WRONG_SCOPE, insertion.is_cut,
          "Other methods, which are slower, are used in Japan.", "Two methods, which are slower, are used in Japan."),
)  # fmt: skip


def find(parse: Parse) -> Insertion | None:
    """Finds the clause in a sentence with exactly two commas, as in the released data. A clause missing from the parse
    is found too, with its pronoun as the head."""
    if len(parse.commas) != 2 or parse.commas[1] >= len(parse) - 2:
        return None
    opening, closing = parse.commas
    if opening == 0 or closing - opening < 3 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
        return None
    verb = _verb_above(parse, opening)
    if verb is None:
        return Insertion(opening, closing, opening + 1, opening - 1)
    return Insertion(opening, closing, verb, _antecedent(parse, opening, verb))


def find_all(parse: Parse) -> Iterator[Insertion]:
    """Finds every clause in the parse that a comma opens and a comma or the sentence's end closes."""
    for opening in parse.commas:
        if not 0 < opening < len(parse) - 4 or parse.lower[opening + 1] not in RELATIVE_PRONOUNS:
            continue
        verb = _verb_above(parse, opening)
        closing = insertion.closing_of(parse, verb) if verb is not None else None
        if verb is not None and closing is not None and closing - opening >= 3:
            yield Insertion(opening, closing, verb, _antecedent(parse, opening, verb))


def _verb_above(parse: Parse, opening: int) -> int | None:
    """Returns the verb of the clause around the pronoun after the comma, if the verb depends on an earlier word."""
    above = takewhile(lambda at: at > opening, parse.ancestors(opening + 1))
    clauses = (at for at in above if parse.tokens[at].dep == "relcl" and parse.tokens[at].head < opening)
    return next(clauses, None)


def _antecedent(parse: Parse, opening: int, verb: int) -> int:
    """Returns the noun that the clause depends on, or a higher noun in the same phrase if that one cannot be meant."""
    at = parse.tokens[verb].head
    while not _may_be_meant(parse, at, opening, verb):
        above = parse.tokens[at].head
        noun = parse.tokens[above].head
        if parse.tokens[at].dep != "pobj" or parse.tokens[above].dep != "prep" or parse.tokens[noun].pos not in NOUNS:
            break
        at = noun
    return at


def _may_be_meant(parse: Parse, noun: int, opening: int, verb: int) -> bool:
    """Whether the pronoun may refer to the noun: "who" to no place or date, and a verb must agree with its subject."""
    kind = parse.tokens[noun].entity[2:]
    group = kind in references.IMPERSONAL or (kind == "ORG" and parse.number(verb) == "singular")
    return not (group and parse.lower[opening + 1] in ("who", "whom")) and _agrees(parse, noun, opening + 1, verb)


def apply(parse: Parse, match: Insertion) -> Halves:
    """Cuts the clause out and replaces its relative pronoun with the antecedent."""
    # the clause's verb becomes the main verb of the new sentence
    clause = in_role(parse.words[match.open + 2 : match.close], match.head, "ROOT", match.head)
    antecedent = insertion.antecedent_of(parse, match)
    if antecedent and _is_particular(parse, match):
        antecedent = with_article(antecedent)
    second = _rebuilt(parse, match, clause, antecedent) if antecedent else None
    problem = first_reason(CHECKS, parse, match) if parse.tokens[match.head].dep == "relcl" else R.WRONG_SCOPE
    return Halves(
        first=insertion.without_insertion(parse, match),
        second=clause if second is None else second,
        boundary=match.open + 2,
        problem=problem or (R.WRONG_SCOPE if second is None else None),
    )


def _is_particular(parse: Parse, match: Insertion) -> bool:
    """Whether a clause reports an event about a bare plural: "the murders of women , who had come from Ulm"; a new
    sentence "women had come from Ulm" would be about any women.

    A subject may denote all members of its class: "Ants , which appeared late , are insects".
    """
    token, verbs = parse.tokens[match.antecedent], parse.auxiliaries(match.head)
    determined = parse.child(match.antecedent, "det", "poss", "nummod", "predet", "appos", "conj") is not None
    bare = token.tag == "NNS" and not token.entity and not determined
    happened = any(parse.tokens[k].tag == "VBD" or parse.lower[k] in ("have", "has") for k in verbs)
    return bare and (happened or parse.tokens[match.head].tag == "VBD") and token.dep in ("pobj", "dobj")


def _rebuilt(parse: Parse, match: Insertion, words: Words, antecedent: Words) -> Words | None:
    """Returns the clause with its antecedent instead of the relative pronoun; None if that fails."""
    verb, pronoun = match.head, match.open + 1
    # a second relative pronoun joined to the first would remain: "who he is and with whose son"
    others = (i for i in range(match.open + 4, match.close) if parse.tokens[i].tag in ("WP", "WP$", "WDT"))
    if words[0].text.startswith("'") or any("and" in parse.lower[i - 2 : i] for i in others):
        return None
    if parse.lower[pronoun] == "whose":
        return _possessive(parse, match, words, antecedent)
    if parse.tokens[pronoun].dep in ("dobj", "dative") or parse.lower[pronoun] == "whom":
        return _object(parse, match, words, antecedent, start=pronoun + 1)
    own = {verb, *parse.auxiliaries(verb)}  # in "which they say has ..." the pronoun belongs to a lower clause
    if parse.tokens[pronoun].head not in own or _has_other_subject(parse, verb, pronoun):
        return None
    return _with_subject(parse, verb, words, in_role(antecedent, match.antecedent, "nsubj", verb))


def _with_subject(parse: Parse, verb: int, words: Words, subject: Words) -> Words:
    """Returns the clause with the subject before its verb, or at the pronoun's position if no phrase opens the clause:
    "who at that time headed" becomes "at that time he headed"."""
    start = min(parse.start_of_group(verb), *parse.auxiliaries(verb), verb)  # "was in turn recast"
    fronted = tuple(w for w in words if w.position < start)
    if not any(w.pos in ("ADP", "SCONJ") or w.tag == "WRB" for w in fronted):
        return join(subject, words)
    return before_subject(fronted[fronted[0].text == "," :], subject, words[len(fronted) :])


def _possessive(parse: Parse, match: Insertion, words: Words, antecedent: Words) -> Words | None:
    """Returns the clause with "PHRASE 's" instead of "whose"."""
    noun = parse.tokens[match.open + 1].head
    behind = (w for w in antecedent if w.position > match.antecedent and not w.entity)
    if any(w.dep in ("prep", "relcl", "acl") for w in behind):
        return None  # not "the bill that became law 's"
    plural = is_plural(parse, match.antecedent) and antecedent[-1].text.endswith("s")
    mark = Word("'" if plural else "'s", True, "POS", "PART", "case", "'s")
    possessor = (*antecedent[:-1], antecedent[-1]._replace(space=False), mark)
    if parse.tokens[noun].dep in NOMINAL_SUBJECTS:
        told = parse.child(noun, "relcl")  # "whose rights he says have been taken"
        other = (told is not None and told < match.head) or _has_other_subject(parse, match.head, noun)
        return None if other else join(possessor, words)
    if parse.tokens[noun].dep != "dobj" or parse.child(match.head, "nsubjpass") is not None:
        return None  # "whose film Vertigo is considered": a name parsed as the subject
    end = parse.right_edge(noun) + 1
    return _object(parse, match, words, join(possessor, parse.words[match.open + 2 : end]), start=end)


def _has_other_subject(parse: Parse, verb: int, subject: int) -> bool:
    return any(parse.tokens[k].dep in NOMINAL_SUBJECTS and k != subject for k in parse.children(verb))


def _object(parse: Parse, match: Insertion, words: Words, phrase: Words, *, start: int) -> Words | None:
    """Returns the clause with the phrase as its object: "whom she married" becomes "she married PHRASE"."""
    governor = parse.tokens[match.open + 1].head  # the object's verb: "buy" in "which he wanted to buy"
    if parse.lower[match.open + 1] == "whose":
        governor = parse.tokens[governor].head
    if parse.tokens[governor].lemma == "be":
        return None  # "which he believes to be": not its object
    lower = parse.child(governor, "xcomp")
    if lower is not None and lower < match.close and parse.child(lower, "dobj", "attr", "acomp", "ccomp") is None:
        return None  # "which he sought to avoid": either verb may have the object
    if not start <= governor < match.close or parse.subject(match.head) is None:
        return None
    after = governor + 1
    while after < match.close and parse.tokens[after].dep == "prt":
        after += 1
    before = [w for w in words if start <= w.position < after]
    opening = phrase[0].position if opens_behind_marks(parse, phrase) else 0
    return join(before, lowered(phrase, opening=opening), [w for w in words if w.position >= after])
