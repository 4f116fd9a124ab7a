"""Verdict, the answer of every filter, and Reason, the closed list of what can be wrong."""
from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Reason(str, Enum):
    """Every reason for which the system refuses a document, a sentence or a pair."""

    # read
    BAD_XML = "the page is not well-formed XML"
    BAD_PAGE = "the page lacks an id or a title"
    EMPTY_PAGE = "the page has no text"
    NAMESPACE = "the page is outside the wanted namespaces"
    REDIRECT = "the page is a redirect"
    DISAMBIGUATION = "the page is a disambiguation page"
    TOO_LARGE = "the document is over the size cap"
    BAD_RECORD = "the WARC record is broken, or holds no HTTP response"
    HTTP_STATUS = "the response has another status than 200"
    NOT_HTML = "the response is no HTML page"
    BAD_CODING = "the transfer or content coding of the page cannot be undone"
    BAD_LINE = "the line is no JSON object with the wanted fields"
    # clean
    TOO_MANY_OPENERS = "more unclosed markup openers than the parser can handle in time"
    TOO_DEEP = "markup nested deeper than the cap"
    DEADLINE = "the parser did not finish before the deadline"
    PARSER_DIED = "the parser's process died on this document"
    EXTRACTOR_FAILED = "the extractor of articles raised an error on this page"
    NO_PROSE = "no paragraph of prose is left after cleaning"
    LANGUAGE = "the text is not in a wanted language"
    # deduplicate, decontaminate
    EXACT_DUPLICATE = "the words of the document are those of another one"
    NEAR_DUPLICATE = "the document is nearly the same as another one"
    CONTAMINATED = "the document shares text with an evaluation set"
    # recipe
    NO_EXAMPLES = "no sentence or pair of the document gave an example"
    TOO_SHORT = "too few tokens"
    NON_ASCII = "characters outside ASCII"
    NO_PHENOMENON = "no discourse phenomenon was found"
    NO_VERB = "one of the two sentences has no finite main verb"
    NO_SUBJECT = "one of the two sentences has no subject"
    NO_END = "a sentence has no final punctuation"
    UNBALANCED = "quotes or brackets are not balanced within each sentence"
    RESIDUE = "left-over punctuation or markup"
    DANGLING = "a sentence ends in a word that needs something after it"
    OPENING_MARKER = "a sentence opens with a discourse marker that refers to a text which is not there"
    VERB_FORM = "an auxiliary and its verb do not fit together"
    WRONG_SCOPE = "the part to split off belongs to a subordinate clause"
    CLAUSE_CUT = "the closing comma does not close the clause or phrase"
    CLAUSAL_ANTECEDENT = "the relative pronoun or apposition refers to no noun phrase"
    AMBIGUOUS = "more than one noun may be meant"
    DANGLING_PARTICIPLE = "the participle phrase is not about the main clause's subject"
    SHARED_PART = "an object, auxiliary or negation is shared and cannot be copied"
    INVERSION = "the second clause has its verb before its subject"
    LIST = "the phrase between the commas is an item of a list"
    UNCERTAIN_COREFERENCE = "the coreference link is below the confidence that a replacement needs"
    NUMBER = "the replacement does not agree in number with the verb or pronoun"
    NO_LEAD = "the document has no lead of the kind asked for"
    TOO_FEW_SENTENCES = "the document has too few sentences"
    LEAD_TOO_SHORT = "the lead has too few words"
    LEAD_TOO_LONG = "the lead has too many words"
    REST_TOO_SHORT = "what follows the lead has too few words"
    REST_TOO_LONG = "what follows the lead has too many words"
    LEAD_REPEATED = "a sentence of the lead is repeated in the rest"
    LOW_OVERLAP = "too few of the lead's words occur in the rest"
    SUMMARY_TOO_SHORT = "the summary has too few words"
    SUMMARY_TOO_LONG = "the summary has too many words"
    DOCUMENT_TOO_SHORT = "the document, less its summary, has too few words"
    DOCUMENT_TOO_LONG = "the document, less its summary, has too many words"
    ORACLE_TOO_LOW = "the ROUGE of the extractive oracle is below the profile's range"
    ORACLE_TOO_HIGH = "the ROUGE of the extractive oracle is above the profile's range"
    NO_PROFILE = "no profile could use the document"
    MASK_IN_TEXT = "the text holds the mask token"
    REPEATED_ANTECEDENT = "the replacement repeats a name that the sentence already has"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Accepted (``reason`` is None) or refused; ``detail`` is one line for a person.

    It has no truth value on purpose: ask ``verdict.accepted``.
    """

    reason: Reason | None = None
    detail: str = ""

    @property
    def accepted(self) -> bool:
        """Whether nothing was wrong."""
        return self.reason is None

    def __bool__(self) -> bool:
        raise TypeError("a Verdict has no truth value; ask .accepted")


ACCEPTED = Verdict()
