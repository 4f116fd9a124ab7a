"""Noun phrases: their extent, their referents, and which of them may corefer."""
