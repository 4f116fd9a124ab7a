"""Noun phrases: where they end, what they mean, and which of them may be the same."""
