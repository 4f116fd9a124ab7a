"""The reasons of the recipe ``propositions``."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class PropositionsReason(Reason):
    """Why a sentence or a document gives no proposition."""

    NO_PROPOSITIONS = "no sentence of the document states anything"
    STATES_TOO_LITTLE = "a sentence has fewer tokens than subject, verb and final mark"
    STATES_WITHOUT_STOPS = "a sentence is far longer than sentences are, so that the text lacks full stops"
    STATES_A_QUESTION = "a question asserts nothing"
    STATES_NO_VERB = "a sentence has no verb"
    STATES_NO_SUBJECT = "a sentence begins with its verb: what it is about stands elsewhere"
    STATES_NO_BEGINNING = "a sentence begins in lower case, so that its beginning is missing"
    STATES_NO_END = "a sentence has no final punctuation, so that its end may be missing"
    STATES_RESIDUE = "a sentence has left-over punctuation or markup"
    STATES_NO_LAST_PART = "the last word of a sentence needs something after it"
