"""Word pieces of tokens, and the sequence of a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_MOST_WORDS = 50_000  # that are remembered; a server runs for months
_MOST_PIECES = 12  # of one word; a longer one is an address or a formula


class WordPieces:
    """Cuts words into the encoder's vocabulary, each on its own, with a cache.

    Args:
        path: ``tokenizer.json`` of the encoder.
    """

    def __init__(self, path: str | Path) -> None:
        from tokenizers import Tokenizer

        self._tokenizer = Tokenizer.from_file(str(path))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._cache: dict[str, list[int]] = {}
        vocabulary = self._tokenizer.get_vocab()
        self.opening, self.separator, self._unknown = (vocabulary[t] for t in ("[CLS]", "[SEP]", "[UNK]"))

    def pieces(self, word: str) -> list[int]:
        """Returns the ids of a word's pieces; at least one."""
        found = self._cache.get(word)
        if found is None:
            if len(self._cache) > _MOST_WORDS:
                self._cache.clear()
            ids = self._tokenizer.encode(word, add_special_tokens=False).ids[:_MOST_PIECES]
            found = self._cache[word] = ids or [self._unknown]
        return found

    def sequence(self, title: Sequence[int], words: Sequence[Sequence[int]]) -> tuple[list[int], list[int]]:
        """Returns the ids of ``[CLS] title [SEP] words [SEP]`` and where each word begins (one more for the end)."""
        ids = [self.opening, *title, self.separator] if title else [self.opening]
        starts = []
        for word in words:
            starts.append(len(ids))
            ids.extend(word)
        starts.append(len(ids))
        ids.append(self.separator)
        return ids, starts
