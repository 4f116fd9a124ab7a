"""Lines by which a site discloses who pays it, asks for consent in a form, or welcomes readers to a series."""

from __future__ import annotations

import re

_PAID = r"\b(?:earn|receive|get|paid|makes?|collect)s? (?:\w+ ){0,4}(?:commissions?|compensation)\b"

# As ``ANYWHERE`` of ``rules/news/phrases.py``.
DISCLOSURES: tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...] = tuple(
    (hints, re.compile(pattern, re.I), True)
    for hints, pattern in (
        (
            ("disclos", "disclaimer", "notice"),
            r"^(?:advertiser|affiliate)(?: links?)? (?:disclosures?|disclaimers?|notices?)\b",
        ),
        # "We may earn a commission if you buy through our links"
        (
            ("commission", "compensat"),
            rf"\b(?:we|site|page|publisher|partners?|[\w.]+\.com)\b.{{0,60}}{_PAID}.{{0,160}}"
            r"\b(?:links?|purchases?|partners?|advertisers?|clicks?|buy|shop)"
            r"|\b(?:links?|advertisers?|partners?|products?|offers?)\b.{0,160}\b(?:we|site|page|publisher)\b.{0,40}"
            rf"{_PAID}|\b(?:advertisers?|partners?)(?: \w+)? (?:may )?compensates? us\b",
        ),
        (
            ("affiliate",),
            r"\baffiliate (?:links?\b|(?:advertising|marketing) (?:program|partner)|commissions?\b)",
        ),
        (
            ("sponsored", "paid"),
            r"^(?:this|the following) (?:article|story|post|content|page|section|feature)s? (?:is|was|has been) "
            r"(?:sponsored|(?:paid for|presented|brought to you) by)\b"
            r"|\bpaid (?:for by an advertiser|partner content|advertiser content|content from)\b",
        ),
        # "I agree to receive e-mails", "By ticking the box you consent to the processing of your data"
        (
            ("agree", "consent", "opt out", "opt-out", "unsubscribe"),
            r"^(?:yes[,!] )?i (?:\w+ ){0,4}(?:agree|consent)(?! (?:that|with)\b).{0,60}\b(?:terms|conditions|privacy"
            r"|policy|contacted|receiv(?:e|ing)|process(?:ed|ing)|e-?mails?|(?:text|marketing) messages?|newsletters?"
            r"|personal (?:data|information))\b"
            r"|\byou(?: also| hereby| expressly)? (?:agree|consent) to (?:receiv|being contacted|be contacted|our\b"
            r"|the (?:terms of (?:use|service)|use of|processing|collection|privacy|storage))"
            r"|\bconsent is not (?:required|a condition)\b|\bwithdraw (?:your|my) consent\b"
            r"|\byou (?:can|may) (?:unsubscribe|opt[ -]out)\b",
        ),
        (("message and data rates", "message & data rates"), r""),
        # "Welcome to Money Diaries, a series in which women track every dollar": not "welcome to the World Series"
        (
            ("welcome",),
            r"^welcome(?: back)? to\b(?:(?!\b(?:where|when)\b)[^.!?]){0,120}\b(?:our|an?|the|this|my|your|another)"
            r" (?:[\w’'-]+ ){0,4}(?:(?<!world )series|column|newsletter|podcast|blog|round-?up|briefing|live coverage"
            r"|edition of|instal?lment of)(?:$|[.:;,!?—–-]|\s+[—–-]| (?:in which|where we|that|about|on|from|by|of|for"
            r"|featuring|exploring|dedicated|devoted|highlighting|looking))",
        ),
    )
)
