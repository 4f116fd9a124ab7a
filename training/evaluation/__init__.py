"""Evaluation of predictions from any kind of model, read from JSON Lines files, without torch."""
