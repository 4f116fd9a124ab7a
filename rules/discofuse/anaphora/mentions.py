"""Anaphora: mentions in the second half with an antecedent in the first (paper, Table 14, row 2)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from gistmill.core.records import Reason
from gistmill.rules.coreference.lexicon import FEMALE, MALE, PLURAL, PRONOUNS
from gistmill.rules.discofuse.anaphora import antecedents as phrases
from gistmill.rules.discofuse.anaphora import places_of_links
from gistmill.rules.discofuse.checks import Check, Region, first_reason
from gistmill.rules.discofuse.checks import DiscoFuseReason as R
from gistmill.rules.discofuse.nouns import references
from gistmill.rules.discofuse.nouns.noun_phrases import is_plural
from gistmill.rules.discofuse.operations import replace, spelled_out
from gistmill.rules.discofuse.parse import COMMA, NAME_TAGS, NOMINAL_SUBJECTS, NOUNS, SUBJECTS, Parse, Word, Words
from gistmill.rules.documents import Mention

# Lower-case words that occur inside names.
LINKS = frozenset(("of", "de", "van", "von"))


class Replacement(NamedTuple):
    """The replacement of tokens [start, end) of the second half with ``words``.

    ``kind`` and ``confidence`` are those of the replaced mention, and ``support`` is added to the confidence for its
    position; ``problem`` is a reason to reject the result, such as a wrong number; ``plural`` is true of plural words.
    """

    start: int
    end: int
    words: Words
    kind: str
    confidence: float
    problem: Reason | None
    support: float = 0.0
    plural: bool = False

    def is_sure(self, least: float) -> bool:
        """Whether the link's confidence, with the support of its position, is at least ``least``."""
        return self.confidence + self.support >= least


class Links:
    """A document's clusters by sentence, so that the time per sentence does not grow with the document."""

    __slots__ = ("_by_sentence",)

    def __init__(self, clusters: Iterable[Sequence[Mention]]) -> None:
        self._by_sentence: dict[int, dict[int, list[Mention]]] = {}
        for number, cluster in enumerate(clusters):
            for mention in cluster:
                self._by_sentence.setdefault(mention.sentence, {}).setdefault(number, []).append(mention)

    def within(self, first: int, second: int) -> list[list[Mention]]:
        """Returns the mentions in two sentences (or in one, given twice), by cluster."""
        there = self._by_sentence.get(first, {})
        if first == second:
            return list(there.values())
        here = self._by_sentence.get(second, {})
        return [[*there.get(n, ()), *here.get(n, ())] for n in {**there, **here}]


class Scene(NamedTuple):
    """The two halves of a text, the links between them and the limits on replacements.

    Attributes:
        first, second: the sentences of the halves; the same object for the halves of one sentence.
        antecedents, anaphors: the regions of the halves.
        clusters: the mentions in both sentences, by cluster.
        max_tokens: maximum number of tokens in a replacement.
        min_confidence: minimum confidence of a link to replace a mention.
    """

    first: Parse
    second: Parse
    antecedents: Region
    anaphors: Region
    clusters: Sequence[Sequence[Mention]]
    max_tokens: int
    min_confidence: float = 0.0


def find(scene: Scene, *, by_place: bool = False, again: bool = False) -> tuple[Replacement, ...]:
    """Finds the mentions in the second half that can be replaced with a fuller mention from the first half.

    A replacement is never a pronoun. All mentions in a cluster are replaced, up to one that stays and thus explains the
    later ones within the second half (as one with an uncertain link does). The following are not replaced: reflexives,
    quoted words, and a pronoun commanded by an earlier name or by the replacement of an earlier mention ("Lincoln met
    his cabinet", "Lincoln said he left").

    ``by_place``: a pronoun without a link is replaced with the noun that its position indicates. ``again``: mentions
    after one that stays are replaced too, if a name can be repeated.
    """
    found: list[Replacement] = []
    for cluster in scene.clusters:
        fuller = [m for m in cluster if m.kind != "pronoun" and scene.antecedents.holds(m)] if len(cluster) > 1 else ()
        if fuller:
            found.extend(_of_cluster(scene, cluster, fuller, again=again))
    if by_place:
        found.extend(_continued(scene))
    # Drop replacements that overlap an earlier one.
    out: list[Replacement] = []
    for item in sorted(found, key=lambda r: (r.start, r.end)):
        if not out or item.start >= out[-1].end:
            out.append(item)
    return tuple(out)


