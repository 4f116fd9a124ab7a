"""The elementary tasks: what each puts into a document, and what it says of it."""
