"""Verbs whose predicate stands in another clause: "they should stay , and they will do"."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse

_PRO_VERBS = frozenset(("do", "have"))
# What a verb may have behind it that says what it is about; a phrase of time or a clause does not.
_COMPLEMENTS = frozenset(("dobj", "ccomp", "xcomp", "attr", "acomp", "oprd", "prt", "dative"))
_LOOSE = frozenset(("punct", "advcl", "parataxis", "cc", "conj"))


def is_elliptical(parse: Parse, verb: int) -> bool:
    """Whether "do", "have" or "be" is all that is left of a predicate: "they should stay , and they will do".

    "Did well", "did so", "were done" and "it has to be" are whole.
    """
    token, below = parse.tokens[verb], parse.children(verb)
    if token.lemma == "be":
        bare = all(k < verb or parse.tokens[k].dep in (*_LOOSE, "neg") for k in below)
        return bare and parse.child(verb, "expl", "attr", "acomp") is None
    if token.lemma not in _PRO_VERBS or not parse.is_verb(verb) or parse.child(verb, "auxpass") is not None:
        return False
    return not any(parse.tokens[k].dep in _COMPLEMENTS or k > verb and parse.tokens[k].dep == "advmod" for k in below)
