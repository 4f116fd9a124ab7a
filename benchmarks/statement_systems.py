"""Three ways from a text to statements: its sentences as they are, other people's clause splitters, and Gistmill's own.

All of them get the sentences that the parser of the own one finds, so that their statements can be compared one by one.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.clause_splitters import NOT_THERE
from benchmarks.commands import stock_environment
from benchmarks.language import batches
from benchmarks.measuring import timed
from gistmill.pipelines.documents import clean
from gistmill.rules.coreference.sieve import Sieve
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Sentence, natural_text
from gistmill.rules.propositions.config import PropositionsConfig
from gistmill.rules.propositions.statements import Divided, Stater
from gistmill.rules.propositions.statements import Statement as OwnStatement
from gistmill.rules.text.segment import split_sentences
from gistmill.transforms.models import describe_model, load_model
from gistmill.transforms.steps.annotator import Annotator

OWN, SENTENCES = "propositions", "sentences"
INSTALL = {
    "clause-segmenter": "pip install spacy && pip install --no-deps clause-segmenter",
    "textacy": "pip install textacy",
    "claucy": "pip install git+https://github.com/mmxgn/spacy-clausie",
}
_SCRIPT = Path(__file__).with_name("clause_splitters.py")
_WARM = "Ann, a baker, was seen in Rome. She wrote two books, which were sold."
_GAVE_WAY = re.compile(r"REPLACE (.+?) by ")


@dataclass(frozen=True, slots=True)
class Passage:
    """A sentence in its text.

    Attributes:
        id: its document and its number there, from 0.
        title: of the document.
        text: the sentence.
        before: the two sentences before it.
        parse: its tokens.
    """

    id: str
    title: str
    text: str
    before: str
    parse: Sentence


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement that a system has made of a sentence.

    Attributes:
        text: it.
        gave_way: mentions of the sentence for which it has their antecedents, joined by spaces.
        resolved: whether the system says that it stands alone; None of systems that do not say.
    """

    text: str
    gave_way: str = ""
    resolved: bool | None = None


Made = list[tuple[Statement, ...]]  # for each passage


@dataclass(frozen=True, slots=True)
class Run:
    """What a system has made of passages, and the processor time that it took, its loading left out."""

    made: Made
    seconds: float


def texts_of(path: Path) -> Iterator[CleanDocument]:
    """Yields the documents of a file of JSON lines with ``text`` and, if wanted, ``title`` and ``id``.

    Raises:
        ValueError: the file cannot be read, or a line has no text.
    """
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                value = json.loads(line)
                yield clean(value["text"], title=value.get("title", ""), id=str(value.get("id", f"line-{number}")))
    except OSError as error:
        raise ValueError(f"{path} cannot be read: {error.strerror}") from None
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{path} has no JSON lines with a text: {error!r}") from None


def run_own(documents: Sequence[CleanDocument]) -> tuple[list[Passage], Run]:
    """Returns the sentences of documents, and their statements by the rules; parse and coreference are included."""
    annotator, stater = Annotator(load_model(), Sieve()), Stater(PropositionsConfig())
    for document in annotator.annotate([clean(_WARM)]):
        list(stater.sentences(document))
    passages: list[Passage] = []
    made: Made = []
    seconds = 0.0
    for batch in batches(documents):
        start = time.process_time()
        found = [(document, list(stater.sentences(document))) for document in annotator.annotate(batch)]
        seconds += time.process_time() - start
        for document, sentences in found:
            passages.extend(_passages(document))
            made.extend(_own(divided.statements) if isinstance(divided, Divided) else () for _, divided in sentences)
    return passages, Run(made, seconds)


def _passages(document: AnnotatedDocument) -> Iterator[Passage]:
    texts = [natural_text(sentence.tokens) for sentence in document.sentences]
    for number, (text, parse) in enumerate(zip(texts, document.sentences, strict=True)):
        before = " ".join(texts[max(0, number - 2) : number])
        yield Passage(f"{document.id}-{number:05d}", document.origin.title, text, before, parse)


def _own(statements: Sequence[OwnStatement]) -> tuple[Statement, ...]:
    return tuple(
        Statement(s.text, " ".join(m[1] for o in s.operations if (m := _GAVE_WAY.match(o))), not s.unresolved)
        for s in statements
    )


def run_sentences(documents: Sequence[CleanDocument], passages: Sequence[Passage]) -> Run:
    """Returns each sentence as its statement. The time is that of the rules that find sentences without a parse."""
    paragraphs = [p for d in documents for s in d.sections for p in s.paragraphs]
    seconds = timed(lambda: [split_sentences(p) for p in paragraphs], clock=time.process_time)
    return Run([(Statement(p.text),) for p in passages], seconds)


def is_there(splitter: str, python: str) -> bool:
    """Whether a Python has a clause splitter.

    Raises:
        ValueError: it cannot be run, or has no spaCy.
    """
    try:
        done = subprocess.run([python, str(_SCRIPT), "--find", splitter], capture_output=True, text=True)
    except OSError as error:
        raise ValueError(f"--other {python}: {error.strerror}") from None
    if done.returncode not in (0, NOT_THERE):
        raise ValueError(f"--other {python}: {_last_line(done.stderr)}")
    return done.returncode == 0


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def run_other(splitter: str, python: str, passages: Sequence[Passage]) -> tuple[Run, Mapping[str, Any]]:
    """Returns the statements of a clause splitter in a process of its own, with the model of the own system; and what
    else its script says.

    Raises:
        ValueError: it failed.
    """
    words = [python, str(_SCRIPT), splitter, describe_model().path]
    texts = json.dumps([p.text for p in passages])
    done = subprocess.run(words, env=stock_environment(os.environ), input=texts, capture_output=True, text=True)
    if done.returncode:
        raise ValueError(f"{splitter} fails: {_last_line(done.stderr)}")
    said = json.loads(done.stdout)
    made = [tuple(Statement(text) for text in texts) for texts in said.pop("statements")]
    return Run(made, said.pop("seconds")), said
