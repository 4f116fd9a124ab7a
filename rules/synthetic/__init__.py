"""Synthetic documents and their summaries."""
