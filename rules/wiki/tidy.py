"""Final cleaning of half-cleaned text: quotes, superscripts, and the brackets and commas around holes.

Sentences that lost words are removed entirely. For this purpose, text is split only where a sentence surely ends, since
removing too much is better than keeping half a sentence. For all other purposes ``rules/text`` splits sentences.

A hole that leaves a gap was part of its sentence, so words are lost there: an unknown template that shows words would
turn "from {{x}} to {{y}}" into "from to". A note follows its word without a space; a mark after a space replaces words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from gistmill.rules.languages.language import english_words
from gistmill.rules.text.prose import (
    APOSTROPHE,
    BREAK,
    CAPITALS,
    FRACTION,
    HOLE,
    LOST,
    SOURCE,
    SUP,
    SUP_END,
    UNSAID,
    without_invisible,
)
from gistmill.rules.text.segment import split_sentences
from gistmill.rules.text.typography import raised
from gistmill.rules.wiki.page import Local, local_of
from gistmill.rules.wiki.templates.numbers import SPELLED

_RUN_OF_HOLES = re.compile(rf"{HOLE}(?<!{LOST}{HOLE})(?:[ \t]*+{HOLE})*+(?!{LOST})")
# A source between two sentences is a note, even after a space.
_SOURCE_NOTE = re.compile(
    rf"{SOURCE}(?:(?<=[.!?\"”’)\u3002\uff01\uff1f]{SOURCE})|(?<=[.!?\"”’)][ \t]{SOURCE}))"
    rf"(?:[ \t]*+{SOURCE})*+(?=\s*+(?:[\"“‘({CAPITALS}]|$))"
)
_WORD_BEFORE_HOLE = re.compile(
    r"(?:(?P<start>^|[.!?][\"”’)]?[ \t\n]+)|[^\w-])(?P<word>[A-Za-z][a-z]*)(?P<space>[ \t\n]*)$"
)
_SENTENCE_START = re.compile(r"(?:^|[.!?][\"”’)]?[ \t\n]+)$")
_AFTER = re.compile(
    r"[ \t\n]?(?:(?P<word>[a-z]++)(?![\w-])(?:[ \t\n](?P<next>[a-z]++)\b)?|(?P<stop>[,;:.!?()\]]|[’']s\b)|(?P<end>$))"
)
_FARTHEST = 40  # characters examined before a hole
_ARTICLES, _TRANSITIVE, _PREPOSITIONS, _CONJUNCTIONS, _VERBS, _PARTICLES, _SCRAPS, _NEEDING = (
    english_words("wiki_gaps", key)
    for key in "articles transitive prepositions conjunctions verbs particles scraps needing".split()
)
_AFTER_NOUNS = _CONJUNCTIONS | _VERBS | english_words("wiki_gaps", "after_nouns")
_PAIRS = frozenset((("from", "to"), ("between", "and")))
_GENITIVES = ("’s", "'s")
_IN_WORDS = (",", *_GENITIVES)
_UNIT = re.compile(r"[ \t]?(?:[MRL]☉|m s\.l\.m\.|°(?!\w))")
_NUMBER = re.compile(
    rf"(?:[\d%½¼¾{SUP_END}]|\b(?:[mbtr]+illion|thousand|hundred|{'|'.join(SPELLED.values())}))[ \t)-]?$"
)
_CURRENCY = re.compile(r"(?:[$£€¥₩₱₽₪₹৳]|\b(?:CHF|SEK|NOK|DKK|Rs))$")


def without_gaps(text: str, local: Local) -> str:
    """Returns half-cleaned text in which each hole that leaves a gap in its sentence is replaced by LOST.

    Sources become HOLE or LOST. In languages other than English, only units and sources are handled.
    """
    if HOLE not in text:
        return text
    if SOURCE in text:
        text = _SOURCE_NOTE.sub(HOLE, text).replace(SOURCE, LOST)
    out: list[str] = []
    position = 0
    for hole in _RUN_OF_HOLES.finditer(text):
        before = text[max(0, hole.start() - _FARTHEST) : hole.start()]
        if _is_half(text, before, hole.end()) or (local.is_english and _is_gap(text, before, hole.end())):
            out += (text[position : hole.start()], LOST)
            position = hole.end()
    return "".join([*out, text[position:]]) if out else text


def _is_half(text: str, before: str, end: int) -> bool:
    """Whether the number before a unit or after a currency is missing."""
    if _UNIT.match(text, end):
        return _NUMBER.search(before) is None
    return _CURRENCY.search(before) is not None and not text[end : end + 2].strip()[:1].isdigit()


def _is_gap(text: str, before: str, end: int) -> bool:
    after = _AFTER.match(text, end)
    if after is None:
        return False
    following, stop = after["word"] or "", after["stop"]
    if _SENTENCE_START.search(before):
        return following in _VERBS or stop in _IN_WORDS
    last = _WORD_BEFORE_HOLE.search(before)
    if last is None or (last["word"] == "A" and last["start"] is None):  # as in "Vitamin A"
        return False
    word = last["word"].lower()
    if word in _ARTICLES:
        return following in ("", *_AFTER_NOUNS)
    if stop in _GENITIVES:
        return bool(last["space"])
    ends_clause = not following and stop not in (",", "(")
    if last["space"]:
        return _needs_noun(word, following, after["next"], ends_clause)
    return (word, following) in _PAIRS or (word in _TRANSITIVE - {"than"} and (ends_clause or following in _VERBS))


def _needs_noun(word: str, following: str, then: str | None, ends_clause: bool) -> bool:
    """Whether a noun is missing between ``word`` and the ``following`` word or stop."""
    if word not in _PREPOSITIONS:
        return ends_clause and (word in _CONJUNCTIONS or word in _TRANSITIVE)
    if f"{word} {following}" in _PARTICLES:
        return False
    if following in _CONJUNCTIONS:
        return then not in _PREPOSITIONS
    return not following or (following in _AFTER_NOUNS and following not in ("have", "which", "who"))


_CLOSERS = "\"'“”‘’«»›‹)\\]」』）】》〉"
# Marks that only end sentences, in scripts without and with spaces; and the marks of European scripts.
# Possessive, and never starting inside a run of marks, so that any text takes linear time.
_MARK = re.compile(
    rf"(?<![。！？｡])[。！？｡]++(?![{_CLOSERS}])\s*|(?<![؟۔।॥])[؟۔।॥]++[{_CLOSERS}]*+\s+"
    rf"|(?<![.!?])(?P<stop>[.!?]++)(?P<close>[{_CLOSERS}]*+)\s+(?=(?P<next>\S))"
)
_WORD_BEFORE = re.compile(r"(?<![^\W\d_])[^\W\d_]++$")
# Endings after which a full stop ends a sentence; after a shorter number, it may mark an ordinal.
_ENDED = re.compile(r"[)\]\"“”’«»%°²³]$|(?<!\d)\d{3,}$")
_OPENING, _CLOSING = "([（「『【《〈", ")]）」』】》〉"
# Minimum number of letters in words that are not abbreviations. Few abbreviations end in a vowel; in scripts without
# capitals they consist of one letter.
_LEAST_CASED, _LEAST_BEFORE_VOWEL, _LEAST_UNCASED = 5, 3, 2
_VOWELS = frozenset("aeiouyıæøœαειουωηаеиоуыэюяіє")
_LONGEST_WORD = 60


def sentences_of(text: str, local: Local) -> list[str]:
    """Returns a text in stripped pieces of whole sentences, in order."""
    if local.is_english:
        return split_sentences(text)
    text = text.strip()
    pieces, start, seen = [], 0, 0
    characters: Counter[str] = Counter()  # in the current piece
    for mark in _MARK.finditer(text):
        characters.update(text[seen : mark.end()])
        seen = mark.end()
        if (mark["stop"] is None or _ends(text, mark)) and not _are_open(characters):
            pieces.append(text[start:seen].rstrip())
            start = seen
            characters.clear()
    return [*pieces, text[start:]] if start < len(text) else pieces


def _ends(text: str, mark: re.Match[str]) -> bool:
    """Whether a full stop, question mark or exclamation mark ends a sentence."""
    if mark["next"].islower():
        return False
    if mark["stop"] != "." or mark["close"]:
        return True
    before = text[max(0, mark.start() - _LONGEST_WORD) : mark.start()]
    if _ENDED.search(before):
        return True
    word = _WORD_BEFORE.search(before)
    if word is None:
        return False
    letters = word.group()
    if letters.lower() == letters.upper():
        return len(letters) >= _LEAST_UNCASED
    ends_in_vowel = unicodedata.normalize("NFD", letters[-1])[0] in _VOWELS
    return len(letters) >= (_LEAST_BEFORE_VOWEL if ends_in_vowel and letters[0].islower() else _LEAST_CASED)


def _are_open(characters: Counter[str]) -> bool:
    """Whether a bracket or quotation is open, judging by the number of each character."""
    if sum(characters[mark] for mark in _OPENING) > sum(characters[mark] for mark in _CLOSING):
        return True
    if low := characters["„"] + characters["‚"]:  # closed by a mark that opens quotations in English
        return low > sum(characters[mark] for mark in "“”‘’")
    return characters["«"] != characters["»"] or characters["“"] > characters["”"] or characters['"'] % 2 == 1


_QUOTES = re.compile(r"'{2,}")
_SUPERSCRIPT = re.compile(f"{SUP}([^{SUP}{SUP_END}]*){SUP_END}")
_MIXED_NUMBER = re.compile(rf"(?<=\d){FRACTION}")
_HOLES = f"[{HOLE}{LOST}]"
_INNER = re.compile(r"([(\[（［])([^()\[\]（）［］]*)([)\]）］])")
_ENGLISH = local_of()
_COMMAS, _SEMICOLONS = re.compile("([,،、，])"), re.compile("([;؛；])")
_SPACED = frozenset(",،;؛")  # marks followed by a space
# Letters in scripts without spaces between words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
_WIDE = rf"{_UNSPACED}\u3000-\u303f\uff00-\uffef"
_BREAK_IN_UNSPACED = re.compile(rf"(?<=[{_WIDE}]) *{BREAK}[ {BREAK}]*(?=[{_WIDE}])")
# An amount that the wiki computes in today's money: "($... in today's dollars)".
_LOST_AMOUNT = re.compile(rf"[$£€¥]\s*{_HOLES}")
# After the end of a sentence, an unknown template is a note.
_NOTE = re.compile(
    rf"(?<=(?:[^\W_{CAPITALS}]|[)\]\"\u201d])[.!?]|[.!?][\"\u201d\u2019)]){LOST}+(?=\s|$)|(?<=[\u3002\uff01\uff1f]){LOST}+"
)
# The same in other languages, where abbreviations and ordinal numbers may also end with a full stop.
_FOREIGN_NOTE = re.compile(
    rf"(?:(?<=[^\W\d_]{{4}}[.!?])|(?<=[.!?][\"\u201d\u2019\u00bb)])){LOST}+(?=\s|$)"
    rf"|(?<=[\u3002\uff01\uff1f\u061f\u06d4\u0964\u0965]){LOST}+"
)
# Pronunciation or coordinates after a name.
_ASIDE = re.compile(rf"(?<!\w)(?P<word>\w++)(?P<close>[)\]\"\u201d\u2019,]*+) ?{UNSAID}")
_NEW_LINE = re.compile(rf"(?<!\s)\s*+{BREAK}\s*(?=[\"'\u201c\u2018(]*+[A-Z0-9])")
_LAST_LOST = re.compile(rf"{LOST}(?=[.!?\u2026])")
_WORD = re.compile(r"[^\s,;:/·，、；：・]+")


def without_quotes(line: str) -> str:
    """Removes bold and italic quotes from a line, keeping apostrophes next to them, as in MediaWiki."""
    if "''" not in line:
        return line
    runs = list(_QUOTES.finditer(line))
    kept = [max(0, len(m.group()) - 5) if len(m.group()) > 5 else int(len(m.group()) == 4) for m in runs]
    sizes = [min(5, 3 if len(m.group()) == 4 else len(m.group())) for m in runs]
    bold, italic = sum(s in (3, 5) for s in sizes), sum(s in (2, 5) for s in sizes)
    if bold % 2 and italic % 2:
        # a surplus bold mark is an apostrophe and an italic mark: ''Titanic'''s
        candidates = [k for k, s in enumerate(sizes) if s == 3]
        if candidates:
            kept[_likeliest_apostrophe(line, runs, candidates)] += 1
    out, position = [], 0
    for match, apostrophes in zip(runs, kept, strict=True):
        out += [line[position : match.start()], APOSTROPHE * apostrophes]
        position = match.end()
    return "".join([*out, line[position:]])


def _likeliest_apostrophe(line: str, runs: list[re.Match[str]], candidates: list[int]) -> int:
    """Returns a candidate in MediaWiki's order: after a one-letter word, a longer word or a space; else the first."""
    long_word = space = None
    for k in candidates:
        start = runs[k].start()
        before, earlier = line[start - 1 : start], line[start - 2 : start - 1]
        if before == " ":
            space = k if space is None else space
        elif earlier == " ":
            return k
        elif long_word is None:
            long_word = k
    return next(k for k in (long_word, space, candidates[0]) if k is not None)


