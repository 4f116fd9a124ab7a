"""Translators: models in folders and functions of a user's own; their cache; and the way there and back."""
