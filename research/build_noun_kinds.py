"""Makes rules/coreference/data/noun_kinds.txt of the files of WordNet 3.0 (Debian's package ``wordnet-base`` has them
in /usr/share/wordnet).

    python -m research.build_noun_kinds --wordnet DIR

A kind is a lexicographer class (lexnames(5WN)) or several of them; places and works are told apart by a synset above
too. Individuals ("Paris") and phrases are left out. WordNet's licence is in NOTICE-WordNet.txt beside the table.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gistmill.rules.augmentation.eda.wordnet import COUNTS, records, senses_of, tagged_counts
from gistmill.rules.coreference.noun_kinds import LEAST_SHARE, Kind

TARGET = Path(__file__).parent.parent / "rules" / "coreference" / "data" / "noun_kinds.txt"
# Numbers of the lexicographer's files. 03 holds the tops of the hierarchy, which are above more than one kind.
_CLASSES = {
    Kind.PERSON: "18",
    Kind.ANIMAL: "05",
    Kind.GROUP: "14",
    Kind.PLACE: "15",
    Kind.WORK: "10",
    Kind.THING: "06 08 13 17 20 27",
    Kind.EVENT: "04 11 19 22",
    Kind.IDEA: "09",
    Kind.STATE: "07 12 16 24 25 26",
    Kind.MEASURE: "21 23 28",
}
_KIND_OF_CLASS = {number: kind for kind, numbers in _CLASSES.items() for number in numbers.split()}
# Synsets below which objects and artifacts are places or works, by a word and the number of its sense.
ANCHORS = {
    ("structure", 1): Kind.PLACE,
    ("facility", 1): Kind.PLACE,
    ("road", 1): Kind.PLACE,
    ("geological_formation", 1): Kind.PLACE,
    ("body_of_water", 1): Kind.PLACE,
    ("land", 4): Kind.PLACE,
    ("region", 1): Kind.PLACE,
    ("region", 3): Kind.PLACE,
    ("creation", 2): Kind.WORK,
}
_INSTANCE = "@i"


@dataclass(frozen=True, slots=True)
class _Synset:
    lexicographer: str
    above: tuple[str, ...]
    individual: bool


def main(argv: list[str] | None = None) -> None:
    """Writes the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", type=Path, required=True)
    folder = parser.parse_args(argv).wordnet
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in ("data.noun", "index.noun", COUNTS)}
    TARGET.write_text("".join(f"{word} {''.join(kinds)}\n" for word, kinds in table(texts)), encoding="utf-8")


def table(
    texts: Mapping[str, str], *, anchors: Mapping[tuple[str, int], Kind] = ANCHORS
) -> Iterator[tuple[str, list[Kind]]]:
    """Yields the nouns in the order of ``index.noun``, each with its kinds, the most used first.

    Args:
        texts: the contents of the files ``data.noun``, ``index.noun`` and ``cntlist.rev`` by name.
        anchors: the synsets below which objects and artifacts have a kind of their own.
    """
    synsets = dict(_synsets(texts["data.noun"]))
    words = dict(senses_of(texts["index.noun"], "n", dict(tagged_counts(texts[COUNTS]))))
    special = {words[word].synsets[number - 1]: kind for (word, number), kind in anchors.items()}
    for word, senses in words.items():
        if not word.isalpha():
            continue
        shares: dict[Kind, float] = {}
        for offset in senses.synsets:
            kind = None if synsets[offset].individual else _kind(offset, synsets, special)
            if kind is not None:
                shares[kind] = shares.get(kind, 0.0) + senses.share(offset)
        ordered = sorted(shares, key=lambda kind: -shares[kind])
        found = [kind for kind in ordered if shares[kind] >= LEAST_SHARE]
        if found:
            yield word, found


def _synsets(text: str) -> Iterator[tuple[str, _Synset]]:
    for line in records(text):
        fields = line.partition(" | ")[0].split()
        rest = fields[4 + 2 * int(fields[3], 16) :]
        pointers = [rest[1 + 4 * i : 5 + 4 * i] for i in range(int(rest[0]))]
        above = tuple(target for symbol, target, _, _ in pointers if symbol == "@")
        yield fields[0], _Synset(fields[1], above, any(symbol == _INSTANCE for symbol, *_ in pointers))


def _kind(offset: str, synsets: dict[str, _Synset], anchors: dict[str, Kind]) -> Kind | None:
    kind = _KIND_OF_CLASS.get(synsets[offset].lexicographer)
    if kind is not Kind.THING:
        return kind
    at: str | None = offset
    while at is not None:
        if at in anchors:
            return anchors[at]
        at = next(iter(synsets[at].above), None)
    return kind


if __name__ == "__main__":
    main()
