"""A dependency tree of a Sentence; each property is computed once, when a rule first needs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gistmill.rules.coreference.names import whole_names
from gistmill.rules.documents import Sentence, Token
from gistmill.rules.languages.language import english_table
from gistmill.rules.text import typography


class Word(NamedTuple):
    """A token to be placed in a new sentence.

    Attributes:
        text, space, tag, pos, dep, lemma, entity: as in ``gistmill.core.records.Token``.
        position: index in its original sentence; -1 for an inserted word.
        head: index of its head there; -1 for an inserted word.
        original: the token as printed, if ``text`` uses ASCII instead of typographic marks; else "".
    """

    text: str
    space: bool = True
    tag: str = ""
    pos: str = ""
    dep: str = ""
    lemma: str = ""
    entity: str = ""
    position: int = -1
    head: int = -1
    original: str = ""

    @property
    def printed(self) -> str:
        """The text with the typographic marks of the original."""
        return typography.unfolded(self.text, self.original) if self.original else self.text


# Lists of English words; rules/languages/data/en.toml explains each of them.
WORDS = english_table("discofuse")
Words = tuple[Word, ...]
COMMA = Word(",", True, ",", "PUNCT", "punct", ",")


def as_natural(words: Sequence[Word], *, keep_marks: bool) -> list[tuple[str, bool]]:
    """Returns the words of the natural text, each with whether a space follows it.

    Args:
        words: the words.
        keep_marks: whether to keep printed typographic marks. Otherwise they are ASCII, with spaces around dashes.
    """
    if not "".join([w[9] for w in words]):  # called for every row
        return [w[:2] for w in words]
    if keep_marks:
        return [(w.printed, w.space) for w in words]
    texts = [w.text for w in words]
    return list(zip(texts, typography.spaced(texts, [(w.printed, w.space) for w in words]), strict=True))


SUBJECTS = frozenset(("nsubj", "nsubjpass", "csubj", "csubjpass", "expl"))
# Excluding clauses and "there".
NOMINAL_SUBJECTS = frozenset(("nsubj", "nsubjpass"))
FINITE = frozenset(("VBD", "VBP", "VBZ", "MD"))
PARTICIPLES = frozenset(("VBG", "VBN"))
NOMINAL = frozenset(("NOUN", "PROPN", "PRON", "NUM"))
NOUNS = frozenset(("NOUN", "PROPN"))
NAME_TAGS = frozenset(("NNP", "NNPS"))
PLURAL_TAGS = frozenset(("NNS", "NNPS"))
# Dependents that precede a noun, other than its determiner.
PREMODIFIERS = frozenset(("compound", "nmod", "amod"))
TIME_ENTITIES = frozenset(("DATE", "TIME"))
ARTICLES = frozenset(("a", "an", "the"))
QUOTES = frozenset(('"', "``", "''"))
AUXILIARIES = frozenset(("aux", "auxpass"))
# Modals of ability, permission and possibility, followed by all modals.
ABILITY = frozenset(("can", "could", "may", "might"))
MODALS = ABILITY | {"will", "would", "shall", "should", "must"}
# Labels of verbs that open a clause below another one.
SUBORDINATE = frozenset(("relcl", "acl", "advcl", "ccomp", "xcomp", "pcomp", "csubj", "csubjpass"))


def may_be_past(word: str) -> bool:
    """Whether a word tagged as a past participle may also be a past tense: "healed", "held", but not "taken"."""
    return word.endswith("ed") or word in WORDS["same_forms"]


def with_main_verb(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Returns the tokens with the past tense after an insertion as the main verb.

    Parsers label it a participle that depends on the subject: "Niobe , the queen of Thebes , boasted of her children".
    It is the main verb if there is no other finite one, and no agent ("loved by Zeus") follows.
    """
    root = next((i for i, t in enumerate(tokens) if t.head == i), 0)
    if not tokens or tokens[root].pos not in NOUNS:
        return tokens
    below = [i for i, t in enumerate(tokens) if t.head == root and i != root]
    verb = next((i for i in below if _is_past_behind_insertion(tokens, root, i)), None)
    if verb is None or any(tokens[i].tag in FINITE for i in below):
        return tokens
    made = list(tokens)
    made[verb] = tokens[verb]._replace(tag="VBD", pos="VERB", dep="ROOT", head=verb)
    made[root] = tokens[root]._replace(dep="nsubj", head=verb)
    for i in below:
        if i > verb:
            made[i] = tokens[i]._replace(head=verb)
    return tuple(made)


