"""Markables, the mentions that coreference may link, and the clusters that they form.

A Markable holds the properties that the resolver needs; it becomes a ``records.Mention`` once it is resolved. The two
classes refer to each other and therefore share this file.
"""

from __future__ import annotations

from collections import Counter

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.kinds import COUNTRIES
from gistmill.rules.coreference.syntax import Syntax
from gistmill.rules.documents import Mention

NAME, NOMINAL, PRONOUN, GROUP = "name", "nominal", "pronoun", "group"
# Recognisers take one of so many names of a place for something else; the second is for places that are first names.
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
        person: whether it names a person, as far as its own words tell.
        plural: whether it is grammatically plural.
        titled: whether its gender comes from a title or noun, which a first name ("Gordon") cannot outweigh.
        words: the words of a name in lower case, without titles and articles; the head's lemma of a nominal.
        role, clause: grammatical role, index in its sentence of the verb of its clause.
        order: index among the markables of the document, -1 until they are numbered.
        cluster: the cluster of a name, nominal or group; unset until it joins one. A pronoun never has one.
    """

    __slots__ = (
        "sentence",
        "start",
        "end",
        "head",
        "place",
        "begin",
        "kind",
        "entity",
        "gender",
        "person",
        "plural",
        "words",
        "role",
        "clause",
        "cluster",
        "order",
        "titled",
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
        gender, person, plural: as far as the mentions tell.
        sure: whether the gender comes from a title or noun.
        leaning: the gender that the ending of its first name suggests, where nothing better is known.
        longest: the words of the longest name.
        titled: whether the document's title names it.
        country: whether its usual name is a country's.
        links: confidence of each mention's link, by the mention's order.
    """

    __slots__ = (
        "number",
        "mentions",
        "places",
        "gender",
        "person",
        "plural",
        "longest",
        "titled",
        "entity",
        "links",
        "sure",
        "leaning",
        "country",
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
        or producer, which countries and organisations have too.
        """
        if mention.kind == NOMINAL and (
            self.country or mention.words[0] in lexicon.SHARED_ROLES and self.is_place(_MOST_ODD)
        ):
            return
        if not self.gender or mention.titled and not self.sure:
            self.gender, self.sure = mention.gender or self.gender, mention.titled
        self.person = self.person or mention.person

    def weigh_names(self) -> None:
        """Takes back, once its names are in, that a country or a place is a person because one of them was taken for a
        person's. A first name ("Toronto", "Alberta") needs more that were not.
        """
        usual, _ = Counter(m.words for m in self.mentions).most_common(1)[0]
        self.country = usual in COUNTRIES and 2 * sum(m.entity == "PERSON" for m in self.mentions) < len(self.mentions)
        odd = _MOST_ODD_WITH_GENDER if self.gender else _MOST_ODD
        if self.country or self.person and self.is_place(odd):
            self.person, self.gender, self.sure = False, "", False

    def is_place(self, odd: int) -> bool:
        """Whether its names, more than ``odd`` of them, were taken for a place's, but for one of ``odd``."""
        others = sum(m.kind == NAME and m.entity not in _PLACES for m in self.mentions)
        return sum(m.entity in _PLACES for m in self.mentions) > odd * max(1, others)

    def settle(self) -> None:
        """Puts the mentions in text order, once all are in."""
        self.mentions.sort(key=lambda m: m.order)
        self.places = [m.place for m in self.mentions]
