"""The phrase that replaces an anaphor: the words of its antecedent, and their form."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gistmill.rules.coreference.lexicon import FIRST_NAMES
from gistmill.rules.coreference.names import without_ending
from gistmill.rules.discofuse.nouns import noun_phrases
from gistmill.rules.discofuse.nouns.references import NOT_THINGS, commands, quantified
from gistmill.rules.discofuse.operations import lowered
from gistmill.rules.discofuse.parse import ARTICLES, NAME_TAGS, PREMODIFIERS, SUBJECTS, WORDS, Parse, Word, Words
from gistmill.rules.documents import Mention

_POINTING = noun_phrases.DEMONSTRATIVES - {"that"}


def is_fuller(first: Parse, antecedent: Mention, second: Parse, mention: Mention, words: Words) -> bool:
    """Whether the phrase is fuller than the mention. Any phrase is fuller than a pronoun, a name or longer phrase with
    the same noun is fuller than a nominal, and a longer form with the same beginning or end is fuller than a name
    ("Monterrey" is not "the Battle of Monterrey")."""
    if mention.kind == "pronoun":
        return True
    # if only "mill" in "the new mill" is the mention, the result would be "the new the mill"
    inside = words[0].pos == "DET" and second.left_edge(mention.head) < mention.start - 1
    if inside or "PRP$" in [w.tag for w in words]:
        return False
    own = plain(second.lower[mention.start : mention.end])
    text = plain([w.text.lower() for w in words])
    if antecedent.kind != "name":
        # "that" before a noun is too often a conjunction
        pointing = second.lower[mention.start] in _POINTING and noun_phrases.says_more(first, antecedent)
        fuller = pointing if text == own else set(text).issuperset(own) and len(text) > len(own)
        return fuller and _is_repeated(first, antecedent, second, mention)
    if plain([w.text.lower() for w in words if 0 <= w.position < antecedent.start]):
        return False  # "the mysterious Plesiorycteropus" says more than the name
    if mention.kind == "nominal":
        return text != own
    # a name that opens a quotation names something else there: her dog " Mr. Bell "
    quoted = antecedent.start > 0 and first.tokens[antecedent.start - 1].tag == "``"
    return not quoted and _is_fuller_name(antecedent, second, mention, words)


def _is_fuller_name(antecedent: Mention, second: Parse, mention: Mention, words: Words) -> bool:
    """Whether a name is a fuller form of another: "The Rock" of "Rock", because the article is part of it."""
    if second.lower[mention.end : mention.end + 1] == ["of"]:
        return False  # "the Compromise of 1850" is not "the Missouri Compromise"
    # without the part after a comma: "Athens" is as full as "Athens, Georgia"
    own = without_ending(plain(second.lower[mention.start : mention.end]))
    text = without_ending(plain([w.text.lower() for w in words]))
    if len(text) <= len(own):
        named = words[0].text == "The" and words[0].position > 0
        return named and text == own and not determiner_before(second, mention)
    # A longer form of the name has the same end, or the same beginning and kind: "Sullivan" is not "the Sullivan
    # Expedition". A person may be called by the surname or a first name: "Dolby" is not "Dolby Vision".
    head = next((w.text.lower() for w in words if w.position == antecedent.head), text[-1])
    if not own or own[-1] == head or own[0] != text[0]:
        return own[-1:] == [head]
    if any(w.entity == "B-PERSON" for w in words):
        return not FIRST_NAMES.isdisjoint(t.text for t in second.tokens[mention.start : mention.end])
    return second.tokens[mention.head].entity[2:] in ("", words[-1].entity[2:])


def _is_repeated(first: Parse, antecedent: Mention, second: Parse, mention: Mention) -> bool:
    """Whether both have the same noun in the same number, and the second is a bare "the mill" or "this mill"."""
    a, b = first.tokens[antecedent.head], second.tokens[mention.head]
    # a predicate ("is an old mill and a school") is not mentioned again; only its subject is
    said = first.tokens[first.first_conjunct(antecedent.head)].dep in ("attr", "oprd", "appos")
    if said or not NOT_THINGS.isdisjoint((a.entity[2:], b.entity[2:])):
        return False
    if not mention.kind == antecedent.kind == "nominal":
        return False
    bare = mention.end - mention.start == 2 and second.lower[mention.start] in _POINTING | {"the"}
    return bare and (a.lemma.lower(), a.tag) == (b.lemma.lower(), b.tag)


def determiner_before(second: Parse, mention: Mention) -> bool:
    """Whether a determiner immediately precedes a mention without one: "this" in "this Mill".

    The "that" in "said that the mill" does not count, whatever its tag.
    """
    tags = [token.tag in ("DT", "PRP$") for token in second.tokens[max(mention.start - 1, 0) : mention.start + 1]]
    return tags == [True, False]


def plain(lower: Sequence[str]) -> list[str]:
    """Returns the words without a leading article or demonstrative and without a final possessive mark."""
    words = list(lower)
    if (len(words) > 1 and words[0] in noun_phrases.DEMONSTRATIVES) or (words and words[0] in ARTICLES):
        words = words[1:]
    return words[:-1] if words and words[-1] in ("'s", "'") else words


def phrase(first: Parse, antecedent: Mention, *, limit: int, possessive: bool) -> Words:
    """Returns the antecedent and the words before its noun, in the shortest form that still identifies it.

    A common noun keeps its complement with "of" or "without", unless the form is possessive or too long; if other
    restrictive parts are dropped, the phrase becomes definite.

    Args:
        first: the sentence of the antecedent.
        antecedent: the mention.
        limit: maximum number of tokens in the phrase.
        possessive: whether a possessive mark will follow, which is not possible after a complement.

    Returns:
        The words; () if the name is cut short, or no form that is short enough identifies it.
    """
    words, head = _own_words(first, antecedent), antecedent.head
    if not words or _is_unfit(first, antecedent, words):
        return ()
    if noun_phrases.opens_behind_marks(first, words):
        words = lowered(words, opening=words[0].position)
    if first.tokens[head].pos == "NOUN" and words[-1].position == head:
        words = _common(first, head, words, limit=limit, possessive=possessive)
    words = noun_phrases.with_article_of_name(noun_phrases.definite(words), head) if words else words
    return words if words and len(words) <= limit and noun_phrases.can_return(words) else ()


def _is_unfit(first: Parse, antecedent: Mention, words: Words) -> bool:
    """Whether an antecedent's words do not identify it: they are incomplete, have run on, or are indefinite."""
    head = antecedent.head
    # "Ada game" in "the Legend of Ada game" begins inside a name
    inside = first.tokens[words[0].position].entity.startswith("I-")
    if inside or noun_phrases.is_cut(words) or noun_phrases.is_mere_title(first, antecedent):
        return True
    if antecedent.kind == "name":  # run on into the next list item or the verb: "Ada , Bea", "Ada has"
        listed = any(w.dep == "conj" and w.position > head for w in words) and any(w.text == "," for w in words)
        if listed or any(w.tag in ("VBD", "VBP", "VBZ", "MD") and w.text.islower() for w in words):
            return True
    # not particular enough to be mentioned again: a general statement about "some mills" is not about "the mills", and
    # "200 deaths per year" are different each year
    token, behind = first.tokens[head], words[-1].position + 1
    some = words[0].text.lower() in noun_phrases.INDEFINITE and token.dep in SUBJECTS and not first.past(token.head)
    if some or first.lower[behind : behind + 1] in (["per"], ["each"], ["every"]):
        return True
    return quantified(first, head) or _is_part(first, words, head)


