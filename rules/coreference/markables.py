"""Markables, the mentions that coreference may link, and the syntax around them.

A Markable has the properties that the resolver needs; it becomes a ``Mention`` once it is resolved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import COUNTRIES
from gistmill.rules.documents import Mention, Token

# Roles and types of clauses. The fitted weights depend on these numbers.
ROLES = 16
SUBJECT, PASSIVE, OBJECT, DATIVE, POSSESSIVE, APPOSITION, PREDICATE, AGENT = range(8)
OF, WITH, TO, PLACE, PREPOSITION, ROOT, MODIFIER, OTHER = range(8, ROLES)
CLAUSES = 7
MAIN, RELATIVE, ADVERBIAL, PARTICIPLE, CONTENT, OPEN, OTHER_CLAUSE = range(CLAUSES)


def _by_word(numbers: dict[int, str]) -> dict[str, int]:
    return {word: number for number, words in numbers.items() for word in words.split()}


_ROLE_OF_LABEL = _by_word(
    {
        SUBJECT: "nsubj csubj",
        PASSIVE: "nsubjpass csubjpass",
        OBJECT: "dobj obj",
        DATIVE: "dative",
        POSSESSIVE: "poss",
        APPOSITION: "appos",
        PREDICATE: "attr oprd acomp",
        ROOT: "ROOT",
        MODIFIER: "compound nmod npadvmod amod",
    }
)
_ROLE_OF_PREPOSITION = _by_word({AGENT: "by", OF: "of", WITH: "with", TO: "to for", PLACE: "in at on from into"})
_CLAUSE_OF_LABEL = _by_word(
    {MAIN: "ROOT", RELATIVE: "relcl", ADVERBIAL: "advcl", PARTICIPLE: "acl pcomp", CONTENT: "ccomp", OPEN: "xcomp"}
)
SUBJECTS = frozenset({SUBJECT, PASSIVE})
OBJECTS = frozenset({OBJECT, DATIVE})
_QUOTES = frozenset({'"', "“", "”", "``", "''"})

_FINITE = frozenset({"VBD", "VBZ", "VBP", "MD"})
_SUBJECT_CONTROL = frozenset({"promise", "vow", "threaten", "serve", "use"})  # "she promised him to come"
_DEEPEST = 8  # verbs to climb for a shared subject


class Syntax:
    """A sentence's tokens with its clauses and quotations, found once.

    Attributes:
        tokens: the sentence.
        clauses: for each token, the index of the verb that heads its clause.
        quoted: for each token, whether it is between quotation marks; None for a sentence without any.
    """

    __slots__ = ("clauses", "quoted", "tokens")

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens
        self.clauses = _clauses(tokens)
        self.quoted = _quoted(tokens)

    def base(self, index: int) -> int:
        """Returns the first conjunct of the coordination that a token is in (itself outside one)."""
        token = self.tokens[index]
        while token.dep == "conj" and token.head < index:
            index = token.head
            token = self.tokens[index]
        return index

    def role(self, index: int) -> int:
        """Returns the role of a token; a conjunct has the role of the whole coordination."""
        token = self.tokens[self.base(index)]
        if token.dep == "pobj":
            return _ROLE_OF_PREPOSITION.get(self.tokens[token.head].text.lower(), PREPOSITION)
        return _ROLE_OF_LABEL.get(token.dep, OTHER)

    def clause_type(self, index: int) -> int:
        """Returns the type of the clause whose head is ``index``; a conjoined verb has the type of the first one."""
        return _CLAUSE_OF_LABEL.get(self.tokens[self.base(index)].dep, OTHER_CLAUSE)

    def parent_clause(self, clause: int) -> int:
        """Returns the head of the clause above; the clause itself at the top."""
        head = self.tokens[clause].head
        return clause if head == clause else self.clauses[head]

    def subject(self, clause: int) -> int | None:
        """Returns the subject of a clause's head, or the understood one, or None: a verb without a subject shares that
        of the verb that it is conjoined to or depends on ("she wants to sing"), unless that one's object is meant ("she
        told him to sing"); a relative pronoun stands for what it modifies, as does a participle's noun."""
        tokens = self.tokens
        for _ in range(_DEEPEST):
            verb = tokens[clause]
            own = self._own(clause, ("nsubj", "nsubjpass"), 0, clause)
            if own is not None:
                return verb.head if tokens[own].tag in ("WP", "WDT") and verb.dep == "relcl" else own
            if verb.head == clause:
                return None
            if verb.dep == "acl":
                return verb.head if verb.tag in ("VBG", "VBN") else None
            if verb.dep not in ("conj", "xcomp", "advcl", "pcomp") or (verb.dep == "advcl" and verb.tag in _FINITE):
                return None
            above = self.clauses[verb.head]
            if verb.dep != "conj" and tokens[above].lemma not in _SUBJECT_CONTROL:
                controller = self._own(above, ("dobj", "dative"), above + 1, clause)
                if controller is not None:
                    return controller if verb.dep == "xcomp" else None
            clause = above
        return None

    def _own(self, clause: int, labels: tuple[str, ...], start: int, stop: int) -> int | None:
        """Returns the first dependent of a verb with one of the labels in a part of the sentence, or None."""
        for index in range(start, stop):
            token = self.tokens[index]
            if token.head == clause and token.dep in labels:
                return index
        return None


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """For each token, the nearest verb at or above it (auxiliaries belong to their verb), else the root."""
    found = [-1] * len(tokens)
    for index, (_, _, _, pos, dep, head, _, _) in enumerate(tokens):
        if head == index or ((pos == "VERB" or pos == "AUX") and dep not in ("aux", "auxpass", "amod")):
            found[index] = index
    for index in range(len(tokens)):
        at, path = index, []
        while found[at] < 0:
            path.append(at)
            at = tokens[at].head
            if len(path) > len(tokens):  # a cycle: not a tree, but input is input
                found[at] = at
        for step in path:
            found[step] = found[at]
    return found


