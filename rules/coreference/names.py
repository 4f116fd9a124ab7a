"""Clusters of names: "Ann Marie Lee", "Lee", "Ann" and "Ms. Lee" name one person unless another Lee is nearer.

Parsers and entity recognisers take the part after the comma for a name of its own, often for the subject. Here it
becomes a part of one name, whose head is that of the part before the comma. Lists ("Paris, France and Rome") and
names that are only next to each other ("In Athens, Georgia won") stay unchanged.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gistmill.rules.coreference import lexicon
from gistmill.rules.coreference.lexicon import COUNTRIES, FIRST_NAMES, STATES
from gistmill.rules.coreference.markables import NAME, Cluster, Markable
from gistmill.rules.documents import Token
from gistmill.rules.languages.language import english_words

# Precision of each kind of link on GUM.
SAME_WORDS, PART_OF_NAME = 0.93, 0.85
_PLACES = frozenset({"GPE", "LOC", "FAC"})
_UNSURE = frozenset({"", "ORG", "PRODUCT"})
_JOINERS = frozenset({"and", "of", "the", "in", "at", "for", "on", "&"})
_ANOTHER = 9  # the rank of a name that a title does not fit


class NameBook:
    """Finds the cluster that a name belongs to; time does not grow with the number of clusters.

    Args:
        title: the document's title. Where it looks like a person's name, its first and its last word alone mean
            one person.
    """

    def __init__(self, title: str = "") -> None:
        words = title_words(title)
        self._title = words if 2 <= len(words) <= 4 and not _JOINERS.intersection(words) else ()
        self._subject: Cluster | None = None
        self._by_words: dict[tuple[str, ...], Cluster] = {}
        self._by_edge: dict[str, list[Cluster]] = {}

    def find(self, name: Markable) -> tuple[Cluster, float] | None:
        """Returns the latest cluster that fits and the probability that it is right, or None."""
        words = name.words
        same = self._by_words.get(words)
        if same is not None and _agree(same, name):
            return same, SAME_WORDS
        gender = name.gender or None
        best = max(self._rivals(name), key=lambda c: (c.gender == gender, c.mentions[-1].place), default=None)
        subject = self._subject
        if best is None and subject is not None and self._is_subject(name) and (name.person or subject.person):
            best = subject if _agree(subject, name) else None
        return None if best is None else (best, PART_OF_NAME)

    def _rivals(self, name: Markable) -> Iterator[Cluster]:
        """Yields the clusters of persons whose name this may be a part of, or the other way round."""
        words = name.words
        known = self._by_edge.get(words[-1], [])
        if len(words) > 1:
            known = known + self._by_edge.get(words[0], [])
        for cluster in reversed(known[-8:]):
            family = len(cluster.longest) > 1 and name.words == cluster.longest[-1:] and not name.titled
            person = name.person or cluster.person or (family and _may_be_person(cluster, name))
            if person and (family or _agree(cluster, name)) and _matches(words, cluster.longest):
                yield cluster

    def _is_subject(self, name: Markable) -> bool:
        words, title = name.words, self._title
        alone = bool(title) and len(words) == 1 and name.entity not in _PLACES
        return bool(title) and (words == title or (alone and words[0] in (title[0], title[-1])))

    def enter(self, name: Markable, cluster: Cluster) -> None:
        """Makes a name known by its words, its first and its last word."""
        words = name.words
        if self._subject is None and self._is_subject(name):
            self._subject = cluster
        self._by_words[words] = cluster
        for edge in {words[0], words[-1]}:
            known = self._by_edge.setdefault(edge, [])
            if cluster not in known[-8:]:
                known.append(cluster)


def _may_be_person(cluster: Cluster, name: Markable) -> bool:
    """Whether the recogniser leaves it open that a name of two or three words and its last word are a person's."""
    return (
        {cluster.entity, name.entity} <= _UNSURE
        and len(cluster.longest) < 4
        and all(w[0].isalpha() for w in cluster.longest)
        and not _JOINERS.intersection(cluster.longest)
    )


def _agree(cluster: Cluster, name: Markable) -> bool:
    if cluster.gender and name.gender and cluster.gender != name.gender:
        return False
    person = name.entity == "PERSON"
    return not ((person and cluster.entity in _PLACES) or (cluster.entity == "PERSON" and name.entity in _PLACES))


def _matches(words: tuple[str, ...], longest: tuple[str, ...]) -> bool:
    """Whether two names can be one person's: one is the first or last word of the other, or both ends are equal."""
    if len(words) == 1:
        return words[0] in (longest[0], longest[-1])
    if len(longest) == 1:
        return longest[0] in (words[0], words[-1])
    return words[0] == longest[0] and words[-1] == longest[-1]


def title_words(title: str) -> tuple[str, ...]:
    """Returns the words of a page title in lower case, up to a bracket or comma."""
    return tuple(title.replace("_", " ").partition("(")[0].partition(",")[0].lower().split())


