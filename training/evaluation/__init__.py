"""Scores predictions: of a model of any kind, read from files of JSON lines, without torch."""
