"""Translators (models in folders, and functions supplied by users), their cache, and round trips."""
