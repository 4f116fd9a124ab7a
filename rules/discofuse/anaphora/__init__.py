"""Pronouns and other mentions in the second half: their referents and replacements (paper, Table 14, row 2)."""
