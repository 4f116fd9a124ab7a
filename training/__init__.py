"""Trains models on published datasets, evaluates and exports them: ``gistmill-train``."""
