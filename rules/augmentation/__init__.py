"""Augmentation, which makes changed copies of pairs by EDA or by round-trip translation."""
