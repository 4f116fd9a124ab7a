"""Propositions: sentences split into statements that stand alone, and the words that keep others from it."""