def tidy(text: str, local: Local = _ENGLISH) -> str:
    """Returns cleaned text: in NFC with single spaces, without holes, empty brackets or spaces before commas.

    ``local`` gives the settings for the wiki's language. ``text`` must not contain bold or italic quotes; APOSTROPHE
    marks become apostrophes.
    """
    return _finished(_settled(_unbroken(text, local), local).replace(LOST, HOLE), local)


def tidy_paragraph(text: str, local: Local = _ENGLISH) -> list[str]:
    """Returns a paragraph as cleaned texts, as by ``tidy``: one, or several or none if sentences had to be removed.

    A sentence that lost words is removed entirely. The text before and after it becomes separate paragraphs, so that
    sentences that were not neighbours do not look as if they were.
    """
    text = without_gaps(text, local)
    if LOST not in text:
        return [_finished(_settled(_unbroken(text, local), local), local)]
    note = _NOTE if local.is_english else _FOREIGN_NOTE
    runs: list[list[str]] = [[]]
    for part in _NEW_LINE.split(text):
        settled = note.sub(HOLE, _settled(_unbroken(part, local), local))
        for sentence in _sentences(settled, local):
            if LOST in sentence:
                runs.append([])
            else:
                runs[-1].append(sentence)
    return [_finished(local.joiner.join(run), local) for run in runs if run]


