"""Markables (mentions that coreference may link) and the syntax around them.

A Markable has the properties needed by the resolver; once resolved, it becomes a ``Mention``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import COUNTRIES
from gistmill.rules.documents import Mention, Token

# Roles and clause types. The fitted weights depend on these numbers.
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
_DEEPEST = 8  # verbs to climb in search of a shared subject


class Syntax:
    """A sentence's tokens with its clauses and quotations, computed once.

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
        """Returns the first conjunct of a token's coordination, or the token itself if there is none."""
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
        """Returns the type of the clause headed by ``index``; a conjoined verb has the type of the first conjunct."""
        return _CLAUSE_OF_LABEL.get(self.tokens[self.base(index)].dep, OTHER_CLAUSE)

    def parent_clause(self, clause: int) -> int:
        """Returns the head of the clause above, or the clause itself at the top."""
        head = self.tokens[clause].head
        return clause if head == clause else self.clauses[head]

    def subject(self, clause: int) -> int | None:
        """Returns the explicit or understood subject of a clause, or None. A verb without a subject shares that of the
        verb it is conjoined with or depends on ("she wants to sing"), unless that verb's object is meant ("she told him
        to sing"). For a relative pronoun or a participle, the subject is the noun modified."""
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
        """Returns a verb's first dependent in [start, stop) with one of the labels, or None."""
        for index in range(start, stop):
            token = self.tokens[index]
            if token.head == clause and token.dep in labels:
                return index
        return None


def _clauses(tokens: Sequence[Token]) -> list[int]:
    """Returns each token's nearest verb, at or above it (auxiliaries belong to their verb), or else the root."""
    found = [-1] * len(tokens)
    for index, (_, _, _, pos, dep, head, _, _) in enumerate(tokens):
        if head == index or ((pos == "VERB" or pos == "AUX") and dep not in ("aux", "auxpass", "amod")):
            found[index] = index
    for index in range(len(tokens)):
        at, path = index, []
        while found[at] < 0:
            path.append(at)
            at = tokens[at].head
            if len(path) > len(tokens):  # a cycle in malformed input
                found[at] = at
        for step in path:
            found[step] = found[at]
    return found


def _quoted(tokens: Sequence[Token]) -> list[bool] | None:
    """Returns, for each token, whether it is between quotation marks; None for a sentence without any."""
    if _QUOTES.isdisjoint([t[0] for t in tokens]):
        return None
    inside, marks = False, []
    for token in tokens:
        mark = token.text in _QUOTES
        inside = inside != mark
        marks.append(inside and not mark)
    return marks


NAME, NOMINAL, PRONOUN, GROUP = "name", "nominal", "pronoun", "group"
# Recognisers mislabel one in this many place names; the second number is for places that are also first names.
_MOST_ODD, _MOST_ODD_WITH_GENDER = 4, 10
_PLACES = frozenset(("GPE", "LOC", "FAC"))


class Markable:
    """A mention that coreference may link, with the properties needed by the resolver.

    Attributes:
        sentence, start, end, head: as in records.Mention.
        place, begin: index of the head and of the first token in the document.
        kind: NAME, NOMINAL, PRONOUN or GROUP (a coordination of names or persons: "Ann and Bob").
        entity: OntoNotes type of a name, "" if the entity recogniser found none.
        gender: MALE, FEMALE, NEUTER (pronouns only), PLURAL (pronouns only) or "".
        person: whether it names a person, judging by its own words.
        plural: whether it is grammatically plural.
        titled: whether its gender comes from a title or noun, which a first name ("Gordon") cannot override.
        words: the lower-case words of a name, without titles and articles, or the lemma of a nominal's head.
        role, clause: its grammatical role, and the index in its sentence of its clause's verb.
        order: index among the document's markables, -1 until they are numbered.
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
        """Returns the Mention for this markable."""
        kind = NOMINAL if self.kind == GROUP else self.kind
        return Mention(self.sentence, self.start, self.end, self.head, kind, confidence)


class Cluster:
    """An entity in the document: its mentions in text order, with the gender and type derived from them.

    Attributes:
        number: position among the clusters, by first mention.
        mentions: names and nominals, in text order.
        gender, person, plural: as far as the mentions show.
        sure: whether the gender comes from a title or noun.
        leaning: the gender suggested by the ending of its first name, if nothing more certain is known.
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
        """Derives gender and personhood from a mention or predicate noun, except for roles such as member or producer,
        which countries and organisations have too."""
        shared = mention.kind == NOMINAL and mention.words[0] in lexicon.SHARED_ROLES
        if (mention.kind == NOMINAL and self.country) or (shared and self.is_place(_MOST_ODD)):
            return
        if not self.gender or (mention.titled and not self.sure):
            self.gender, self.sure = mention.gender or self.gender, mention.titled
        self.person = self.person or mention.person

    def weigh_names(self) -> None:
        """Once all names are added, undoes the personhood of countries and places with a few names mislabelled as
        persons. For a first name ("Toronto", "Alberta"), more correct labels are required."""
        usual, _ = Counter(m.words for m in self.mentions).most_common(1)[0]
        self.country = usual in COUNTRIES and 2 * sum(m.entity == "PERSON" for m in self.mentions) < len(self.mentions)
        odd = _MOST_ODD_WITH_GENDER if self.gender else _MOST_ODD
        if self.country or (self.person and self.is_place(odd)):
            self.person, self.gender, self.sure = False, "", False

    def is_place(self, odd: int) -> bool:
        """Whether names labelled as places outnumber its other names by more than ``odd`` to one."""
        others = sum(m.kind == NAME and m.entity not in _PLACES for m in self.mentions)
        return sum(m.entity in _PLACES for m in self.mentions) > odd * max(1, others)

    def settle(self) -> None:
        """Puts the mentions in text order after all have been added."""
        if len(self.mentions) > 1:
            self.mentions.sort(key=lambda m: m.order)
            self.places = [m.place for m in self.mentions]


_DEFINITE = {"the": "the", "this": "this", "that": "that", "these": "this", "those": "that"}
_INDEFINITE = frozenset({"a", "an", "one"})
_QUANTIFIERS = frozenset("another each every no any some either neither many few several all both such".split())
_NOT_MODIFIERS = frozenset({"det", "punct", "poss", "case"})


def determiner(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns the class of the first word: "the", "this", "that", "a", "possessive", "quantifier", "bare" or "name"."""
    if mention.kind == NAME:
        return "name"
    if any(token.dep == "poss" for token in tokens[mention.start : mention.head]):
        return "possessive"
    word = tokens[mention.start].text.lower()
    if word in _INDEFINITE:
        return "a"
    return _DEFINITE.get(word) or ("quantifier" if word in _QUANTIFIERS else "bare")


def is_definite(mention: Markable, tokens: Sequence[Token]) -> bool:
    """Whether a noun phrase begins with "the" or a demonstrative, followed by its noun."""
    return (
        mention.end - mention.start > 1
        and tokens[mention.start].text.lower() in _DEFINITE
        and determiner(mention, tokens) != "possessive"
    )


def modifiers(mention: Markable, tokens: Sequence[Token]) -> frozenset[str]:
    """Returns the lower-case words between determiner and head."""
    return frozenset([t.text.lower() for t in tokens[mention.start : mention.head] if t.dep not in _NOT_MODIFIERS])


def complement(mention: Markable, tokens: Sequence[Token]) -> str:
    """Returns the kind of the complement after the head: "of", "preposition", "clause", "name" (or a number), or ""."""
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