def mark_title(clusters: Iterable[Cluster], title: str) -> Cluster | None:
    """Marks and returns the cluster that the title names: equal names, or one the beginning or end of the other."""
    words = title_words(title)
    if not words:
        return None
    named = (c for c in clusters if c.mentions[0].kind == NAME)
    best = min(named, key=lambda c: _title_rank(c.longest, words), default=None)
    if best is None or _title_rank(best.longest, words) == _ANOTHER:
        return None
    best.titled = True
    if not best.gender and len(words) > 1 and best.entity not in _PLACES:
        first = words[0].capitalize()
        best.gender, best.leaning = lexicon.gender_of_first_name(first), lexicon.leaning_of_first_name(first)
    return best


def _title_rank(name: tuple[str, ...], title: tuple[str, ...]) -> int:
    """How well a title fits a name: 0 for equal words, 3 for the weakest fit, else ``_ANOTHER``."""
    if name == title:
        return 0
    if len(name) == 1:
        return 2 if name[0] == title[-1] else 3 if name[0] == title[0] else _ANOTHER
    if len(title) == 1:
        return 3 if name[-1] == title[0] else _ANOTHER
    return 1 if (name[0], name[-1]) == (title[0], title[-1]) else _ANOTHER


_COUNTRIES = frozenset(map(" ".join, COUNTRIES)).union(
    "england,scotland,wales,northern ireland,britain,uk,u.k.,us,u.s.,usa,u.s.a.,georgia,jordan,congo,uae".split(",")
)
_REGIONS = english_words("news_words", "regions").union(
    _COUNTRIES,
    map(" ".join, STATES),
    "british columbia,manitoba,saskatchewan,nova scotia,new brunswick,newfoundland,prince edward island,yukon,"
    "south australia,western australia,nsw,catalonia,andalusia,normandy,brittany,tuscany,sicily,bc,d.c".split(","),
)
# Cities that are called like a region, and the regions after them.
_CITIES = {"washington": ("d.c.", "dc", "d.c"), "new york": ("new york", "ny", "n.y."), "quebec": ("quebec",)}
_DISTRICTS = frozenset(("county", "parish", "province", "prefecture", "oblast", "canton"))
_GENERATIONS = frozenset("jr jr. sr sr. esq esq. ph.d. ph.d phd".split())
# After a name that the recogniser takes for a person's; elsewhere they are numbers or states.
_OF_PERSON = frozenset("ii iii iv m.d. m.d md d.d. ll.d. d.d.s. dds j.d. m.a. mba r.n. obe mbe cbe kbe qc frs".split())
_COMPANIES = frozenset("inc inc. ltd ltd. llc l.l.c. corp corp. lp l.p. llp plc gmbh s.a. ag n.v. b.v. pty.".split())
_ENDINGS = _GENERATIONS | _OF_PERSON | _COMPANIES
_OWN_ROLES = frozenset(("nsubj", "nsubjpass", "dobj", "pobj", "attr", "poss", "conj", "appos", "dative", "oprd"))
_LONGEST = 3  # words of a region


