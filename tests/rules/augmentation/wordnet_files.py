"""A WordNet of a few words, in the form of its files."""

_LICENCE = "  1 This is not WordNet, but has its form.\n"


def _index(*lines: str) -> str:
    return _LICENCE + "".join(f"{line}  \n" for line in lines)


def _data(*lines: str) -> str:
    return _LICENCE + "".join(f'{line} | a gloss; "and + 01 an example"  \n' for line in lines)


FILES = {
    "index.noun": _index(
        "auto n 1 0 1 1 00000001",
        "car n 2 1 @ 2 1 00000001 00000002",
        "machine n 2 0 2 1 00000003 00000001",
        "railcar n 1 0 1 0 00000002",
        "banger n 1 0 1 0 00000001",
        "motor_car n 1 0 1 0 00000001",
    ),
    "data.noun": _data(
        "00000001 06 n 05 car 0 auto 0 machine 0 banger 0 motor_car 0 001 ;u 00000009 n 0400",
        "00000002 06 n 02 car 0 railcar 0 000",
        "00000003 06 n 01 machine 0 000",
    ),
    "index.verb": _index("buy v 1 0 1 1 00000011", "purchase v 1 0 1 1 00000011"),
    "data.verb": _data("00000011 40 v 02 buy 0 purchase 0 001 @ 00000012 v 0000 03 + 02 00 + 08 00 + 16 00"),
    "index.adj": _index("big a 1 0 1 1 00000022", "large a 1 0 1 1 00000022", "great a 2 0 2 1 00000023 00000022"),
    "data.adj": _data("00000022 00 s 03 large 0 big 0 great(a) 0 000", "00000023 00 a 01 great 0 000"),
    "index.adv": _index("fast r 1 0 1 0 00000031"),
    "data.adv": _data("00000031 02 r 01 fast 0 000"),
    "cntlist.rev": (
        "auto%1:06:00:: 1 5\ncar%1:06:00:: 1 71\ncar%1:06:01:: 2 2\nmachine%1:06:00:: 1 40\nmachine%1:06:01:: 2 1\n"
        "buy%2:40:00:: 1 60\npurchase%2:40:00:: 1 20\nbig%3:00:01:: 1 90\nlarge%3:00:00:: 1 80\n"
        "great%5:00:00:large:00 2 3\ngreat%3:00:00:: 1 70\n"
    ),
}
