"""The subject of a document: the phrase that names it, and the nouns that the text uses for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gistmill.rules.coreference.lexicon import kinds_of_noun, same_kind
from gistmill.rules.discofuse.operations import is_word
from gistmill.rules.discofuse.parse import NOMINAL_SUBJECTS, NOUNS, Parse, Word, Words
from gistmill.rules.documents import Mention
from gistmill.rules.languages.language import english_table
from gistmill.rules.propositions.open_references import OpenKind, is_bare, is_open_noun

_WORDS = english_table("propositions")
_THE = Word("the", True, "DT", "DET", "det", "the")
_LEAD = 3  # sentences that introduce the subject
_NEAR = 3  # sentences before a noun in which another referent of its kind would be ambiguous
_ARTICLES = frozenset(("a", "an", "the", "one"))


class Subject:
    """The subject of a document.

    Attributes:
        words: the phrase that names it, with its article; () if the title is not a name.
        mention: the phrase's first occurrence in the text; in sentence -1 if it is only in the title.
        nouns: the nouns used for it in the text: "shooting" for "2022 Kent shooting", "album" for "Speak Now".
        is_work: whether it is a work with a name of ordinary words, so that the phrase is "the album Speak Now".

    Args:
        parses: the parses of the document's sentences.
        title: title of the document.
    """

    def __init__(self, parses: Sequence[Parse], title: str) -> None:
        self._parses, texts = parses, title.partition(" (")[0].split()
        self._name = [text.lower() for text in texts]
        self.words: Words = ()
        self.mention = Mention(-1, 0, 1, 0, "name")
        self.nouns: frozenset[str] = frozenset()
        self._short, self.is_work = "", False
        places = ((s, *span) for s, parse in enumerate(parses[:_LEAD]) for span in _places(parse, "".join(self._name)))
        sentence, start, end = next(places, (-1, 0, 0))
        lead = parses[max(sentence, 0)] if parses else None
        single = sentence >= 0 and lead is not None and lead.tokens[end - 1].pos == "PROPN"
        is_name = single or any(not t.islower() for t in texts[1:])
        if not texts or lead is None or self._name[0] in _WORDS["vague"] or not is_name:
            return
        self.words = tuple(Word(text, True, "NNP", "PROPN", "compound", text) for text in texts)
        article = False
        if sentence >= 0:
            article = start > 0 and lead.lower[start - 1] == "the"
            self.words, self.mention = lead.words[start:end], Mention(sentence, start, end, end - 1, "name")
        ends = [k + 1 for k, text in enumerate(lead.lower) if text == self._name[-1]]
        self.nouns = self._said(lead, max(end, *ends[:1], 1)) if ends else frozenset()
        end = next((k for k, text in enumerate(texts) if k and text in ("of", "in", "at", "on", "for")), len(texts))
        noun, kinds = texts[end - 1], frozenset().union(*map(kinds_of_noun, self.nouns))
        self._short = noun if end < len(texts) and noun[0].isupper() else ""
        if len(texts) > 1 and (noun.islower() or not kinds.isdisjoint(kinds_of_noun(noun.lower()))):
            self.nouns |= {noun.lower()}
            article = article or noun.islower()
        self.words = (_THE, *self.words) if article else self.words
        work = next(iter(sorted(self.nouns & _WORDS["works"])), "")
        self.is_work = bool(work) and all(map(is_word, self._name))
        if self.is_work:
            named = (w._replace(entity="I-WORK_OF_ART") for w in self.words if w.pos != "DET")
            self.words = (_THE, Word(work, True, "NN", "NOUN", "dep", work), *named)

    def _said(self, lead: Parse, end: int) -> frozenset[str]:
        """Returns the nouns for the subject in a sentence such as "Speak Now (2010) is an album". The parser may miss
        the verb after such a name.

        Args:
            lead: the sentence.
            end: where the name ends.
        """
        verb = next((k for k in range(end, len(lead)) if lead.tokens[k].lemma == "be"), len(lead))
        nouns = (k for k in range(verb + 2, len(lead) - 1) if lead.tokens[k].tag == "NN")
        noun = next((k for k in nouns if lead.tokens[k + 1].pos not in NOUNS and lead.lower[k + 1] != "-"), None)
        if noun is None or lead.lower[verb + 1] not in _ARTICLES or lead.tokens[end - 1].entity.endswith("PERSON"):
            return frozenset()
        lemma = lead.tokens[noun].lemma.lower()
        return frozenset() if lemma in _WORDS["vague"] else same_kind(lemma)

    def named_in(self, parse: Parse) -> Iterator[tuple[int, int]]:
        """Yields the [start, end) of each occurrence of the name in a sentence."""
        return _places(parse, "".join(self._name)) if self.words else iter(())

    def tells(self, kind: OpenKind, text: str, section: str) -> bool:
        """Whether words are clear to a reader of the titles of the document and of a section: "the battle" in a section
        about one, "the population" of a place.

        Args:
            kind: the kind of the words.
            text: the words.
            section: title of the section.
        """
        if kind is not OpenKind.DEFINITE:
            return kind is OpenKind.NAMELESS
        noun = text.split()[-1].lower()
        told = {*self._name, *self.nouns, *section.lower().split()}
        return bool(self._name) and (
            noun in _WORDS["belongings"] or not told.isdisjoint((noun, noun + "s", noun.removesuffix("s")))
        )

    def is_called(self, sentence: int, parse: Parse, noun: int) -> bool:
        """Whether "the" and a noun, in a sentence or part of one, can only refer to the subject."""
        if parse.tokens[noun - 1].head != noun or not is_bare(parse, noun):
            return False
        if parse.tokens[noun].text == self._short:
            return parse.lower[noun + 1] != "of" and parse.tokens[noun + 1].pos != "PROPN"
        if parse.lower[noun] not in self.nouns or not is_open_noun(parse, noun, ()):
            return False
        section = self._parses[sentence].sentence.section
        near = self._parses[max(sentence - _NEAR, self.mention.sentence + 1) : sentence + 1]  # the lead introduced it
        lemma = parse.tokens[noun].lemma
        return not any(
            token.lemma == lemma and token.pos in NOUNS and self._is_another(p, k)
            for p in near
            if p.sentence.section == section
            for k, token in enumerate(p.tokens)
        )

    def _is_another(self, parse: Parse, noun: int) -> bool:
        """Whether a noun of the same kind has modifiers that are not in the title, or differs in being plural."""
        plural = parse.tokens[noun].tag in ("NNS", "NNPS") and parse.lower[noun] not in self.nouns
        apart = (k for k in parse.children(noun) if parse.tokens[k].dep not in ("punct", "case", "relcl", "acl"))
        introduced = _ARTICLES if parse in self._parses[:1] else {"the", "this", "that"}
        return plural or not {parse.lower[k] for k in apart} <= {*introduced, *self._name}

    def goes_on(self, sentence: int) -> bool:
        """Whether "it" as a sentence's subject is the document's subject, which the previous sentence was about."""
        while sentence > 0 and self.words:
            sentence -= 1
            parse = self._parses[sentence]
            k = parse.subject(parse.root())
            if k is None or parse.sentence.section != self._parses[sentence + 1].sentence.section:
                return False
            if any(start <= k < end for start, end in self.named_in(parse)):
                return parse.tokens[k].dep in NOMINAL_SUBJECTS
            if parse.lower[k] != "it":
                return False
        return False


def _places(parse: Parse, name: str) -> Iterator[tuple[int, int]]:
    """Yields the [start, end) of each occurrence of a name, given in lower case without spaces."""
    for start in range(len(parse)):
        text = ""
        for end in range(start, len(parse)):
            text += parse.lower[end]
            if text == name:
                yield start, end + 1
            if not name.startswith(text):
                break
