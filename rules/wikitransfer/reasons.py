"""The reasons of the WikiTransfer recipe."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class WikiTransferReason(Reason):
    """Why a profile, or all of them, reject a document."""

    SUMMARY_TOO_SHORT = "the summary has too few words"
    SUMMARY_TOO_LONG = "the summary has too many words"
    DOCUMENT_TOO_SHORT = "the document, less its summary, has too few words"
    DOCUMENT_TOO_LONG = "the document, less its summary, has too many words"
    ORACLE_TOO_LOW = "the ROUGE of the extractive oracle is below the profile's range"
    ORACLE_TOO_HIGH = "the ROUGE of the extractive oracle is above the profile's range"
    NO_PROFILE = "no profile could use the document"
