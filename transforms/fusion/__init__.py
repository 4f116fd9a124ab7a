"""Sentence fusion by a trained tagger, without torch."""
