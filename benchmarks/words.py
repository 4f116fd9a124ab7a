"""Speed of the words of languages on one core, and of what is made of them, beside the rules for English.

    python -m benchmarks.words [--texts de.txt ja.txt ...] [--rounds 5]

The English text is that of the slice of Wikipedia that gensim ships, by the rules for English and by Unicode. A file of
other texts is named after the code of its language and has a sentence a line. "words" finds them as they are matched,
"counts" only their number, and "tokens" tokenises for ROUGE, each a sentence at a time. Rates are sentences per second
of processor time, medians of runs taken in turn; every run begins with no word known. The last line is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from benchmarks.measuring import in_turn, machine, median, table, timed
from benchmarks.slice import slice_path
from benchmarks.wiki_pages import read_pages
from gistmill.rules.languages.language import ENGLISH, language_named
from gistmill.rules.rouge.tokens import ROUGE_SCORE, UNICODE, tokenise
from gistmill.rules.text import words as rules
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.words import Words, unicode_words, words_for

Row = dict[str, object]


def texts(paths: Sequence[Path]) -> Iterator[tuple[str, str, Words, list[str]]]:
    """The label, the way of ROUGE, the words and the sentences of each text."""
    pages = read_pages(slice_path())
    english = [s for page in pages for line in page.text.split("\n") for s in split_sentences(line)]
    yield "en, rules for English", ROUGE_SCORE, words_for(ENGLISH), english
    yield "en, Unicode", UNICODE, unicode_words(language_named(ENGLISH)), english
    for path in paths:
        lines = path.read_text(encoding="utf-8").split("\n")
        yield path.stem, UNICODE, words_for(path.stem), [line for line in lines if line]


def rates(label: str, way: str, words: Words, sentences: Sequence[str], rounds: int) -> Row:
    """The row of a text: its size, and sentences a second of each use."""
    tokens = partial(tokenise, words=way, language=words.language.code)
    uses: dict[str, Callable[[str], object]] = {"words": words.of, "counts": words.count, "tokens": tokens}
    seconds = in_turn({name: partial(_from_nothing, use, sentences) for name, use in uses.items()}, times=rounds)
    size = {"text": label, "sentences": len(sentences), "words each": round(_length(words, sentences), 1)}
    return size | {f"{name}/s": round(len(sentences) / median(found)) for name, found in seconds.items()}


def _length(words: Words, sentences: Sequence[str]) -> float:
    return sum(map(words.count, sentences)) / len(sentences)


def _from_nothing(use: Callable[[str], object], sentences: Sequence[str]) -> float:
    rules._fold.cache_clear()
    rules._fold_dotless.cache_clear()
    return timed(lambda: [use(s) for s in sentences], clock=time.process_time)


def main() -> None:
    """Prints the rates."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, nargs="+", default=[], metavar="CODE.txt", help="a sentence a line")
    parser.add_argument("--rounds", type=int, default=5, help="runs that the medians are of")
    arguments = parser.parse_args()
    print(machine(("icu4py", "stopwordsiso")))
    rows = [rates(*text, arguments.rounds) for text in texts(arguments.texts)]
    print(table(list(rows[0]), [[str(cell) for cell in row.values()] for row in rows]))
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
