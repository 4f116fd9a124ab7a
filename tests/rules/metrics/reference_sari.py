"""SARI written down plainly and slowly from the definitions, and the texts on which the three kinds differ."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

DIGITS, MARKS = "0123456789", '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'
WORDS = (
    "a b c d the The THE cat Cat , . ; ' \" - 1 2 1.5 3,000 1. ,5 .. ... a..9 1..5 9.,8 5-year 5--6 -\n &amp; &lt;x&gt; "
    "&quot; &amp;lt; <skipped> a<skipped>b <SKIPPED> ( ) [x] x_y don't i.e. U.S. naïve İ Σ ΑΣ ß 日本 。 \x1c \u2028 \xa0 "
    "\t \r {~} $5 100% # @ 0 00 \0 \0\0 \ud800 internationalisation internationalisations"
).split(" ")


def tokens_13a(text: str) -> list[str]:
    text = text.lower().replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    for entity, mark in (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">")):
        text = text.replace(entity, mark)
    text = "".join(f" {c} " if c in MARKS else c for c in f" {text} ")
    text = by_twos(text, lambda a, b: a not in DIGITS and b in ".,", "{} {} ".format)
    text = by_twos(text, lambda a, b: a in ".," and b not in DIGITS, " {} {}".format)
    return by_twos(text, lambda a, b: a in DIGITS and b == "-", "{} {} ".format).split()


def by_twos(text, fits, written):
    """Goes through the text once; two characters that fit are written anew and not looked at again."""
    out, i = "", 0
    while i < len(text):
        if i + 1 < len(text) and fits(text[i], text[i + 1]):
            out, i = out + written(text[i], text[i + 1]), i + 2
        else:
            out, i = out + text[i], i + 1
    return out


def grams(tokens: Sequence[str], n: int) -> Counter:
    return Counter(tuple(tokens[i : i + n]) for i in range(len(tokens) - n + 1))


def harmonic(p: Fraction, r: Fraction) -> Fraction:
    return 2 * p * r / (p + r) if p + r else Fraction(0)


def share(part, whole, empty: int) -> Fraction:
    return Fraction(part) / whole if whole else Fraction(empty)


def discofuse(source: str, prediction: str, references: Sequence[str]) -> tuple[float, ...]:
    """keep, add, delete: sets of n-grams, each weighted by the share of the references that are long enough and have it."""
    s, p, *rs = (t.lower().split() for t in (source, prediction, *references))
    sums = [Fraction(0)] * 3
    for n in range(1, 5):
        source_grams, output, gold = set(grams(s, n)), set(grams(p, n)), [set(grams(r, n)) for r in rs]
        long_enough = max(1, sum(bool(g) for g in gold))
        weight = {
            g: Fraction(sum(g in one for one in gold), long_enough) for g in source_grams | output | set().union(*gold)
        }
        kept, deleted, added = source_grams & output, source_grams - output, output - source_grams
        wanted = set().union(*gold) - source_grams
        for i, (correct, chosen, relevant) in enumerate(
            (
                (sum(weight[g] for g in kept), len(kept), sum(weight[g] for g in source_grams)),
                (len(added & wanted), len(added), len(wanted)),
                (sum(1 - weight[g] for g in deleted), len(deleted), sum(1 - weight[g] for g in source_grams)),
            )
        ):
            sums[i] += harmonic(share(correct, chosen, 1), share(correct, relevant, 1))
    return tuple(float(x / 4) for x in sums)


def huggingface(source: str, prediction: str, references: Sequence[str]) -> tuple[float, ...]:
    """keep, add, delete: counts times the number of references; the deleted by precision alone."""
    s, p, *rs = (tokens_13a(t) or [""] for t in (source, prediction, *references))
    k, sums = len(references), [Fraction(0)] * 3
    for n in range(1, 5):
        source_grams, output, gold = grams(s, n), grams(p, n), sum((grams(r, n) for r in rs), Counter())
        kept = {g: min(source_grams[g], output[g]) * k for g in source_grams if g in output}
        wanted = {g: min(source_grams[g] * k, gold[g]) for g in source_grams if g in gold}
        good = {g: min(kept[g], gold[g]) for g in kept}
        precision = share(sum(Fraction(good[g], kept[g]) for g in kept), len(kept), 1)
        sums[0] += harmonic(precision, share(sum(good.values()), sum(wanted.values()), 1))
        added, new = set(output) - set(source_grams), set(gold) - set(source_grams)
        sums[1] += harmonic(share(len(added & new), len(added), 1), share(len(added & new), len(new), 1))
        deleted = {g: (c - output[g]) * k for g, c in source_grams.items() if c > output[g]}
        sums[2] += share(sum(Fraction(max(0, c - gold[g]), c) for g, c in deleted.items()), len(deleted), 1)
    return tuple(float(x / 4) for x in sums)


def easse(rows: Sequence[tuple[str, str, Sequence[str]]]) -> tuple[float, ...]:
    """keep, add, delete of all rows together: counts are summed over the rows before anything is divided."""
    counts = {(n, part): [0, 0, 0] for n in range(1, 5) for part in range(3)}
    for source, prediction, references in rows:
        s, p, *rs = (tokens_13a(t) for t in (source, prediction, *references))
        for n in range(1, 5):
            source_grams, output = ({g: c * len(rs) for g, c in grams(t, n).items()} for t in (s, p))
            gold = sum((grams(r, n) for r in rs), Counter())
            kept, wanted = Counter(source_grams) & Counter(output), Counter(source_grams) & gold
            deleted, unwanted = Counter(source_grams) - Counter(output), Counter(source_grams) - gold
            added, new = set(output) - set(source_grams), set(gold) - set(source_grams)
            for part, found in enumerate(
                (
                    (kept & wanted, kept, wanted),
                    (Counter(added & new), Counter(added), Counter(new)),
                    (deleted & unwanted, deleted, unwanted),
                )
            ):
                for i, counter in enumerate(found):
                    counts[n, part][i] += sum(counter.values())
    f1 = {key: harmonic(share(c, p, 0), share(c, w, 0)) for key, (c, p, w) in counts.items()}
    return tuple(float(sum(f1[n, part] for n in range(1, 5)) / 4) for part in range(3))
