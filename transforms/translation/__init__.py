"""Translators: local models, endpoints and objects of a user's own; their cache; and the way there and back."""
