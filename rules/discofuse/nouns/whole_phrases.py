"""Whether the phrase of a noun, as a split copies it, is a whole one that means the same thing again."""

from __future__ import annotations

from gistmill.rules.coreference.lexicon import PERSON_NOUNS
from gistmill.rules.coreference.noun_kinds import Kind, main_kind
from gistmill.rules.discofuse.morphology import is_word
from gistmill.rules.discofuse.operations import OPENING
from gistmill.rules.discofuse.parse import ARTICLES, FINITE, Parse
from gistmill.rules.discofuse.words import Words, first_of_text

# They open a noun phrase that means others when it is said again.
_INDEFINITE = frozenset(
    "some other others another certain such any most more enough half part many much few fewer".split()
)
_DETERMINERS = frozenset(("DT", "PRP$", "WP$", "PDT", "CD", "NNP", "NNPS", "POS"))


def names_again(parse: Parse, antecedent: Words, head: int) -> bool:
    """Whether a copied noun phrase is a full one that means the same thing again.

    It is not where a word is missing at its beginning ("largely aspen parkland", a possessor cut off), where it has no
    particular referent ("some villagers", "other techniques"), and where a title lacks its name ("prime minister").
    """
    first = first_of_text(antecedent)
    opens = first is antecedent[0]  # "the unusually bright lights" may be made of "unusually bright lights"
    if opens and first.tag in ("RB", "RBR", "RBS") and not first.entity or first.tag == "POS":
        return False
    if first.tag == "RB" and first.text.endswith("ly") and first.position == 0 != head:
        return False  # "Traditionally Ale ,": an adverb that was taken for a part of the name
    if first.dep == "mark" or first.tag == "IN" and first.pos == "SCONJ":
        return False  # "whether Lee": a clause that was taken for the phrase
    if any(parse.tokens[k].text in OPENING for k in range(first.position, head)):
        return False  # "the Upton [ U ] mill": without the bracket it is another name
    if first.position > 0 and parse.lower[first.position - 1] in ARTICLES:
        return False  # "a non - Greek but old people": the article was taken for another's
    if first.pos == "ADP" and (len(antecedent) == 1 or antecedent[1].tag != "CD"):
        return False  # "from the 19th century Charles Darwin", but not "over 20 people"
    if first.position > 0 and (parse.tokens[first.position - 1].tag == "POS" or parse.lower[first.position - 1] == ")"):
        return False
    before = parse.tokens[first.position - 1] if first.position > 0 else None
    capital = before is not None and before.text[0].isupper() and first.position > 1
    if capital and parse.tokens[head].pos == "PROPN":
        return False  # "Justice Said Halem": a part of the name was taken for something else
    if before is not None and before.tag == "TO" and first.dep == "compound" and is_word(first.text, upos="VERB"):
        return False  # "agrees to export cloth": an infinitive that was taken for a noun
    if first.text.lower() == "that" and (len(antecedent) > 1 and antecedent[-1].tag in ("NNS", "NNPS")):
        return False  # "that facilitate transactions": a relative clause that was taken for a part of the phrase
    inside = {w.position for w in antecedent}
    if any(w.tag in FINITE and (w.dep in ("compound", "amod") or w.head not in inside) for w in antecedent):
        return False  # "shoots Cohen", "Eden is Grundig": a verb that was taken for a part of the name
    named = parse.tokens[head].entity.endswith(("PERSON", "ORG"))
    if first.tag == "CD" and (first.text[0].isupper() and first.position > 0 or named):
        return False  # "One Last Dance"; a year that ran into a name
    if first.position > 0 and parse.tokens[first.position - 1].tag == "VBG" and first.tag not in _DETERMINERS:
        return False  # "around supporting character Ed Gibson": an adjective that was taken for a verb
    if first.text.lower() in _INDEFINITE and first.position != head:
        return False
    if any(w.text in ("a", "an") and parse.tokens[w.head].dep == "conj" for w in antecedent[1:]):
        return False  # "the singer and a nurse"
    if parse.lower[max(first.position - 1, 0)] in ("or", "nor"):
        return False  # "an Aleut , or Unangam idiom"
    token = parse.tokens[head]
    if token.pos == "PRON":
        return len(antecedent) == 1
    bare = token.tag == "NN" and not any(w.tag in _DETERMINERS or w.dep == "poss" for w in antecedent)
    site = token.dep == "pobj" and len(antecedent) == 1 and main_kind(token.lemma.lower()) is Kind.PLACE
    counted = token.lemma.lower() in PERSON_NOUNS or site
    return not (bare and counted and not token.entity)
