"""ROUGE, equal to the package ``rouge-score`` and far faster; and of any language, by words of Unicode."""

from gistmill.rules.rouge.scoring import Score as Score
from gistmill.rules.rouge.scoring import score as score
from gistmill.rules.rouge.scoring import tokenise as tokenise

__all__ = ["Score", "score", "tokenise"]
