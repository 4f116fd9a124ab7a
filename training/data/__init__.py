"""Rows of published datasets as batches: shuffled, mixed, bucketed by length, and exactly resumable. No torch."""