def _own_words(first: Parse, antecedent: Mention) -> Words:
    """Returns the words of an antecedent that a second mention repeats."""
    head = antecedent.head
    start = min(antecedent.start, first.left_edge(head))
    words = noun_phrases.core(first, head, start=start, end=noun_phrases.end_of_name(first, antecedent))
    mark = next((i for i, w in enumerate(words) if w.tag == "POS"), len(words))
    if first.tokens[head].dep == "poss" or mark == len(words) - 1:
        words = words[:mark]  # in "Ada 's Leeds - area seat", "Ada 's Leeds - area" is Ada
    if antecedent.kind == "name" and first.tokens[head].entity.endswith("PERSON"):
        words = _of_person(words, antecedent)
    return words if plain([w.text.lower() for w in words]) else ()


def _of_person(words: Words, antecedent: Mention) -> Words:
    """Returns only a person's name: "Alexander" for "young Alexander" and for "former Senator Alexander"."""
    if any(w.tag.startswith("JJ") and w.position < antecedent.start for w in words):
        words = tuple(w for w in words if w.position >= antecedent.start and w.entity.endswith("PERSON"))
    # "leave Ada for Bea": a phrase after a person's name belongs to the verb
    behind = ((i, w) for i, w in enumerate(words) if w.position > antecedent.head)
    end = next((i for i, w in behind if w.pos == "ADP" and w.text.lower() != "of"), len(words))
    return words[:end]


