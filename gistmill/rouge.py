"""ROUGE with the scores of the package ``rouge-score``, but much faster and, with Unicode words, for any language."""

from gistmill.rules.rouge.scoring import Score as Score
from gistmill.rules.rouge.scoring import score as score
from gistmill.rules.rouge.scoring import tokenise as tokenise

__all__ = ["Score", "score", "tokenise"]