def whole_names(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Returns the tokens of a sentence with each name that has a comma inside as one entity below one head; the same
    object where there is none."""
    commas = [i for i, t in enumerate(tokens) if t[0] == ","]
    for comma in commas[:-1] if commas and commas[-1] == len(tokens) - 1 else commas:
        found = _name_around(tokens, comma)
        if found is not None:
            tokens = _joined(tokens, comma, *found)
    return tokens


def without_ending(words: Sequence[str]) -> list[str]:
    """Returns the words of a name, in lower case, without the part after its comma: "sam davis , jr." is "sam
    davis"."""
    words = list(words)
    for k in range(1, len(words) - 1):
        if words[k] == "," and (words[k + 1] in _ENDINGS or _region_end(words, k + 1) > k + 1):
            return words[:k]
    return words


def _name_around(tokens: Sequence[Token], comma: int) -> tuple[int, int, str] | None:
    """Where the name around a comma begins and ends, and the type of the entity; None where there is none."""
    if comma == 0 or (tokens[comma - 1].pos != "PROPN" and not tokens[comma - 1].entity):
        return None
    start = _start(tokens, comma)
    kind, behind = tokens[start].entity[2:], tokens[comma + 1].text
    if (not behind[0].isupper() and not behind.islower()) or not tokens[start].text[0].isalpha():
        return None
    word = behind.lower()
    if word in _COMPANIES:
        return start, comma + 2, "ORG"
    if word in _GENERATIONS or (word in _OF_PERSON and kind == "PERSON"):
        return start, comma + 2, "PERSON"
    end = _place_end(tokens, start, comma)
    return (start, end, kind if kind in _PLACES else "GPE") if end else None


def _start(tokens: Sequence[Token], end: int) -> int:
    """Where the entity or the run of proper nouns begins that ends at ``end``."""
    start = end - 1
    if tokens[start].entity:
        while start and tokens[start].entity.startswith("I-"):
            start -= 1
        return start
    while start and tokens[start - 1].pos == "PROPN" and not tokens[start - 1].entity:
        start -= 1
    return start


def _place_end(tokens: Sequence[Token], start: int, comma: int) -> int:
    """Where the region after a place ends; 0 where the two are not such a pair."""
    lower = [t.text.lower() for t in tokens[: comma + 3 + 2 * _LONGEST]]
    end = _region_end(lower, comma + 1)
    if end == comma + 1 or tokens[comma + 1].pos != "PROPN" or not _may_be_place(tokens, start, comma):
        return 0
    first = next((k + 1 for k in range(comma - 1, start, -1) if lower[k] == ","), start)
    before, region = " ".join(lower[first:comma]), " ".join(lower[comma + 1 : end])
    # Whether a region may have another one, or a city that is called like one, inside: "Oregon, USA".
    inside = (region in _COUNTRIES and before not in _COUNTRIES) or region in _CITIES.get(before, ())
    if before in _REGIONS and not inside:
        return 0
    if any(t.pos in ("PROPN", "NOUN") or t.tag == "POS" for t in tokens[end : end + 1]):
        return 0
    # Whether the region is the subject after a phrase that opens its clause: "In Athens, Georgia won".
    place = next((k for k in range(start, comma) if tokens[k].dep == "pobj"), None)
    subject = next((t for t in tokens[comma + 1 : end] if t.dep in ("nsubj", "nsubjpass")), None)
    if place is not None and subject is not None and subject.head in _ancestors(tokens, place):
        return 0
    return 0 if _is_list(tokens, lower, end) else end


def _region_end(lower: Sequence[str], start: int) -> int:
    """Where the region ends that begins at ``start``; ``start`` where none does."""
    for end in range(min(start + _LONGEST, len(lower)), start, -1):
        if " ".join(lower[start:end]) in _REGIONS or (end > start + 1 and lower[end - 1] in _DISTRICTS):
            return end
    return start


def _may_be_place(tokens: Sequence[Token], start: int, comma: int) -> bool:
    """Whether the name before the comma may be a town: recognisers take many for persons or organisations."""
    kind, region = tokens[start].entity[2:], tokens[comma + 1]
    if kind in _PLACES:
        return True
    person = region.text in FIRST_NAMES and (tokens[start].text in FIRST_NAMES or not region.entity.endswith("GPE"))
    return kind in ("", "PERSON", "ORG") and comma - start == 1 and not person


def _is_list(tokens: Sequence[Token], lower: Sequence[str], end: int) -> bool:
    """Whether both are in a list that continues: "Paris, France and Rome", but not "Paris, France and Rome, Italy"."""
    k = end + (lower[end : end + 1] == [","])
    joined = lower[k : k + 1] in (["and"], ["or"], ["&"])
    k += joined
    if k == end or k >= len(tokens) or tokens[k].pos != "PROPN":
        return False
    if not joined and tokens[k].entity[2:] not in _PLACES:
        return False
    while k < len(lower) and tokens[k].pos == "PROPN":
        k += 1
    region = _region_end(lower, end + 1) > end + 1 and not joined  # "Athens, Georgia, USA"
    return not region and not (lower[k : k + 1] == [","] and _region_end(lower, k + 1) > k + 1)


def _joined(tokens: tuple[Token, ...], comma: int, start: int, end: int, kind: str) -> tuple[Token, ...]:
    """The tokens with [start, end) as one entity, whose head is that of the words before the comma."""
    inside = range(comma + 1, end)
    head, other = _head(tokens, start, comma), _head(tokens, comma + 1, end)
    made = list(tokens)
    above, own = _ancestors(tokens, head), tokens[head]
    if other in above or (head not in _ancestors(tokens, other) and own.dep not in _OWN_ROLES):
        top = tokens[other]
        made[head] = own._replace(dep=top.dep, head=head if top.head == other else top.head)
    for k, token in enumerate(tokens):
        if comma <= k < end:
            made[k] = token._replace(dep=token.dep if k == comma else "nmod", head=head)
        elif k != head and token.head in inside:
            made[k] = made[k]._replace(head=head)
    for k in range(start, end):
        made[k] = made[k]._replace(entity=f"{'I' if k > start else 'B'}-{kind}")
    if end < len(made) and made[end].entity.startswith("I-"):
        made[end] = made[end]._replace(entity=f"B-{made[end].entity[2:]}")
    return tuple(made)


def _head(tokens: Sequence[Token], start: int, end: int) -> int:
    """The first token of [start, end) whose head is outside; the last where there is none."""
    inside = range(start, end)
    return next((k for k in inside if tokens[k].head not in inside or tokens[k].head == k), end - 1)


def _ancestors(tokens: Sequence[Token], k: int) -> list[int]:
    found: list[int] = []
    while tokens[k].head != k:
        k = tokens[k].head
        found.append(k)
    return found