def _is_part(first: Parse, words: Words, head: int) -> bool:
    """Whether the phrase is part of another: "the Leeds - area" before "seat", "bread deliveries" in "milk and bread
    deliveries", "print cards" in "to quickly print cards"."""
    token, begin = first.tokens[head], words[0].position
    if token.dep in PREMODIFIERS or not begin:
        return token.dep in PREMODIFIERS
    before = first.tokens[begin - 1]
    joined = before.text == "and" and len(words) > 1 and words[0].dep in PREMODIFIERS and token.pos == "NOUN"
    return joined or before.text in ("-", "/") or (before.tag == "TO" and before.dep == "aux")


def _common(first: Parse, head: int, words: Words, *, limit: int, possessive: bool) -> Words:
    """Returns the phrase of a common noun, with any complement that it needs."""
    behind = [k for k in first.children(head) if k > head and first.tokens[k].dep in ("prep", "relcl", "acl")]
    if not behind:
        return words
    nearest = behind[0]
    adjacent = first.left_edge(nearest) == head + 1
    # Whether the noun is meaningless without its complement: "a kind of bird", "the first man in space".
    needed = first.tokens[head].lemma.lower() in WORDS["classifiers"]
    needed = needed or words[0].text.lower() in noun_phrases.INDEFINITE
    needed = needed or any(w.text.lower() in WORDS["singling"] or w.tag in ("JJS", "RBS") for w in words)
    complement = adjacent and first.tokens[nearest].dep == "prep" and not possessive
    if complement and (needed or first.lower[nearest] in ("of", "without")):
        end = first.right_edge(nearest)
        behind_first = noun_phrases.core(first, head, start=words[0].position, end=end + 1)[1:]
        longer = words[:1] + behind_first  # the first word is already lower-case
        noun = longer[-1].position == end and longer[-1].pos in ("NOUN", "PROPN", "NUM")
        clausal = any(w.tag in ("WDT", "WP", "VBD", "VBZ", "VBP", "VBG") for w in longer)
        if noun and len(longer) <= limit and not clausal:
            return longer
    if needed:
        return ()
    return noun_phrases.with_article(words) if adjacent else words


def with_owners(
    words: Words,
    antecedent: Mention,
    mention: Mention,
    *,
    clusters: Sequence[Sequence[Mention]],
    parses: Mapping[int, Parse] | Sequence[Parse],
    cut: float,
    limit: int,
) -> Words:
    """Returns an antecedent's phrase with its possessive pronouns replaced as the mention requires: for "Ada sold her
    mill", in a sentence about Bob burning it, "Ada 's mill".

    A pronoun stays if its owner commands the mention ("Ada burned her mill"), as does a first- or second-person pronoun
    outside quotations.

    Args:
        words: the phrase.
        antecedent: the mention that the phrase belongs to.
        mention: the mention to replace.
        clusters: the text's links.
        parses: the parses of its sentences, by index.
        cut: minimum confidence of a possessive pronoun's link.
        limit: maximum number of tokens in the phrase.

    Returns:
        The words; () if an owner is uncertain, or the phrase becomes too long.
    """
    out: list[Word] = []
    for word in words:
        owned: Words = (word,)
        if word.tag == "PRP$" and not word.entity:
            if word.text.lower() not in ("my", "our", "your"):
                owned = _owner(word, antecedent.sentence, mention, clusters, parses, cut=cut, limit=limit)
            elif parses[antecedent.sentence].in_quotation(word.position):
                owned = ()
        if not owned:
            return ()
        out += owned
    return tuple(out) if len(out) <= limit else ()