def _continued(scene: Scene) -> Iterator[Replacement]:
    """Yields the replacement of a pronoun with the noun that its position indicates, if the links name none."""
    here, there = scene.anaphors, scene.antecedents
    place = places_of_links.find(scene.first, scene.second, range(there.start, there.end), range(here.start, here.end))
    if place is None:
        return
    noun, pronoun = place
    for cluster in scene.clusters:
        linked = any(m.sentence == here.sentence and m.head == pronoun for m in cluster)
        if linked and not (all(m.kind == "pronoun" for m in cluster) and any(map(there.holds, cluster))):
            return
    kind = "name" if scene.first.tokens[noun].pos == "PROPN" else "nominal"
    antecedent = Mention(there.sentence, scene.first.left_edge(noun), noun + 1, noun, kind)
    anaphor = Mention(here.sentence, pronoun, pronoun + 1, pronoun, "pronoun", places_of_links.CONFIDENCE)
    yield from filter(None, [_replacement(scene, anaphor, [antecedent], [antecedent, anaphor])])


def _of_cluster(
    scene: Scene, cluster: Sequence[Mention], fuller: Sequence[Mention], *, again: bool
) -> list[Replacement]:
    second = scene.second
    mentions = sorted((m for m in cluster if scene.anaphors.holds(m)), key=lambda m: m.start)
    found: list[Replacement] = []
    replaced: set[int] = set()
    stays: list[int] = []  # names, and mentions that are not replaced
    # "he / she" stands for either, and thus for nobody in particular
    if any("/" in second.lower[max(0, m.start - 1) : m.end + 1] for m in mentions):
        return []
    for mention in mentions:
        # a replacement commands a pronoun that agrees with its new form: "Ada said she left"
        plural = PRONOUNS.get(second.lower[mention.head]) == PLURAL
        like = [head for r in found if r.plural == plural for head in replaced if r.start <= head < r.end]
        above = [*stays, *(like if mention.kind == "pronoun" else ())]
        if is_fixed(second, mention) or any(references.commands(second, k, mention.head) for k in above):
            continue
        made = _replacement(scene, mention, fuller, cluster)
        found += filter(None, [made])
        if made and made.problem is None and made.is_sure(scene.min_confidence):
            replaced.add(mention.head)
        elif mention.kind != "pronoun" and not again:
            break
        if mention.kind == "name" or mention.head not in replaced:
            stays.append(mention.head)
    return found


def is_fixed(second: Parse, mention: Mention) -> bool:
    """Whether a mention must stay: in a quotation, before a noun, a reflexive, "hers", or the "his" in "his own"."""
    word, behind = second.lower[mention.head], second.lower[mention.end : mention.end + 1]
    own = word.endswith(("self", "selves")) or word in ("mine", "yours", "hers", "ours", "theirs") or behind == ["own"]
    before_noun = second.tokens[mention.head].dep in ("compound", "nmod", "amod")
    return before_noun or (own and mention.kind == "pronoun") or second.in_quotation(mention.start)


def _replacement(
    scene: Scene, mention: Mention, fuller: Sequence[Mention], cluster: Sequence[Mention]
) -> Replacement | None:
    first, second, limit, cut = scene.first, scene.second, scene.max_tokens, scene.min_confidence
    possessive = phrases.is_possessive(second, mention)
    for antecedent in sorted(fuller, key=lambda m: (m.kind != "name", m.start)):
        words = phrases.phrase(first, antecedent, limit=limit, possessive=possessive)
        if not words or not phrases.is_fuller(first, antecedent, second, mention, words):
            continue
        parses, links = {antecedent.sentence: first, mention.sentence: second}, scene.clusters
        words = phrases.with_owners(words, antecedent, mention, clusters=links, parses=parses, cut=cut, limit=limit)
        if not words:
            continue
        return Replacement(
            start=mention.start,
            end=phrases.end_of(second, mention),
            words=phrases.shaped(words, first, second, mention),
            kind=mention.kind,
            confidence=mention.confidence,
            support=places_of_links.support(first, antecedent, second, mention, scene.anaphors.start),
            problem=problem(AnaphorMatch(first, scene.antecedents, antecedent, words, second, mention, cluster)),
            plural=is_plural(first, antecedent.head),
        )
    return None


