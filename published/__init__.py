"""Datasets published by Gistmill, for programs that read them: no Beam or spaCy, and pyarrow only where needed."""