def _is_past_behind_insertion(tokens: tuple[Token, ...], root: int, verb: int) -> bool:
    """Whether a word may be the past tense of the root, its subject, and is separated from it by two commas."""
    token = tokens[verb]
    if verb < root + 4 or token.tag not in ("VBN", "VBD") or not may_be_past(token.text.lower()):
        return False
    inserted = tokens[verb - 1].text == "," and any(t.text == "," for t in tokens[root + 1 : verb - 1])
    return inserted and not any(t.head == verb and t.dep in ("aux", "auxpass", "agent") for t in tokens)


class Parse:
    """A sentence with its tree, and ASCII forms of its typographic marks, so that rules need to handle only one form.

    Attributes:
        sentence: the Sentence.
        tokens: its tokens, with ASCII marks; their number is the same.
        lower: their texts in lower case.
        commas: positions of commas.
    """

    __slots__ = ("_children", "_edges", "_words", "commas", "lower", "sentence", "tokens")

    def __init__(self, sentence: Sentence) -> None:
        self.sentence = sentence
        self.tokens: tuple[Token, ...] = with_main_verb(whole_names(_folded(sentence.tokens)))
        self.lower = [t[0].lower() for t in self.tokens]
        self.commas = [i for i, text in enumerate(self.lower) if text == ","]
        self._children: list[list[int]] | None = None
        self._edges: tuple[list[int], list[int]] | None = None
        self._words: Words | None = None

    def __len__(self) -> int:
        return len(self.tokens)

    @property
    def words(self) -> Words:
        """The tokens as Words."""
        if self._words is None:
            new = tuple.__new__  # called for every sentence; positional arguments are three times as fast
            words = [
                new(Word, (t[0], t[1], t[2], t[3], t[4], t[6], t[7], i, t[5], "")) for i, t in enumerate(self.tokens)
            ]
            if self.tokens is not self.sentence.tokens:
                for i, token in enumerate(self.sentence.tokens):
                    if token.text != words[i].text:
                        words[i] = words[i]._replace(original=token.text)
            self._words = tuple(words)
        return self._words

    def children(self, i: int) -> list[int]:
        """Returns the positions of the children of token ``i``, in order."""
        if self._children is None:
            children: list[list[int]] = [[] for _ in self.tokens]
            for k, token in enumerate(self.tokens):
                head = token[5]
                if head != k:
                    children[head].append(k)
            self._children = children
        return self._children[i]

    def ancestors(self, i: int) -> Iterator[int]:
        """Yields the positions of the heads above token ``i``, from the nearest to the root."""
        while self.tokens[i].head != i:
            i = self.tokens[i].head
            yield i

    def subtree(self, i: int) -> list[int]:
        """Returns the positions of token ``i`` and its descendants, in order."""
        out, todo = [], [i]
        while todo:
            k = todo.pop()
            out.append(k)
            todo.extend(self.children(k))
        return sorted(out)

    def left_edge(self, i: int) -> int:
        """Returns the leftmost position of the subtree of token ``i``."""
        return self._spans()[0][i]

    def right_edge(self, i: int) -> int:
        """Returns the rightmost position of the subtree of token ``i``."""
        return self._spans()[1][i]

    def _spans(self) -> tuple[list[int], list[int]]:
        if self._edges is None:
            tokens = self.tokens
            left, right = list(range(len(tokens))), list(range(len(tokens)))
            for i, token in enumerate(tokens):
                at, head = i, token[5]
                while head != at:
                    if left[head] > i:
                        left[head] = i
                    if right[head] < i:
                        right[head] = i
                    at, head = head, tokens[head][5]
            self._edges = left, right
        return self._edges

    def child(self, i: int, *labels: str) -> int | None:
        """Returns the first child of token ``i`` with one of the given dependency labels."""
        for k in self.children(i):
            if self.tokens[k].dep in labels:
                return k
        return None

    def subject(self, verb: int, *, after: int = -1) -> int | None:
        """Returns the subject of a verb, if it comes after position ``after``."""
        for k in self.children(verb):
            if k > after and self.tokens[k].dep in SUBJECTS:
                return k
        return None

    def shared_subject(self, verb: int) -> int | None:
        """Returns the subject of a verb or of a verb coordinated with it."""
        at = verb
        while True:
            found = self.subject(at)
            if found is not None or self.tokens[at].dep != "conj":
                return found
            at = self.tokens[at].head

    def auxiliaries(self, verb: int) -> list[int]:
        """Returns the auxiliaries of a verb."""
        return [k for k in self.children(verb) if self.tokens[k].dep in AUXILIARIES]

    def start_of_group(self, verb: int, *, after: int = -1) -> int:
        """Returns the start of the auxiliaries and adverbs right before the verb, or of a compound like "crash -
        landed"; it is always after position ``after``."""
        start = verb
        helpers = {k for k in self.children(verb) if self.tokens[k].dep in ("aux", "auxpass", "neg", "advmod")}
        while start - 1 > after and (start - 1 in helpers or self.tokens[start - 1].tag == "HYPH"):
            start -= 1 if start - 1 in helpers else 2
        return start

    def finite(self, verb: int) -> bool:
        """Whether the verb or one of its auxiliaries is finite."""
        token = self.tokens[verb]
        if token.tag in FINITE:
            return True
        helpers = self.auxiliaries(verb)
        if not helpers and token.tag == "VBN" and self.subject(verb) is not None:
            return may_be_past(self.lower[verb])
        return any(self.tokens[k].tag in FINITE for k in helpers)

    def perfect(self, verb: int) -> bool:
        """Whether the verb is in the perfect: "has come", "had come"."""
        return any(self.tokens[k].lemma == "have" for k in self.auxiliaries(verb))

    def number(self, verb: int) -> str | None:
        """Returns the number of the verb or its auxiliary; None for past tenses other than those of "be"."""
        carrier = next((k for k in sorted((*self.auxiliaries(verb), verb)) if self.tokens[k].tag in FINITE), verb)
        if self.tokens[carrier].tag == "VBZ" or self.lower[carrier] == "was":
            return "singular"
        return "plural" if self.tokens[carrier].tag == "VBP" or self.lower[carrier] == "were" else None

    def is_verb(self, i: int) -> bool:
        """Whether token ``i`` is a verb or auxiliary."""
        return self.tokens[i].pos in ("VERB", "AUX")

    def root(self) -> int:
        """Returns the (first) root."""
        for i, token in enumerate(self.tokens):
            if token.head == i:
                return i
        return 0

    def first_conjunct(self, i: int) -> int:
        """Returns the first conjunct of the coordination that token ``i`` belongs to, or ``i`` itself."""
        while self.tokens[i].dep == "conj" and self.tokens[i].head != i:
            i = self.tokens[i].head
        return i

    def last_before(self, cc: int) -> int:
        """Returns the position of the last word before a conjunction, ignoring a comma in between."""
        return cc - 1 - (self.lower[cc - 1] == ",")

    def crossings(self, end: int, start: int) -> int:
        """Counts the arcs between words [0, end) and those from ``start`` on: a clean cut severs one."""
        count = 0
        for i, token in enumerate(self.tokens):
            crosses = token.head >= start if i < end else i >= start and token.head < end
            if crosses and token.dep not in ("punct", "cc", "mark", "preconj") and token.pos != "PUNCT":
                count += 1
        return count

    def on_main_line(self, verb: int) -> bool:
        """Whether the verb is the root or coordinated with it."""
        first = self.first_conjunct(verb)
        return self.tokens[first].head == first

    def is_main_subject(self, i: int) -> bool:
        """Whether token ``i`` is a nominal subject of the root or of a verb coordinated with it."""
        return self.tokens[i].dep in NOMINAL_SUBJECTS and self.on_main_line(self.tokens[i].head)

    def opening(self, i: int) -> str:
        """Returns the first word of token ``i``'s phrase, in lower case."""
        return self.lower[self.left_edge(i)]

    def past(self, verb: int) -> bool:
        """Whether the verb's clause is in the past (including ``would``, ``could`` and ``might``)."""
        for k in sorted((*self.auxiliaries(verb), verb)):
            tag = self.tokens[k].tag
            if tag == "MD":
                return self.lower[k] in ("would", "could", "might")
            if tag in ("VBP", "VBZ"):
                return False
            if tag == "VBD":
                return True
        return True

    def in_quotation(self, i: int) -> bool:
        """Whether token ``i`` is inside a quotation."""
        return sum(word in QUOTES for word in self.lower[:i]) % 2 == 1

    def tells_of_past(self, verb: int) -> bool:
        """Whether the verb's clause is about the past, by tense or perfect infinitive: "appears to have been"."""
        lower = self.child(verb, "xcomp") if self.tokens[verb].lemma in WORDS["raising"] else None
        perfect = lower is not None and any(self.lower[k] == "have" for k in self.auxiliaries(lower))
        return perfect or self.past(verb)


def _folded(tokens: tuple[Token, ...]) -> tuple[Token, ...]:
    """Returns the tokens with ASCII marks; the same object if they are all ASCII."""
    if "".join([t[0] for t in tokens]).isascii():
        return tokens
    pairs = zip(tokens, typography.folded(tokens), strict=True)
    return tuple([t if t.text == text else t._replace(text=text, lemma=_lemma(t, text)) for t, text in pairs])


def _lemma(token: Token, text: str) -> str:
    """Returns the lemma with ASCII marks, and "be" for its contractions, which taggers recognise only in ASCII."""
    contracted = text.lower() in ("'s", "'re", "'m") and token.tag in ("VBZ", "VBP") and token.dep not in AUXILIARIES
    return "be" if contracted else typography.fold(token.lemma)
