"""Clusters of names: "Ann Marie Lee", "Lee", "Ann" and "Ms. Lee" refer to one person unless another Lee is nearer.

Parsers and entity recognisers treat the part after a comma as a separate name, often as the subject. Here it becomes
part of one name, headed by the part before the comma. Lists ("Paris, France and Rome") and adjacent but independent
names ("In Athens, Georgia won") are unchanged.
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
_ANOTHER = 9  # the rank of a name that does not fit the title


class NameBook:
    """Finds the cluster that a name belongs to, in time that does not grow with the number of clusters.

    Args:
        title: the document's title. If it looks like a person's name, its first and last words alone refer to that
            person.
    """

    def __init__(self, title: str = "") -> None:
        words = title_words(title)
        self._title = words if 2 <= len(words) <= 4 and not _JOINERS.intersection(words) else ()
        self._subject: Cluster | None = None
        self._by_words: dict[tuple[str, ...], Cluster] = {}
        self._by_edge: dict[str, list[Cluster]] = {}

    def find(self, name: Markable) -> tuple[Cluster, float] | None:
        """Returns the latest matching cluster with its probability, or None."""
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
        """Yields clusters of persons whose name contains this one or is contained in it."""
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
        """Registers a name under its words and under its first and last word."""
        words = name.words
        if self._subject is None and self._is_subject(name):
            self._subject = cluster
        self._by_words[words] = cluster
        for edge in {words[0], words[-1]}:
            known = self._by_edge.setdefault(edge, [])
            if cluster not in known[-8:]:
                known.append(cluster)


def _may_be_person(cluster: Cluster, name: Markable) -> bool:
    """Whether the entity types allow a name of two or three words, and its last word, to be a person's."""
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
    """Whether two names may refer to one person: one is the other's first or last word, or they share both."""
    if len(words) == 1:
        return words[0] in (longest[0], longest[-1])
    if len(longest) == 1:
        return longest[0] in (words[0], words[-1])
    return words[0] == longest[0] and words[-1] == longest[-1]


def title_words(title: str) -> tuple[str, ...]:
    """Returns the lower-case words of a page title, up to a bracket or comma."""
    return tuple(title.replace("_", " ").partition("(")[0].partition(",")[0].lower().split())


def mark_title(clusters: Iterable[Cluster], title: str) -> Cluster | None:
    """Marks and returns the cluster named by the title: the names are equal, or one begins or ends the other."""
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
    """Returns how well a title fits a name: 0 for equal words, 3 for the weakest fit, else ``_ANOTHER``."""
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
# Cities named like a region, and the regions that may follow them.
_CITIES = {"washington": ("d.c.", "dc", "d.c"), "new york": ("new york", "ny", "n.y."), "quebec": ("quebec",)}
_DISTRICTS = frozenset(("county", "parish", "province", "prefecture", "oblast", "canton"))
_GENERATIONS = frozenset("jr jr. sr sr. esq esq. ph.d. ph.d phd".split())
# Only after a name labelled as a person's; elsewhere these are numbers or states.
_OF_PERSON = frozenset("ii iii iv m.d. m.d md d.d. ll.d. d.d.s. dds j.d. m.a. mba r.n. obe mbe cbe kbe qc frs".split())
_COMPANIES = frozenset("inc inc. ltd ltd. llc l.l.c. corp corp. lp l.p. llp plc gmbh s.a. ag n.v. b.v. pty.".split())
_ENDINGS = _GENERATIONS | _OF_PERSON | _COMPANIES
_OWN_ROLES = frozenset(("nsubj", "nsubjpass", "dobj", "pobj", "attr", "poss", "conj", "appos", "dative", "oprd"))
_LONGEST = 3  # maximum number of words in a region's name


