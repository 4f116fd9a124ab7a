"""Annotations of some small pages, in one batch or several, and a digest of them; a program, so that each process can have
kernels of its own.

    python -m tests.transforms.annotations

By default the process settles its arithmetic as the command does. With ``--as-is`` the kernels are those that its
environment asks for.
"""

from __future__ import annotations

import argparse
import json
import random
import sys

from gistmill.transforms.arithmetic import arithmetic_in_use, settle_arithmetic

parser = argparse.ArgumentParser()
parser.add_argument("--as-is", action="store_true")
parser.add_argument("--coref", default="sieve")
arguments = parser.parse_args()
if arguments.as_is:
    import numpy  # noqa: F401  # before others settle the arithmetic
else:
    settle_arithmetic()

import hashlib  # noqa: E402

from spacy.language import Language  # noqa: E402

from gistmill.core.records import Origin  # noqa: E402
from gistmill.rules.documents import CleanDocument, Section  # noqa: E402
from gistmill.transforms.coreference import load_resolver  # noqa: E402
from gistmill.transforms.models import load_model  # noqa: E402
from gistmill.transforms.parsing.plain import PlainParser  # noqa: E402
from gistmill.transforms.steps.annotator import Annotator  # noqa: E402
from tests.dumps import small_pages  # noqa: E402
from tests.transforms.parsing.texts import slice_texts  # noqa: E402


def documents() -> list[CleanDocument]:
    """A document of each page."""
    texts = (tuple(slice_texts([page])) for page in small_pages()[::2])
    return [
        CleanDocument(Origin(f"wikipedia-{n}", "wikipedia", f"T{n}"), (Section("", 1, found),))
        for n, found in enumerate(texts)
        if found
    ]


def digests(annotator: Annotator, batches: list[list[CleanDocument]]) -> list[str]:
    """Two SHA-256 of what is found, whatever the order of the batches: of sentences, and of clusters with the bits of
    their confidences."""
    found = sorted((d for batch in batches for d in annotator.annotate(batch)), key=lambda d: d.id)
    sentences, clusters = ([getattr(d, name) for d in found] for name in ("sentences", "clusters"))
    return [hashlib.sha256(repr(value).encode()).hexdigest() for value in (sentences, clusters)]


def vectors(nlp: Language, batch: list[CleanDocument]) -> str:
    """SHA-256 of the vectors that spaCy's network gives the tokens, whatever the order of the documents."""
    texts = [text for document in batch for section in document.sections for text in section.paragraphs]
    return hashlib.sha256("".join(sorted(doc.tensor.tobytes().hex() for doc in nlp.pipe(texts))).encode()).hexdigest()


def main() -> None:
    """Prints JSON: the arithmetic, and the digests by way of parsing and batches."""
    model, resolver = load_model(), load_resolver(arguments.coref)
    chosen = documents()
    mixed = random.Random(5).sample(chosen, len(chosen))
    batches = {
        "together": [chosen],
        "alone": [[d] for d in chosen],
        "mixed": [mixed[i : i + 3] for i in range(0, len(mixed), 3)],
    }
    fast, plain = Annotator(model, resolver), Annotator(model, resolver, parser=PlainParser(model.nlp))
    found = {name: digests(fast, batch) for name, batch in batches.items()}
    found |= {"plain": digests(plain, [mixed])}
    bits = [vectors(model.nlp, chosen), vectors(model.nlp, mixed)]
    json.dump({"arithmetic": list(map(str, arithmetic_in_use())), "digests": found, "vectors": bits}, sys.stdout)


if __name__ == "__main__":
    main()
