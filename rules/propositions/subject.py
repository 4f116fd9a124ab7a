"""What a document is about: the phrase that names it, and the nouns by which the text calls it."""

from __future__ import annotations

from collections.abc import Sequence

from gistmill.rules.coreference.lexicon import kinds_of_noun
from gistmill.rules.discofuse.parse import NOUNS, Parse, Word, Words
from gistmill.rules.documents import Mention
from gistmill.rules.languages.language import english_words
from gistmill.rules.propositions.open_references import OpenKind

# A place, a work, an event or a kind of thing has one of each.
_BELONGINGS = english_words("propositions", "belongings")
_THE = Word("the", True, "DT", "DET", "det", "the")
_LEAD = 3  # sentences that introduce what a document is about
_VAGUE = frozenset("word hero art material native god name term thing part area one member".split())
_NEAR = 3  # sentences before a noun in which another one of its kind may be meant
_DETERMINERS = frozenset(("the", "this", "that"))
_LINKS = frozenset(("of", "in", "at", "on", "for"))


class Subject:
    """What a document is about.

    Attributes:
        words: the phrase that names it, with its article; () where its title is no name.
        mention: where the text has the phrase first; of sentence -1 where only the title has it.
        nouns: what the text calls it: "shooting" of "2022 Kent shooting", "album" of "Speak Now", which is one.

    Args:
        parses: of the document's sentences.
        title: title of the document.
    """

    def __init__(self, parses: Sequence[Parse], title: str) -> None:
        self._parses = parses
        self.words: Words = ()
        self.mention = Mention(-1, 0, 1, 0, "name")
        self.nouns: frozenset[str] = frozenset()
        self._short = ""
        texts = title.partition(" (")[0].split()
        self._title = {text.lower() for text in texts}
        for sentence, parse in enumerate(parses[:_LEAD]):
            place = _place(parse, "".join(texts).lower())
            if place is not None:
                self._read_lead(parse, sentence, *place)
                self._read_title(texts)
                break

    def _read_title(self, texts: Sequence[str]) -> None:
        """Takes the noun of a title that the text may repeat alone; a title that is no name has no phrase."""
        end = next((k for k, text in enumerate(texts) if k and text in _LINKS), len(texts))
        self._short = texts[end - 1] if end < len(texts) and texts[end - 1][0].isupper() else ""
        noun, kinds = texts[end - 1], frozenset().union(*map(kinds_of_noun, self.nouns))
        named = noun.islower() and any(not text.islower() for text in texts[1:])
        if named or not kinds.isdisjoint(kinds_of_noun(noun.lower())):
            self.nouns |= {noun.lower()}
            if noun.islower() and self.words[0].text != "the":
                self.words = (_THE, *self.words)
        elif self.words[-1].pos != "PROPN":
            self.words = ()

    def _read_lead(self, parse: Parse, sentence: int, start: int, end: int) -> None:
        """Takes the phrase, and the noun that the sentence says it is: "Speak Now is an album"."""
        article = (_THE,) if start and parse.lower[start - 1] == "the" else ()
        self.words = (*article, *parse.words[start:end])
        self.mention = Mention(sentence, start, end, end - 1, "name")
        verb = parse.root()
        noun = parse.child(verb, "attr")
        if parse.tokens[verb].lemma != "be" or noun is None or parse.tokens[noun].tag != "NN" or verb < start:
            return
        if parse.tokens[end - 1].pos == "PROPN" and not parse.tokens[end - 1].entity.endswith("PERSON"):
            lemma = parse.tokens[noun].lemma.lower()
            if lemma in _VAGUE:
                return
            self.nouns = frozenset((lemma,))

    def tells(self, kind: OpenKind, text: str, section: str) -> bool:
        """Whether somebody who has read the titles of the document and of a section knows what words of a statement
        mean: "the battle" in a section on one, "the population" of a place.

        Args:
            kind: of the words.
            text: the words.
            section: title of the section.
        """
        if kind is not OpenKind.DEFINITE:
            return kind is OpenKind.NAMELESS
        noun = text.split()[-1].lower()
        told = self._title | self.nouns | set(section.lower().split())
        return bool(self._title) and (
            noun in _BELONGINGS or not told.isdisjoint((noun, noun + "s", noun.removesuffix("s")))
        )

    def is_short(self, parse: Parse, noun: int) -> bool:
        """Whether a capital noun is short for the title: "the Articles" for "Articles of Confederation"."""
        behind = parse.tokens[noun + 1] if noun + 1 < len(parse) else parse.tokens[noun]
        return (
            parse.tokens[noun].text == self._short
            and behind.text != "of"
            and (behind.pos != "PROPN" or noun + 1 == len(parse))
        )

    def is_called(self, sentence: int, parse: Parse, noun: int) -> bool:
        """Whether "the" before a noun of a sentence, or of a part of it, can only mean the subject."""
        lemma = parse.tokens[noun].lemma.lower()
        if not self.words or lemma not in self.nouns:
            return False
        section = self._parses[sentence].sentence.section
        near = self._parses[max(sentence - _NEAR, self.mention.sentence + 1) : sentence + 1]  # the lead has said so
        return not any(
            token.lemma.lower() == lemma and token.pos in NOUNS and self._is_another(p, k)
            for p in near
            if p.sentence.section == section
            for k, token in enumerate(p.tokens)
        )

    def _is_another(self, parse: Parse, noun: int) -> bool:
        """Whether a noun of the same kind has words that the title has not, or is a plural."""
        told = {parse.lower[k] for k in parse.children(noun) if parse.tokens[k].dep not in ("punct", "case", "relcl", "acl")}
        return parse.tokens[noun].tag in ("NNS", "NNPS") or not told <= _DETERMINERS | self._title


def _place(parse: Parse, name: str) -> tuple[int, int] | None:
    """Where a sentence has a name, written without spaces and in lower case: [start, end)."""
    for start in range(len(parse)):
        text = ""
        for end in range(start, len(parse)):
            text += parse.lower[end]
            if text == name:
                return start, end + 1
            if not name.startswith(text):
                break
    return None