def _quoted(tokens: Sequence[Token]) -> list[bool] | None:
    """For each token, whether it is between quotation marks; None for a sentence without any."""
    if _QUOTES.isdisjoint([t[0] for t in tokens]):
        return None
    inside, marks = False, []
    for token in tokens:
        mark = token.text in _QUOTES
        inside = inside != mark
        marks.append(inside and not mark)
    return marks


NAME, NOMINAL, PRONOUN, GROUP = "name", "nominal", "pronoun", "group"
# Recognisers take one of this many names of a place for something else; the second is for places that are first names.
_MOST_ODD, _MOST_ODD_WITH_GENDER = 4, 10
_PLACES = frozenset(("GPE", "LOC", "FAC"))


class Markable:
    """A mention that coreference may link, with the properties that the resolver needs.

    Attributes:
        sentence, start, end, head: as in records.Mention.
        place, begin: index of the head and of the first token in the document.
        kind: NAME, NOMINAL, PRONOUN or GROUP (a coordination of names or persons: "Ann and Bob").
        entity: OntoNotes type of a name, "" where the entity recogniser saw none.
        gender: MALE, FEMALE, NEUTER (pronouns only), PLURAL (pronouns only) or "".
        person: whether it names a person, as far as its own words show.
        plural: whether it is grammatically plural.
        titled: whether its gender comes from a title or noun, which a first name ("Gordon") cannot outweigh.
        words: the words of a name in lower case, without titles and articles; the head's lemma of a nominal.
        role, clause: grammatical role, index in its sentence of the verb of its clause.
        order: index among the markables of the document, -1 until they are numbered.
        cluster: the cluster of a name, nominal or group; unset until it joins one. A pronoun never has one.
    """

    __slots__ = tuple(
        "sentence start end head place begin kind entity gender person plural words role clause cluster order "
        "titled".split()
    )
    cluster: Cluster

    def __init__(
        self, sentence: int, start: int, end: int, head: int, *, offset: int, kind: str, syntax: Syntax
    ) -> None:
        self.sentence, self.start, self.end, self.head = sentence, start, end, head
        self.place, self.begin, self.kind = offset + head, offset + start, kind
        self.entity = self.gender = ""
        self.person = self.plural = self.titled = False
        self.words: tuple[str, ...] = ()
        self.role, self.clause = syntax.role(head), syntax.clauses[head]
        self.order = -1

    def mention(self, confidence: float) -> Mention:
        """Returns the record of this mention."""
        kind = NOMINAL if self.kind == GROUP else self.kind
        return Mention(self.sentence, self.start, self.end, self.head, kind, confidence)


