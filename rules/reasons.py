"""The reasons for which documents are rejected before a recipe sees them, and those that recipes share."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class ReadReason(Reason):
    """Why a source rejects a page, a response or a line."""

    BAD_XML = "the page is not well-formed XML"
    BAD_PAGE = "the page lacks an id or a title"
    EMPTY_PAGE = "the page has no text"
    NAMESPACE = "the page is outside the wanted namespaces"
    NOT_WIKITEXT = "the content of the page is not wikitext but, for example, JSON or CSS"
    REDIRECT = "the page is a redirect"
    DISAMBIGUATION = "the page is a disambiguation page"
    OLD_VERSION = "another line of the snapshot has the page in a newer version, or in the same one before it"
    TOO_LARGE = "the document is over the size cap"
    BAD_RECORD = "the WARC record is broken, or holds no HTTP response"
    HTTP_STATUS = "the response has another status than 200"
    NOT_HTML = "the response is not an HTML page"
    BAD_CODING = "the transfer or content coding of the page cannot be undone"
    BAD_LINE = "the line is not a JSON object with the wanted fields"


class PairReason(Reason):
    """Why a source of pairs rejects a row."""

    BAD_ROW = "the row cannot be read, or a field of it is of another kind than it has to be"
    NO_TEXT = "the pair has no inputs or no targets"
    NO_ID = "the row has no id, and its dataset has ids"


class CleanReason(Reason):
    """Why cleaning rejects a document."""

    TOO_MANY_OPENERS = "more unclosed markup openers than the parser can handle in time"
    TOO_DEEP = "markup nested deeper than the cap"
    DEADLINE = "the parser or the rules did not finish before the deadline"
    PARSER_DIED = "the parser's process died on this document"
    EXTRACTOR_FAILED = "the extractor of articles raised an error on this page"
    NO_PROSE = "no paragraph of prose is left after cleaning"
    LANGUAGE = "the text is not in a wanted language"


class DuplicateReason(Reason):
    """Why deduplication and decontamination reject a document."""

    EXACT_DUPLICATE = "the words of the document are those of another one"
    NEAR_DUPLICATE = "the document is nearly the same as another one"
    CONTAMINATED = "the document shares text with an evaluation set"


class DocumentReason(Reason):
    """Why more than one recipe rejects a document."""

    TOO_FEW_SENTENCES = "the document has too few sentences"


def meanings(*kinds: type[Reason]) -> dict[str, str]:
    """Returns what each reason of the enumerations means, by name."""
    return {reason.name: str(reason.value) for kind in kinds for reason in kind}
