"""The reasons of the recipe ``propositions``."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class PropositionsReason(Reason):
    """Why a sentence or a document gives no proposition."""

    NO_PROPOSITIONS = "no sentence of the document states anything"
    TOO_SHORT = "fewer tokens than subject, verb and final mark"
    RUN_ON = "far more tokens than a sentence has, so that it is not a sentence: the text lacks full stops"
    QUESTION = "a question asserts nothing"
    NO_VERB = "no verb"
    NO_SUBJECT = "it begins with its verb: what it is about stands elsewhere"
    CUT = "it begins in lower case, so that its beginning is missing"
    NO_END = "no final punctuation, so that its end may be missing"
    RESIDUE = "left-over punctuation or markup"
    DANGLING = "it ends in a word that needs something after it"
