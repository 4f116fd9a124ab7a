"""Conditions that open a sentence: what stands behind its main clause may be under them too."""

from __future__ import annotations

from gistmill.rules.discofuse.parse import Parse

# The words that open one.
CONDITIONS = frozenset(("if", "unless", "whenever"))
INVERTED = frozenset(("had", "were", "should"))


def under_condition(parse: Parse, start: int, verb: int) -> bool:
    """Whether the sentence opens with a condition that what begins at ``start`` is under too: "If it rains , we stay ,
    so you can come". A simple past says that it came to be, whatever the condition.

    Args:
        parse: the sentence.
        start: where the second part begins, with its conjunction.
        verb: of the second part.
    """
    modal = any(parse.tokens[k].tag == "MD" for k in parse.auxiliaries(verb))
    if parse.past(verb) and not modal:
        return False
    if parse.lower[0] in INVERTED and parse.tokens[0].dep in ("aux", "auxpass") and _opens_early(parse, 0, start):
        return True  # "Had it rained , we would have stayed , and we might"
    return any(
        (word in CONDITIONS or word == "when" and not parse.past(parse.tokens[k].head))
        and _opens_early(parse, k, start)
        for k, word in enumerate(parse.lower[:start])
    )


def _opens_early(parse: Parse, opening: int, start: int) -> bool:
    """Whether a word opens a clause that stands before the verb that it hangs on, and both before ``start``."""
    verb = parse.tokens[opening].head
    return (
        parse.tokens[opening].dep in ("mark", "advmod", "aux", "auxpass")
        and parse.tokens[verb].dep == "advcl"
        and opening < verb < parse.tokens[verb].head < start
    )
