"""Pronouns and other mentions in the second half: what they mean, and what replaces them (paper, Table 14, row 2)."""