def _unbroken(text: str, local: Local) -> str:
    """Returns a text with line breaks replaced by spaces, or removed in scripts written without spaces."""
    return (text if local.joiner else _BREAK_IN_UNSPACED.sub("", text)).replace(BREAK, " ")


def _sentences(text: str, local: Local) -> Iterator[str]:
    """Yields the sentences of a text, treating each place where words were lost like a letter."""
    if LOST not in text:
        yield text
        return
    lettered = _LAST_LOST.sub("q", text).replace(LOST, "Q")
    start = 0
    for sentence in sentences_of(lettered, local):
        start = lettered.index(sentence, start)
        yield text[start : start + len(sentence)]
        start += len(sentence)


def _settled(text: str, local: Local) -> str:
    if SUP in text or SUP_END in text:
        text = _SUPERSCRIPT.sub(lambda match: raised(match[1]), text).replace(SUP, "").replace(SUP_END, "")
    if FRACTION in text:
        text = _MIXED_NUMBER.sub(" ", text).replace(FRACTION, "")
    text = _close_brackets(" ".join(without_invisible(text).split()), local)
    # in other languages, words that need a continuation are unknown, so the sentence is removed
    return _ASIDE.sub(_aside, text) if UNSAID in text and local.is_english else text


def _aside(match: re.Match[str]) -> str:
    needed = match["word"].lower() in _NEEDING and not match["close"]
    return match.group() if needed else f"{match['word']}{match['close']}{HOLE}"


