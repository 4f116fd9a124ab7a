"""Prompts, notices and credits of sites in German, Spanish, French, Portuguese, Italian, Dutch and Polish.

The tables have the form of those in ``rules/news/phrases.py``. A phrase is taken only where no reporter writes it.
"""

from __future__ import annotations

import re

# By first word, from the line's beginning.
PROMPTS: dict[str, str] = {
    # German
    "lesen lies lest": r"(?:lesen sie|lies|lest)(?: jetzt)? (?:auch|hier|hierzu|dazu|mehr|weiter|außerdem)\b",
    "mehr weitere weiterführende": (
        r"\w+ (?:infos?|informationen|details|artikel|beiträge|nachrichten|themen|news|links?|termine)\b.{0,100}?"
        r"(?:\bunter:? (?:www\.|https?:|\S+\.[a-z]{2,}\b|[\d+(]|folgende|dem link)|\bauf (?:der|unserer|ihrer|seiner) "
        r"(?:web|internet|home)|\bhier\W*$|www\.|https?:|:\W*$)"
        r"|mehr (?:dazu|zum thema|hierzu)\b(?:.{0,60}\bhier\W*|[^.!?]{0,80})$"
    ),
    "das": r"das könnte (?:sie|dich|euch) (?:auch |noch |ebenfalls )*interessieren\b",
    "klicken klick klicke klickt einfach": (
        r"einfach hier klicken\b|klick(?:en|e|t)?(?: sie)?(?: einfach)? hier\b"
        r"|klick(?:en sie|e|t)? .{0,60}\bum (?:den|die|das) (?:inhalte?|video|karte|beitrag)\b"
    ),
    "du sie ihr": r"(?:du musst|sie müssen|ihr müsst) (?:\w+ ){0,3}(?:eingeloggt|angemeldet|registriert) sein\b",
    "verraten verrate verratet schreibt schreib schreibe schreiben sagt sag erzählt erzähl teilt hinterlasse": (
        r"\w+ (?:\w+ ){0,6}in (?:den|die) kommentaren?\b|schreib\w* (?:einen|den ersten) kommentar\b"
        r"|hinterlasse\w* (?:einen|uns)\b"
    ),
    "werbung anzeige": r"\w+\W*(?:$|(?:dieser|der) (?:beitrag|artikel|text|post)\b)",
    "dieser dieses": (
        r"\w+ (?:beitrag|artikel|text|post|inhalt|interview|video)\b.{0,40}\b(?:enthält (?:werb|affiliate|bezahlte"
        r"|produktplatzierung)|erschien (?:zuerst|zunächst)|ist (?:zuerst|zunächst) (?:in|im|auf|bei|erschienen)"
        r"|wurde (?:zuerst|zunächst|gesponsert)|(?:ist|entstand) in (?:zusammenarbeit|kooperation) mit)"
    ),
    "beitragsbild titelbild aufmacherbild symbolbild symbolfoto foto fotos bilder bildquelle bildnachweis fotocredit"
    " bildrechte fotoquelle fotograf": r"\w+\s?[:©/|](?!.*\b(?:zeigt|zeigen|war|ist|sind)\b.*[.!?]$).{0,160}$",
    "folgen folge folgt": r"folge?n?t? (?:(?:sie|du|ihr) )?uns\b",
    "abonnieren abonniere abonniert": r"\w+ (?:sie |ihr )?(?:jetzt|hier|kostenlos|unser\w*|den newsletter)\b",
    "jetzt": r"jetzt (?:kostenlos |gratis )?(?:abonnieren|anmelden|registrieren|spenden|downloaden)\b",
    # Spanish and Portuguese
    "síguenos siguenos sígueme": r"",
    "lee lea leer vea ver mira mire además": r"\w+ (?:tambi[eé]n|más|además|aqu[ií])\b.{0,160}$|(?:vea|mire|mira) ?:",
    "suscríbete suscribete suscríbase suscríbanse": r"",
    "te": r"te (?:puede|podr[ií]a) interesar\b|te recomendamos (?:leer|ver)\b",
    "haz haga": r"hag?[za] clic\b",
    "leia siga assine inscreva clique": (
        r"leia (?:também|mais|ainda)\b|siga (?:a gente|nosso|nossa|o canal)\b|inscreva-se\b|clique aqui\b"
        r"|assine (?:nossa|a newsletter)\b"
    ),
    # French
    "lire à a": r"(?:à |a )?lire (?:aussi|également|la suite)\b"
    r"|(?:à|a) (?:voir|écouter|découvrir) (?:aussi|également)\b",
    "abonnez inscrivez suivez cliquez": (
        r"abonnez[- ]vous\b|inscrivez[- ]vous\b.{0,60}\bnewsletter|suivez[- ](?:nous|notre)\b|cliquez ici\b"
    ),
    "cet": r"cet article (?:a été (?:initialement|d['’]abord) publié|est (?:réservé|republié))\b",
    # Italian
    "leggi iscriviti seguici clicca": (
        r"leggi (?:anche|tutt[oi]|di più)\b|iscriviti\b.{0,80}\b(?:newsletter|canale)|seguici\b|clicca qui\b"
    ),
    # Dutch
    "lees meld volg klik": r"lees (?:ook|meer|verder)\b|meld je aan\b.{0,60}\bnieuwsbrief|volg ons\b|klik hier\b",
    # Polish
    "czytaj zobacz przeczytaj sprawdź": r"\w+ (?:też|także|również|więcej|dalej)\b",
    "zapisz polub obserwuj kliknij wesprzyj": (
        r"zapisz się\b.{0,60}\bnewsletter|(?:polub|obserwuj|wesprzyj) nas\b|kliknij tu(?:taj)?\b"
    ),
    "materiał": r"materiał (?:chroniony prawem|sponsorowany|partnera)\b",
    "fot zdjęcie źródło": r"\w+\s?[.:]\s.{0,80}$",
}

