"""Propositions: sentences split into statements that stand alone, and what of them does not."""
