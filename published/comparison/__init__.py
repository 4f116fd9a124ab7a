"""Compares two published datasets of a recipe: rows, documents, lengths, and the bytes that an upload moves."""