# As ``ANYWHERE`` of ``rules/news/phrases.py``.
PROMPTS_ANYWHERE: tuple[tuple[tuple[str, ...], re.Pattern[str], bool], ...] = tuple(
    (hints, re.compile(pattern, re.I), False)
    for hints, pattern in (
        (
            ("rechte vorbehalten", "derechos reservados", "droits réservés", "diritti riservati", "prawa zastrzeżone")
            + ("riproduzione riservata", "direitos reservados", "rechten voorbehouden", "cancela cuando quieras"),
            r"",
        ),
        (
            ("newsletter", "nieuwsbrief", "boletín"),
            r"\b(?:melde(?:n sie|t)? (?:dich|sich|euch)|abonnier(?:e|en sie|t)"
            r"|registrier(?:e|en sie|t) (?:dich|sich|euch)|trag(?:en sie|e)? (?:dich|sich)"
            r"|suscr[ií]b(?:ete|ase|anse)|reg[ií]strate|abonnez|inscrivez|iscriviti|inscreva|zapisz)\b.{0,80}"
            r"\b(?:newsletters?|nieuwsbrief|boletín)\b|\bnewsletters? (?:jetzt )?(?:abonnieren|anmelden|bestellen)\b",
        ),
        (("nuestro canal", "nuestros canales"), r"^\W*(?:mira|[úu]nete|sigue|visita|suscr\w+|conoce)\b"),
        (("hier klicken",), r"\beinfach hier klicken\b|\bhier klicken\W*$|\bhier klicken und\b"),
        (
            ("cookies",),
            r"\b(?:wir|(?:web)?seite|website) (?:\w+ )?(?:verwende[nt]|nutz(?:en|t)|setz(?:en|t)) "
            r"(?:\w+ ){0,3}cookies\b"
            r"|\butiliza(?:mos)? cookies\b|\butilis(?:ons|e) des cookies\b|\butilizza(?:no)? (?:i )?cookies?\b",
        ),
        (
            ("externe inhalte", "externen inhalt", "externer inhalt", "redaktioneller inhalt"),
            r"\b(?:angezeigt|anzeigen|laden|einverstanden|empfohlener?|ergänz)",
        ),
        # what stands beside a file: "Report PDF | 38 KB"
        (("pdf",), r"pdf\W{1,4}[\d.,]+ ?[km]b\b[^.!?]*$"),
    )
)