def _finished(text: str, local: Local) -> str:
    if HOLE in text:
        text = _HOLE_BEFORE_STOP.sub("", _HOLE_IN_WORD.sub(" ", text)).replace(HOLE, "")
    if _UNTIDY.search(text):
        for pattern, instead in _SPACED_PUNCTUATION if local.spaced_marks else _PUNCTUATION:
            text = pattern.sub(instead, text)
    if not local.joiner and _UNTIDY_WIDE.search(text):
        for pattern, instead in _WIDE_PUNCTUATION:
            text = pattern.sub(instead, text)
    text = text.replace(APOSTROPHE, "'").strip()
    # finished text contains no white space other than spaces
    return unicodedata.normalize("NFC", " ".join(text.split()) if "  " in text else text)


_HOLE_IN_WORD = re.compile(rf"{HOLE}(?<=\w{HOLE}){HOLE}*(?=\w)(?:(?<![{_UNSPACED}]{HOLE})|(?![{_UNSPACED}]))")
_HOLE_BEFORE_STOP = re.compile(rf"(?: |(?<!{HOLE})){HOLE}++(?=[ ,.;:!?)\]]|$)")
_PUNCTUATION = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"(?<! ) ++([,;:.!?])(?=[\s\"')\]]|$)", r"\1"),
        (r"([(\[])[ ,;]+(?=[^ ,;])", r"\1"),
        (r"(?<![ ,;])[ ,;]++([)\]])", r"\1"),
        (r"([,;:])(?: ?[,;]){1,50}(?= |$)", r"\1"),  # ", ," and ":,"
        (r"(?<!,),++(\.)(?= |$)", r"\1"),
        (r" ?\(\)| ?\[\]", ""),
    )
)
# For languages with a space before tall marks, such as French.
_SPACED_PUNCTUATION = ((re.compile(r"(?<! ) ++([,.])(?=[\s\"')\]]|$)"), r"\1"), *_PUNCTUATION[1:])
_WIDE_PUNCTUATION = tuple(
    (re.compile(pattern), instead)
    for pattern, instead in (
        (r"([，、；：])[，、；]+", r"\1"),
        (r"([（［])[，、；：]+", r"\1"),
        (r"(?<![，、；：])[，、；：]++([）］。])", r"\1"),
        (r" ?（）", ""),
    )
)
_UNTIDY_WIDE = re.compile("[，、；：（［][，、；：）］。]")
# Matches something in every text that one of these does; fast, because it begins with a set of characters.
_UNTIDY = re.compile(
    r"[(\[)\],;:.!?](?:(?<= [,;:.!?])(?=[\s\"')\]]|$)|(?<=[(\[])[ ,;)\]]|(?<=[ ,;][)\]])|(?<=[,;:]) ?[,;]|(?<=,)\.)"
)


