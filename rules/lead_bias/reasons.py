"""The reasons of the lead-bias recipe."""

from __future__ import annotations

from gistmill.core.verdict import Reason


class LeadBiasReason(Reason):
    """Why the lead-bias recipe rejects a document."""

    NO_LEAD = "the document has no lead of the kind asked for"
    LEAD_TOO_SHORT = "the lead has too few words"
    LEAD_TOO_LONG = "the lead has too many words"
    REST_TOO_SHORT = "what follows the lead has too few words"
    REST_TOO_LONG = "what follows the lead has too many words"
    LEAD_REPEATED = "a sentence of the lead is repeated in the rest, alone or within a longer one"
    LOW_OVERLAP = "too few of the lead's words occur in the rest"
