"""Datasets that Gistmill published, for programs that read them: no Beam, no spaCy, pyarrow only where it is used."""
