"""Conditions that open a sentence: what stands behind its main clause may be under them too."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse

_CONDITIONS = frozenset(("if", "unless", "whenever"))


def under_condition(parse: Parse, start: int, verb: int) -> bool:
    """Whether the sentence opens with a condition that what begins at ``start`` is under too: "If it rains , we stay ,
    so you can come". A simple past says that it came to be, whatever the condition.

    Args:
        parse: the sentence.
        start: where the second part begins, with its conjunction.
        verb: of the second part.
    """
    if parse.past(verb) and not any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(verb)):
        return False
    return any(
        (parse.lower[k] in _CONDITIONS or parse.lower[k] == "when" and not parse.past(token.head))
        and token.dep in ("mark", "advmod")
        and parse.tokens[token.head].dep == "advcl"
        and k < token.head < parse.tokens[token.head].head < start
        for k, token in enumerate(parse.tokens[:start])
    )