def apply(words: Sequence[Word], replacements: Iterable[Replacement]) -> Words:
    """Applies the replacements to the second half, whose words have their positions in the text."""
    out = tuple(words)
    for item in replacements:
        start, end = (next((i for i, w in enumerate(out) if w.position == p), None) for p in (item.start, item.end - 1))
        if start is not None and end is not None:
            new = (*comma_before(out, start), *_before(item.words, out[end + 1 : end + 2]))
            out = replace(out, start, end + 1, new)
            out = spelled_out(out, start + len(new)) if item.kind == "pronoun" else out
    return out


def _before(phrase: Words, following: Words) -> Words:
    """Returns a phrase adapted to the following word: at the end of a sentence it loses its own full stop, and a name
    that contains a comma gets a second one before other words: "Athens, Georgia, lies", "Sam Davis, Jr., danced"."""
    last = phrase[-1]
    if not following or following[0].pos == "PUNCT":
        stops = bool(following) and following[0].text == "." and len(last.text) > 1
        return (*phrase[:-1], last._replace(text=last.text.removesuffix("."), original="")) if stops else phrase
    inside = any(w.text == "," and w.entity.startswith("I-") for w in phrase)
    if not inside or last.tag == "POS" or following[0].tag == "CC":
        return phrase
    return (*phrase[:-1], last._replace(space=False), COMMA._replace(entity=last.entity))


def comma_before(words: Words, at: int) -> Words:
    """Returns the comma needed before the pronoun at index ``at`` when a noun phrase replaces it; () if none:
    "according to the clerk Lee she left" becomes "according to the clerk Lee , Ann left".

    It follows the noun of a phrase that opens the clause, unless that is a date or a lone noun: "in May Ann left".
    There is none in "The mill she sold", where the noun is followed by its own clause.
    """
    pronoun, last = words[at], words[at - 1] if at else None
    if last is None or pronoun.tag != "PRP" or pronoun.dep not in SUBJECTS or last.pos not in NOUNS:
        return ()
    by_position = {w.position: w for w in words}
    top = last
    while top.head != pronoun.head and top.head in by_position and top.head != top.position:
        top = by_position[top.head]
    fronted = top is not last and top.head == pronoun.head and top.dep in ("prep", "advcl", "npadvmod", "agent")
    return (COMMA,) if fronted and last.entity[2:] not in ("DATE", "TIME") else ()


class AnaphorMatch(NamedTuple):
    """An anaphor in the second half, and the phrase that would replace it.

    Attributes:
        first, half: the sentence of the antecedent, and the half of the text within it.
        antecedent, words: the antecedent there, and its phrase.
        second, mention: the sentence of the anaphor, which may be the same, and the anaphor.
        cluster: all mentions of the referent in both sentences.
    """

    first: Parse
    half: Region
    antecedent: Mention
    words: Words
    second: Parse
    mention: Mention
    cluster: Sequence[Mention]

    def heads_in(self, sentence: int) -> set[int]:
        """Returns the heads of the cluster's mentions in a sentence."""
        return {m.head for m in self.cluster if m.sentence == sentence}


def problem(match: AnaphorMatch) -> Reason | None:
    """Returns the reason to reject the replacement, or None."""
    return first_reason(PRONOUN_CHECKS if match.mention.kind == "pronoun" else NOUN_CHECKS, match.second, match)


