"""Clauses: what a sentence asserts, under which conditions and frames, and what a clause leaves out."""
