"""ROUGE with the same scores as the package ``rouge-score``, but much faster, and for any language, with Unicode words."""

from gistmill.rules.rouge.scoring import Score as Score
from gistmill.rules.rouge.scoring import score as score
from gistmill.rules.rouge.scoring import tokenise as tokenise

__all__ = ["Score", "score", "tokenise"]