def _goes_on(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the mention is followed by another noun or a number: "the cartoonist Lee", "Otto I"."""
    end = phrases.end_of(parse, match.mention)
    behind = parse.tokens[end : end + 1] if end == match.mention.end else ()
    return any(token.pos in ("PROPN", "NOUN", "NUM") or token.text == "I" for token in behind)


def _is_modified(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a nominal is followed by its complement, clause or conjunct."""
    mention = match.mention
    behind = [k for k in parse.children(mention.head) if k > mention.head and mention.kind == "nominal"]
    complement = any(k == mention.end and parse.lower[k] in ("of", "for", "between", "with") for k in behind)
    return complement or any(parse.tokens[k].dep in ("relcl", "acl", "conj", "appos") for k in behind)


def _is_end(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the mention ends a longer phrase: "the younger Lee", "( Lee )"."""
    before = parse.tokens[match.mention.start - 1] if match.mention.start else None
    return before is not None and (before.pos in ("ADJ", "NOUN", "PROPN") or before.text in ("(", "-"))


def _ends_longer_name(parse: Parse, match: AnaphorMatch) -> bool:
    start = match.mention.start
    joined = start > 1 and match.mention.kind == "name" and parse.lower[start - 1] in LINKS
    return joined and (parse.tokens[start - 2].tag in NAME_TAGS or parse.tokens[start - 2].text == "I")


def _is_introduced(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a name is introduced here: "a brother , Lee", "knows it as Lee", "a boat named Lee"."""
    token = parse.tokens[match.mention.head]
    above = parse.tokens[token.head]
    apposed = token.dep == "appos" and above.pos in NOUNS
    named = apposed or token.dep == "oprd" or (token.dep, above.text) == ("pobj", "as")
    return named and match.mention.kind == "name"


def _has_namesake(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the first text mentions another bearer of the name: "Bo Lee met Al Lee . Lee left"."""
    if match.mention.kind != "name":
        return False
    own = parse.lower[match.mention.start : match.mention.end]
    end = match.mention.start if match.first is parse else len(match.first)
    size, known = len(own), match.heads_in(match.antecedent.sentence)
    lasts = (i + size - 1 for i in range(end - size + 1) if match.first.lower[i : i + size] == own)
    return any(known.isdisjoint(_heads_at(match.first, last)) for last in lasts)


def _heads_at(parse: Parse, position: int) -> Iterator[int]:
    """Yields the position and the heads of names that it may be part of: "University" in "The University of Oxford"."""
    yield position
    for above in parse.ancestors(position):
        if parse.tokens[position].dep not in ("compound", "nmod", "pobj", "prep"):
            break
        yield (position := above)


def _has_rival(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the first half contains a pronoun of the same class with another referent.

    It is the main subject ("They have talents , but some of them" is not about the talents), or refers to another
    person of the same gender ("Leo thanked him . He left ."). In "He was a captain" the noun identifies the pronoun.
    """
    first, like, own = match.first, PRONOUNS.get(parse.lower[match.mention.head]), match.heads_in(match.half.sentence)
    others = (i for i in range(match.half.start, match.half.end) if PRONOUNS.get(first.lower[i]) == like)
    return any(
        first.child(first.tokens[i].head, "attr") not in own if first.is_main_subject(i) else like in (MALE, FEMALE)
        for i in others
        if i not in own
    )


def _is_named_later(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a subject in the same clause repeats the pronoun's replacement: "in their tongue , the Huns"."""
    own = {w.text.lower() for w in match.words if w.tag in NAME_TAGS}
    behind = (m for m in match.cluster if m.sentence == match.mention.sentence and m.start > match.mention.end)
    named = (m.head for m in behind if m.kind == "name" and parse.lower[m.head] in own)
    return any(references.commands(parse, head, match.mention.head) for head in named)


def _disagrees(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the antecedent differs in gender from the pronoun, or is a person but the pronoun is "it"."""
    word, named = parse.lower[match.mention.head], match.antecedent.kind == "name"
    if word in ("he", "him", "his", "she", "her", "hers"):
        return not references.agrees(match.first, match.antecedent.head, PRONOUNS[word], named=named)
    return word in ("it", "its") and references.is_personal(match.first, match.antecedent.head)


def _is_barred(_parse: Parse, match: AnaphorMatch) -> bool:
    """Whether binding theory excludes a pronoun linked to the antecedent within its sentence: the links are wrong.

    A subject commands the words after it ("he praised the clerk": principle C), and an object does not corefer with the
    prepositional phrase next to it ("put saucers under them": principle B).
    """
    first, head = match.first, match.antecedent.head
    token = first.tokens[head]
    for m in match.cluster:
        if m.kind != "pronoun" or m.sentence != match.antecedent.sentence:
            continue
        pronoun = first.tokens[m.head]
        if pronoun.dep == "pobj" and token.dep == "dobj" and first.tokens[pronoun.head].head in (token.head, head):
            return True
        before = pronoun.dep in NOMINAL_SUBJECTS and m.head < head and token.dep != "attr"
        if before and references.commands(first, m.head, head):
            return True
    return False


def _is_many(match: AnaphorMatch) -> bool:
    """Whether the antecedent is plural by its form or verb ("Caecilians resemble"); a person's name never is."""
    first, token = match.first, match.first.tokens[match.antecedent.head]
    other = first.child(match.antecedent.head, "conj")
    if token.entity.endswith("PERSON") and (other is None or other >= match.antecedent.end):
        return False
    shows = token.dep in NOMINAL_SUBJECTS and token.tag == "NNP"
    return is_plural(first, match.antecedent.head) or (shows and first.number(token.head) == "plural")


def _has_other_verb(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether the verb whose subject is being replaced differs in number from the phrase."""
    head = match.mention.head
    token = parse.tokens[head]
    if token.dep not in NOMINAL_SUBJECTS or parse.child(head, "conj") is not None:
        return False
    predicate, number = parse.child(token.head, "attr"), parse.number(token.head)
    if number is None and predicate is not None and parse.lower[head] in ("they", "them", "their"):
        number = "plural" if parse.tokens[predicate].tag == "NNS" else None  # "they had become lovers"
    return number is not None and _is_many(match) != (number == "plural")


def _is_not_one(parse: Parse, match: AnaphorMatch) -> bool:
    """Whether a singular pronoun would be replaced with a plural common noun, or with "the team" in "the team are"."""
    first, token = match.first, match.first.tokens[match.antecedent.head]
    said = token.tag == "NN" and first.is_main_subject(match.antecedent.head)
    many = (token.tag == "NNS" and _is_many(match)) or (said and first.number(token.head) == "plural")
    return many and parse.lower[match.mention.head] in ("he", "him", "his", "she", "her", "it", "its")


NOUN_CHECKS: tuple[Check[AnaphorMatch], ...] = (
    Check("anaphor.goes-on", R.WRONG_SCOPE, _goes_on,
          "Henry Lee was king of Ulm. Henry I ruled the town for years.",
          "Henry Lee was king of Ulm. Henry ruled the town for years."),
    Check("anaphor.introduced", R.WRONG_SCOPE, _is_introduced,
          "Ann Lee came home late. The men knew the boat as Lee.", "Ann Lee came home late. The men knew Lee."),
    Check("anaphor.longer-name", R.WRONG_SCOPE, _ends_longer_name,
          "Ada Courtenay sold the mill. Her friend was Elisabeth of Courtenay.",
          "Ada Courtenay sold the mill. The town thanked Courtenay."),
    Check("anaphor.modified", R.WRONG_SCOPE, _is_modified,
          "He bought an old mill in Kent. In May, the mill and the house burned.",
          "He bought an old mill in Kent. In May, the mill burned."),
    Check("anaphor.end", R.WRONG_SCOPE, _is_end,
          "Ann Lee sold the mill. The people liked old Lee.", "Ann Lee sold the mill. The people liked Lee."),
    Check("anaphor.namesake", R.WRONG_SCOPE, _has_namesake,
          "Ann Lee met Bo Lee in May. In June, Lee sold the mill.",
          "Ann Lee met the mayor in May. In June, Lee sold the mill."),
    Check("anaphor.verb", R.NUMBER, _has_other_verb,
          "The Leeds Mills closed in May. The Mills is in Kent.",
          "The Leeds Mills closed in May. The Mills are in Kent."),
)  # fmt: skip
PRONOUN_CHECKS: tuple[Check[AnaphorMatch], ...] = (
    Check("pronoun.rival", R.UNCERTAIN_COREFERENCE, _has_rival,
          "He met Lee in the town. He left early.", "Lee met the mayor. He left early."),
    Check("pronoun.named-later", R.REPEATED_ANTECEDENT, _is_named_later,
          "Lee sold the mill. In his speech, Lee thanked the town.", "Lee sold the mill. His speech was long."),
    Check("pronoun.disagrees", R.UNCERTAIN_COREFERENCE, _disagrees,
          "Mary sold the mill in May. He left the town.", "Lee sold the mill in May. She left the town."),
    Check("pronoun.barred", R.UNCERTAIN_COREFERENCE, _is_barred,
          "She knew that Ann Lee sold the mill. She left the town in May.",
          "The mayor of the town was ill. They helped him."),
    Check("pronoun.empty", R.UNCERTAIN_COREFERENCE, lambda parse, match: references.is_empty(parse, match.mention.head),
          "The old mill closed in May. It is for this reason that the men left.",
          "The mill stood in Kent. It burned in May."),
    Check("pronoun.verb", R.NUMBER, _has_other_verb,
          "The firm closed in May. They were rich.", "The firm closed in May. It was rich."),
    Check("pronoun.not-one", R.NUMBER, _is_not_one,
          "The family were rich. Its house was old.", "The family was rich. Its house was old."),
)  # fmt: skip
