"""Parsing of paragraphs into Sentences, with spaCy's own pipeline (``plain``) or several times faster (``fast``)."""
