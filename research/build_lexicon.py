"""Makes the word lists of rules/coreference/data from the PyPI package coreferee 1.5.0 (``pip download
coreferee==1.5.0 --no-deps``).

    python -m research.build_lexicon --wheel coreferee-1.5.0-py3-none-any.whl

The licences of the package and of its sources are copied into NOTICE.txt beside the lists.
"""

from __future__ import annotations

import argparse
import zipfile
from pathlib import Path

TARGET = Path(__file__).parent.parent / "rules" / "coreference" / "data"
COMMON, ENGLISH = "coreferee/lang/common/data/", "coreferee/lang/en/data/"
NOTICES = ("coreferee-1.5.0.dist-info/licenses/LICENSE", COMMON + "LICENSE", ENGLISH + "LICENSE")


def main(argv: list[str] | None = None) -> None:
    """Writes the four lists and the notice."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wheel", type=Path, required=True)
    with zipfile.ZipFile(parser.parse_args(argv).wheel) as wheel:
        words = {
            n: set(wheel.read(n).decode("utf-8").split("\n")) - {""} for n in wheel.namelist() if n.endswith(".dat")
        }
        notices = [wheel.read(name).decode("utf-8") for name in NOTICES]
    male, female = words[COMMON + "male_names.dat"], words[COMMON + "female_names.dat"]
    persons = {w for w in words[ENGLISH + "exclusively_person_words.dat"] if w.isalpha() and w.islower()}
    lists = {
        "male_names": male - female,
        "female_names": female - male,
        "unisex_names": male & female,
        "person_nouns": persons,
    }
    for name, entries in lists.items():
        (TARGET / f"{name}.txt").write_text("\n".join(sorted(entries)) + "\n", encoding="utf-8")
    head = "*_names.txt and person_nouns.txt derive from the PyPI package coreferee 1.5.0, under these licences.\n"
    (TARGET / "NOTICE.txt").write_text("\n\n----\n\n".join([head, *notices]).strip() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
