"""The words of a text that carry its content: runs of letters and digits in lower case that are no stop words."""
from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain

# The English list of NLTK's stopwords corpus (179 entries, https://www.nltk.org/nltk_data/). Its pieces of contractions
# ("didn", "t", "ll") fit words that end at an apostrophe; its whole contractions never occur then and are left out.
STOP_WORDS = frozenset(
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it its "
    "itself they them their theirs themselves what which who whom this that these those am is are was were be been being "
    "have has had having do does did doing a an the and but if or because as until while of at by for with about against "
    "between into through during before after above below to from up down in out on off over under again further then "
    "once here there when where why how all any both each few more most other some such no nor not only own same so than "
    "too very s t can will just don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn haven isn ma mightn "
    "mustn needn shan shouldn wasn weren won wouldn".split()
)
_WORD = re.compile(r"[^\W_]+")
_MOST_KEPT = 200_000


class _Memo(dict[str, tuple[str, ...]]):
    """Text between white space -> its content words, remembered: nearly every token of a text has been seen before."""

    def __missing__(self, token: str) -> tuple[str, ...]:
        if len(self) >= _MOST_KEPT:
            self.clear()
        words = self[token] = tuple(w for w in _WORD.findall(token.lower()) if w not in STOP_WORDS)
        return words


_content_of = _Memo().__getitem__


def content_words(tokens: Iterable[str]) -> list[str]:
    """Returns the content words, every occurrence in order, of a text that was split at white space."""
    return list(chain.from_iterable(map(_content_of, tokens)))
