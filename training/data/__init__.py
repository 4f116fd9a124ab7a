"""Batches of rows from published datasets: shuffled, mixed, bucketed by length and exactly resumable; without torch."""