def whole_names(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Returns a sentence's tokens with each name that contains a comma as one entity; the same object if there are
    none."""
    commas = [i for i, t in enumerate(tokens) if t[0] == ","]
    for comma in commas[:-1] if commas and commas[-1] == len(tokens) - 1 else commas:
        found = _name_around(tokens, comma)
        if found is not None:
            tokens = _joined(tokens, comma, *found)
    return tokens


def without_ending(words: Sequence[str]) -> list[str]:
    """Returns a name's lower-case words without the part after its comma: "sam davis" for "sam davis , jr."."""
    words = list(words)
    for k in range(1, len(words) - 1):
        if words[k] == "," and (words[k + 1] in _ENDINGS or _region_end(words, k + 1) > k + 1):
            return words[:k]
    return words


def _name_around(tokens: Sequence[Token], comma: int) -> tuple[int, int, str] | None:
    """Returns the start, end and entity type of the name around a comma; None if there is none."""
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
    """Returns the start of the entity or run of proper nouns that ends at ``end``."""
    start = end - 1
    if tokens[start].entity:
        while start and tokens[start].entity.startswith("I-"):
            start -= 1
        return start
    while start and tokens[start - 1].pos == "PROPN" and not tokens[start - 1].entity:
        start -= 1
    return start


def _place_end(tokens: Sequence[Token], start: int, comma: int) -> int:
    """Returns the end of the region after a place; 0 if they are not a place and its region."""
    lower = [t.text.lower() for t in tokens[: comma + 3 + 2 * _LONGEST]]
    end = _region_end(lower, comma + 1)
    if end == comma + 1 or tokens[comma + 1].pos != "PROPN" or not _may_be_place(tokens, start, comma):
        return 0
    first = next((k + 1 for k in range(comma - 1, start, -1) if lower[k] == ","), start)
    before, region = " ".join(lower[first:comma]), " ".join(lower[comma + 1 : end])
    # Whether a region may contain another, or a city named like one: "Oregon, USA".
    inside = (region in _COUNTRIES and before not in _COUNTRIES) or region in _CITIES.get(before, ())
    if before in _REGIONS and not inside:
        return 0
    if any(t.pos in ("PROPN", "NOUN") or t.tag == "POS" for t in tokens[end : end + 1]):
        return 0
    # Whether the region is the subject after a fronted phrase: "In Athens, Georgia won".
    place = next((k for k in range(start, comma) if tokens[k].dep == "pobj"), None)
    subject = next((t for t in tokens[comma + 1 : end] if t.dep in ("nsubj", "nsubjpass")), None)
    if place is not None and subject is not None and subject.head in _ancestors(tokens, place):
        return 0
    return 0 if _is_list(tokens, lower, end) else end


def _region_end(lower: Sequence[str], start: int) -> int:
    """Returns the end of the region that begins at ``start``; ``start`` if none does."""
    for end in range(min(start + _LONGEST, len(lower)), start, -1):
        if " ".join(lower[start:end]) in _REGIONS or (end > start + 1 and lower[end - 1] in _DISTRICTS):
            return end
    return start


def _may_be_place(tokens: Sequence[Token], start: int, comma: int) -> bool:
    """Whether the name before the comma may be a town: recognisers label many as persons or organisations."""
    kind, region = tokens[start].entity[2:], tokens[comma + 1]
    if kind in _PLACES:
        return True
    person = region.text in FIRST_NAMES and (tokens[start].text in FIRST_NAMES or not region.entity.endswith("GPE"))
    return kind in ("", "PERSON", "ORG") and comma - start == 1 and not person


def _is_list(tokens: Sequence[Token], lower: Sequence[str], end: int) -> bool:
    """Whether both are in a longer list: "Paris, France and Rome", but not "Paris, France and Rome, Italy"."""
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
    """Returns the tokens with [start, end) as one entity, headed by the words before the comma."""
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
    """Returns the first token of [start, end) whose head is outside, or the last one if there is none."""
    inside = range(start, end)
    return next((k for k in inside if tokens[k].head not in inside or tokens[k].head == k), end - 1)


def _ancestors(tokens: Sequence[Token], k: int) -> list[int]:
    found: list[int] = []
    while tokens[k].head != k:
        k = tokens[k].head
        found.append(k)
    return found
