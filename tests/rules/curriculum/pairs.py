"""Pairs of text and summary for the tests: of a file, and made ones."""

import json
import random

# Forms of few lemmas, so that words repeat, are substituted, and change their order.
WORDS = (
    "kill kills killed killing goal goals leave left leaves leaf having had fire fired better best run ran running child "
    "children Kathmandu koirala's don't well-known the of said 42 3.5 $1,000 café naïve “quake” — … -- ' `` '' U.S. ŒUVRE"
).split()


def pairs_of(file):
    """The pairs of articles and summaries of a file."""
    with file.open(encoding="utf-8") as lines:
        return [(row["document"], row["summary"]) for row in map(json.loads, lines)]


def made_pairs(count, *, seed=11):
    """Pairs of drawn words; some summaries are runs of the text, some are empty, some are longer than the text."""
    draw = random.Random(seed)
    pairs = []
    for _ in range(count):
        text = draw.choices(WORDS, k=draw.randrange(0, 60))
        start = draw.randrange(len(text) + 1)
        summary = text[start : start + draw.randrange(12)] + draw.choices(WORDS, k=draw.choice((0, 1, 3, 10, 70)))
        pairs.append((" ".join(text), " ".join(summary)))
    return pairs
