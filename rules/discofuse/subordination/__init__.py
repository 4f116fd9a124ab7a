"""Clauses and participle phrases under a main clause (paper, Table 14, rows 3 to 5)."""