class Cluster:
    """An entity of the document: its mentions in text order, the gender and type that they give it.

    Attributes:
        number: position among the clusters, by first mention.
        mentions: names and nominals, in text order.
        gender, person, plural: as far as the mentions show.
        sure: whether a title or noun shows the gender.
        leaning: the gender that the ending of its first name suggests, where nothing better is known.
        longest: the words of the longest name.
        titled: whether the document's title names it.
        country: whether its usual name is a country's.
        links: confidence of each mention's link, by the mention's order.
    """

    __slots__ = tuple(
        "number mentions places gender person plural longest titled entity links sure leaning country".split()
    )

    def __init__(self, number: int, first: Markable) -> None:
        self.number = number
        self.mentions = [first]
        self.places = [first.place]
        self.gender, self.person, self.plural, self.entity = first.gender, first.person, first.plural, first.entity
        self.longest = first.words
        self.sure = first.titled
        self.leaning = lexicon.leaning_of_first_name(first.words[0]) if first.kind == NAME and not first.gender else ""
        self.titled = self.country = False
        self.links: dict[int, float] = {}
        first.cluster = self

    def add(self, mention: Markable, confidence: float) -> None:
        """Adds a later mention."""
        self.mentions.append(mention)
        self.places.append(mention.place)
        self.links[mention.order] = confidence
        self.learn(mention)
        self.entity = self.entity or mention.entity
        if mention.kind == NAME and len(mention.words) > len(self.longest):
            self.longest = mention.words
            self.leaning = lexicon.leaning_of_first_name(mention.words[0])
        mention.cluster = self

    def learn(self, mention: Markable) -> None:
        """Takes gender and personhood from a mention, or from a noun that is said of it; not from the role of a member
        or producer, which countries and organisations have too."""
        shared = mention.kind == NOMINAL and mention.words[0] in lexicon.SHARED_ROLES
        if (mention.kind == NOMINAL and self.country) or (shared and self.is_place(_MOST_ODD)):
            return
        if not self.gender or (mention.titled and not self.sure):
            self.gender, self.sure = mention.gender or self.gender, mention.titled
        self.person = self.person or mention.person

    def weigh_names(self) -> None:
        """Takes back, once its names are in, that a country or a place is a person because one of them was taken for a
        person's. A first name ("Toronto", "Alberta") needs more that were not."""
        usual, _ = Counter(m.words for m in self.mentions).most_common(1)[0]
        self.country = usual in COUNTRIES and 2 * sum(m.entity == "PERSON" for m in self.mentions) < len(self.mentions)
        odd = _MOST_ODD_WITH_GENDER if self.gender else _MOST_ODD
        if self.country or (self.person and self.is_place(odd)):
            self.person, self.gender, self.sure = False, "", False

    def is_place(self, odd: int) -> bool:
        """Whether its names, more than ``odd`` of them, were taken for a place's, except one of ``odd``."""
        others = sum(m.kind == NAME and m.entity not in _PLACES for m in self.mentions)
        return sum(m.entity in _PLACES for m in self.mentions) > odd * max(1, others)

    def settle(self) -> None:
        """Puts the mentions in text order, once all are in."""
        if len(self.mentions) > 1:
            self.mentions.sort(key=lambda m: m.order)
            self.places = [m.place for m in self.mentions]


_DEFINITE = {"the": "the", "this": "this", "that": "that", "these": "this", "those": "that"}
_INDEFINITE = frozenset({"a", "an", "one"})
_QUANTIFIERS = frozenset("another each every no any some either neither many few several all both such".split())
_NOT_MODIFIERS = frozenset({"det", "punct", "poss", "case"})


def determiner(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns the class of the first word of a noun phrase: "the", "this", "that", "a", "possessive", "quantifier",
    "bare"; "name" for a name."""
    if mention.kind == NAME:
        return "name"
    if any(token.dep == "poss" for token in tokens[mention.start : mention.head]):
        return "possessive"
    word = tokens[mention.start].text.lower()
    if word in _INDEFINITE:
        return "a"
    return _DEFINITE.get(word) or ("quantifier" if word in _QUANTIFIERS else "bare")


def is_definite(mention: Markable, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase begins with "the" or a demonstrative, and has a noun of its own."""
    return (
        mention.end - mention.start > 1
        and tokens[mention.start].text.lower() in _DEFINITE
        and determiner(mention, tokens) != "possessive"
    )


def modifiers(mention: Markable, tokens: Sequence[Token]) -> frozenset[str]:
    """Returns the lower-case words between determiner and head."""
    return frozenset([t.text.lower() for t in tokens[mention.start : mention.head] if t.dep not in _NOT_MODIFIERS])


def complement(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns the kind of the part after the head: "of", "preposition", "clause", "name" (or a number), or ""."""
    end, head = mention.end, mention.head
    if end < len(tokens) and tokens[end].pos in ("PROPN", "NUM"):
        return "name"
    for token in tokens[end : end + 4]:
        if token.head == head:
            if token.dep == "prep":
                return "of" if token.text.lower() == "of" else "preposition"
            if token.dep in ("relcl", "acl", "ccomp"):
                return "clause"
            if token.dep in ("appos", "nummod"):
                return "name"
    return ""
