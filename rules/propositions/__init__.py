"""Propositions: sentences split into self-contained statements, and words that keep a statement from being one."""