def _owner(
    word: Word,
    sentence: int,
    mention: Mention,
    clusters: Sequence[Sequence[Mention]],
    parses: Mapping[int, Parse] | Sequence[Parse],
    *,
    cut: float,
    limit: int,
) -> Words:
    """Returns words that mean at the mention what a possessive pronoun means in its own place; () if uncertain."""
    place = sentence, word.position
    links = ((c, m.confidence >= cut) for c in clusters for m in c if (m.sentence, m.head) == place)
    own, sure = next(links, ((), False))
    second = parses[mention.sentence]
    here = (m.head for m in own if m.sentence == mention.sentence)
    if any(second.tokens[k].dep in ("nsubj", "nsubjpass") and commands(second, k, mention.head) for k in here):
        return (word,)
    before = [m for m in own if sure and m.kind != "pronoun" and (m.sentence, m.start) <= place]
    for m in sorted(before, key=lambda m: m.kind != "name"):
        named = phrase(parses[m.sentence], m, limit=limit, possessive=True)
        if named and "PRP$" not in [w.tag for w in named]:
            return tuple(w._replace(position=word.position, head=word.head) for w in _of(lowered(named)))
    return ()


def _of(words: Words) -> Words:
    mark = "'" if words[-1].tag in ("NNS", "NNPS") and words[-1].text.endswith("s") else "'s"
    return (*words[:-1], words[-1]._replace(space=False), Word(mark, True, "POS", "PART", "case", mark))


def end_of(second: Parse, mention: Mention) -> int:
    """Returns the end of the mention, including any possessive mark after it."""
    end = mention.end
    return end + 1 if end < len(second) and second.tokens[end].tag == "POS" else end


def is_possessive(second: Parse, mention: Mention) -> bool:
    """Whether the mention is a possessive pronoun or is followed by a possessive mark."""
    return second.tokens[end_of(second, mention) - 1].tag in ("PRP$", "POS")


def shaped(words: Words, first: Parse, second: Parse, mention: Mention) -> Words:
    """Puts the phrase in the form required at the mention: definite, possessive, without a second article."""
    words = _with_determiner(lowered(words), first, second, mention)
    if words[0].text.lower() in ARTICLES and len(words) > 1:
        if determiner_before(second, mention):
            words = words[1:]
        elif words[0].position < 0:
            words = (words[0]._replace(text="the"), *words[1:])
    words = _of(words) if is_possessive(second, mention) else words
    # the phrase takes the mention's place in the tree, so that the verdict finds its subject
    head = second.tokens[mention.head]
    return tuple(
        w._replace(dep=head.dep if i == len(words) - 1 else "dep", position=mention.head, head=head.head)
        for i, w in enumerate(words)
    )


def _with_determiner(words: Words, first: Parse, second: Parse, mention: Mention) -> Words:
    """Returns the phrase with the definite article in place of a demonstrative, or where it must be definite."""
    if words[0].text.lower() in noun_phrases.DEMONSTRATIVES and words[0].tag == "DT" and len(words) > 1:
        return (words[0]._replace(text="the", lemma="the"), *words[1:])
    nominal, last = mention.kind == "nominal", words[-1]
    replaced = nominal and second.lower[mention.start] in noun_phrases.DEMONSTRATIVES | {"the"}
    # a bare plural is a group rather than a kind after a past event ("Scientists found") or "there are"
    specific = last.tag == "NNS" and last.dep in ("nsubj", "nsubjpass", "dobj") and first.past(last.head)
    there_are = (w for w in words if w.tag == "NNS" and w.dep == "attr" and first.child(w.head, "expl") is not None)
    if not (replaced or specific or words[0].tag == "JJR" or any(there_are)):
        return words
    words = noun_phrases.with_article(words)
    # "the Leeds mills", as the mention is definite; with a possessor there is no article: "Ada 's mills"
    named = nominal and words[0].tag in NAME_TAGS and words[-1].tag in ("NN", "NNS")
    return (noun_phrases.ARTICLE, *words) if named and all(w.tag != "POS" for w in words) else words
