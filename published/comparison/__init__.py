"""Comparison of two published datasets of a recipe: rows, documents, lengths, and the bytes that an upload sends."""
