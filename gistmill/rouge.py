"""ROUGE, equal to the package ``rouge-score`` and far faster."""

from rules.rouge.scoring import Score as Score
from rules.rouge.scoring import score as score
from rules.rouge.tokens import tokenise as tokenise

__all__ = ["Score", "score", "tokenise"]