_WORTH_A_LOOK = re.compile(
    rf"[{HOLE}{LOST}(\[,;（［，、；](?:(?<={_HOLES})|(?<=[(\[（［])(?:[\s,;:.–—，、；：-]*[)\]）］]|\s*[,;:，、；：])"
    r"|(?<=[,;，、；])\s*[)\]）］])"
)


# Masks brackets whose content is clean, so that the brackets around them become innermost.
_MASK = str.maketrans("()[]（）［］", "\x11\x12\x13\x14\x18\x19\x1a\x1b")
_UNMASK = str.maketrans("\x11\x12\x13\x14\x18\x19\x1a\x1b", "()[]（）［］")


def _close_brackets(text: str, local: Local) -> str:
    """Cleans the content of brackets, innermost first; empty brackets are removed with the space before them."""
    if not _WORTH_A_LOOK.search(text):
        return text
    for _ in range(8):
        changed = re.sub(r" ?\x00", "", _INNER.sub(partial(_bracket, local), text))
        if changed == text:
            break
        text = changed
    return text.translate(_UNMASK)


def _bracket(local: Local, match: re.Match[str]) -> str:
    left, inside, right = match.groups()
    if _is_sound(inside):
        return match.group().translate(_MASK)
    by_commas = partial(_apart, _COMMAS, clean=partial(_piece, local))
    parts = _apart(_SEMICOLONS, inside.replace(UNSAID, HOLE), clean=by_commas)
    cleaned = re.sub(_HOLES, "", parts).strip(" ,;:，、；：")
    if not re.search(r"[^\s.,;:/–—，、；：・-]", cleaned):
        return "\x00"
    return f"{left}{cleaned}{right}".translate(_MASK)


def _is_sound(inside: str) -> bool:
    """Whether nothing was removed inside brackets."""
    return (
        inside == inside.strip()
        and inside[:1] not in ",;:，、；："
        and inside[-1:] not in ",;，、；"
        and re.search(_HOLES, inside) is None
        and re.search(r"[^\s.–—-]", inside) is not None
    )


def _apart(separator: re.Pattern[str], text: str, clean: Callable[[str], str]) -> str:
    """Returns a text with each of its separated parts cleaned; empty parts are dropped with their separators."""
    whole = ""
    parts = ["", *separator.split(text)]
    for mark, part in zip(parts[::2], parts[1::2], strict=False):
        if kept := clean(part):
            whole += f"{mark}{' ' * (mark in _SPACED)}{kept}" if whole else kept
    return whole


def _piece(local: Local, piece: str) -> str:
    if LOST in piece or _LOST_AMOUNT.search(piece):
        return ""
    words = _WORD.findall(re.sub(_HOLES, " ", piece))
    scraps = all(_is_scrap(word, local) for word in words)
    if not words or (scraps and re.search(_HOLES, piece)):
        return ""
    return " ".join(map(str.strip, re.split(_HOLES, piece))).strip()


def _is_scrap(word: str, local: Local) -> bool:
    if word.lower().strip("'\"") in _SCRAPS or not re.search(r"\w", word):
        return True
    return not local.is_english and word.casefold().strip("'\".«»„“”") in local.scraps
