"""The words of a text, and its content words."""

from __future__ import annotations

import re

# The English list of NLTK's stopwords corpus (179 entries, https://www.nltk.org/nltk_data/). Its pieces of contractions
# ("didn", "t", "ll") fit words that end at an apostrophe; its whole contractions never occur then and are left out.
STOP_WORDS = frozenset(
    "i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself "
    "it its itself they them their theirs themselves what which who whom this that these those am is are was were be "
    "been being have has had having do does did doing a an the and but if or because as until while of at by for with "
    "about against between into through during before after above below to from up down in out on off over under again "
    "further then once here there when where why how all any both each few more most other some such no nor not only "
    "own same so than too very s t can will just don should now d ll m o re ve y ain aren couldn didn doesn hadn hasn "
    "haven isn ma mightn mustn needn shan shouldn wasn weren won wouldn".split()
)
_find_words = re.compile(r"[^\W_]+").findall
# The same for ASCII, in less than half the time: capitals to small letters, all else to spaces.
_ASCII = {i: chr(i).lower() if chr(i).isalnum() else " " for i in range(128)}
_USUAL_MARKS = "’‘“”–—…\u00a0"  # what keeps most of the other English texts from being ASCII


def words_of(text: str) -> list[str]:
    """Returns the words of a text: runs of letters and digits in lower case, every occurrence in order."""
    if not text.isascii():
        for mark in _USUAL_MARKS:
            text = text.replace(mark, " ")
        if not text.isascii():
            return _find_words(text.lower())
    return text.translate(_ASCII).split()


def content_words(text: str) -> list[str]:
    """Returns the words of a text other than stop words."""
    return [w for w in words_of(text) if w not in STOP_WORDS]
