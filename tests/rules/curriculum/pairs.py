"""Words that the tests draw, and the pairs of a file."""

import json

# Forms of few lemmas, so that words repeat, are substituted, and change their order.
WORDS = (
    "kill kills killed killing goal goals leave left leaves leaf having had fire fired better best run ran running child "
    "children Kathmandu koirala's don't well-known the of said 42 3.5 $1,000 café naïve “quake” — … -- ' `` '' U.S. ŒUVRE"
).split()


def pairs_of(file):
    """The pairs of articles and summaries of a file."""
    with file.open(encoding="utf-8") as lines:
        return [(row["document"], row["summary"]) for row in map(json.loads, lines)]
