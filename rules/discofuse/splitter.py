"""The splitter, which applies the rules to a text in the order of the released data and checks the results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from types import ModuleType
from typing import NamedTuple

from gistmill.core import deadline
from gistmill.core.records import ACCEPTED, Reason, Verdict
from gistmill.rules.discofuse import (
    apposition,
    cataphora,
    discourse_connective,
    forward_connective,
    inner_connective,
    operations,
    relative_clause,
    sentence_coordination,
    verb_phrase_coordination,
    verdicts,
)
from gistmill.rules.discofuse.anaphora import anaphora_suffix, mentions
from gistmill.rules.discofuse.anaphora.anaphora_suffix import Anaphor, Evidence
from gistmill.rules.discofuse.anaphora.mentions import Links, Replacement, Scene
from gistmill.rules.discofuse.candidate import Candidate, DiscourseType
from gistmill.rules.discofuse.checks import DiscoFuseReason, Halves, Region, first_reason
from gistmill.rules.discofuse.clauses import assertion
from gistmill.rules.discofuse.config import DiscoFuseConfig
from gistmill.rules.discofuse.parse import Parse
from gistmill.rules.documents import tokenised_text

T = DiscourseType
# The paper's Table 14 for one sentence, as (rule, type, type with anaphora); the released data records the first match.
SINGLE_RULES: tuple[tuple[ModuleType, DiscourseType, DiscourseType | None], ...] = (
    (relative_clause, T.SINGLE_RELATIVE, None),
    (cataphora, T.SINGLE_CATAPHORA, None),
    (inner_connective, T.SINGLE_CONN_INNER, T.SINGLE_CONN_INNER_ANAPHORA),
    (forward_connective, T.SINGLE_CONN_START, None),
    (apposition, T.SINGLE_APPOSITION, None),
    (sentence_coordination, T.SINGLE_S_COORD, T.SINGLE_S_COORD_ANAPHORA),
    (verb_phrase_coordination, T.SINGLE_VP_COORD, None),
)
# In tokens. The longest of the slice's 18,194 sentences has 166; the rules' running time grows faster than the length.
LONGEST_SENTENCE = 500
_NO_LINKS = Links(())


class _Anaphora(NamedTuple):
    """The dependence of the second half on the first, under the conventions, with the replacements it requires;
    ``clear`` means that the half itself names the antecedent, so that no replacements are needed."""

    dependent: bool = False
    replacements: tuple[Replacement, ...] = ()
    clear: bool = False


class Splitter:
    """Applies the rules to single sentences and to pairs of consecutive sentences."""

    def __init__(self, config: DiscoFuseConfig) -> None:
        self._config = config
        self._released = config.conventions == "released"
        self._judge = partial(
            verdicts.of_sentence, min_tokens=config.sentence_floor, ascii_only=config.rejects_non_ascii
        )
        self._matches = 0  # so far, in all texts

    def candidates(
        self, first: Parse, second: Parse | None = None, *, links: Links = _NO_LINKS, index: int = 0
    ) -> tuple[Candidate, ...]:
        """Returns the candidate examples made from a text, each with its verdict; none for a text with a sentence of
        more than LONGEST_SENTENCE tokens.

        Args:
            first: a sentence.
            second: the next sentence, or None to split ``first`` alone.
            links: coreference links in the document.
            index: position of ``first`` in the document, for looking up its links.
        """
        if max(len(first), len(second) if second else 0) > LONGEST_SENTENCE:
            return ()
        if second is not None:
            return (self._pair(first, second, links, index),)
        return tuple(islice(self._singles(first, links, index), 1 if self._released else None))

    def _singles(self, parse: Parse, links: Links, index: int) -> Iterator[Candidate]:
        seen: list[list[list[str]]] = []
        for rule, plain, anaphoric in SINGLE_RULES:
            for match in filter(None, [rule.find(parse)]) if self._released else rule.find_all(parse):
                if self._matches % deadline.STRIDE == 0:
                    deadline.check()
                self._matches += 1
                made = self._single(rule.apply(parse, match), plain, anaphoric, parse, links, index)
                texts = [[w[0] for w in part] for part in (made.first, made.second)]
                if texts not in seen:  # two rules may make the same split: the first one is recorded
                    seen.append(texts)
                    yield made

    def _single(
        self,
        halves: Halves,
        plain: DiscourseType,
        anaphoric: DiscourseType | None,
        parse: Parse,
        links: Links,
        index: int,
    ) -> Candidate:
        inserted = plain in (T.SINGLE_RELATIVE, T.SINGLE_APPOSITION)
        checks = assertion.REPORT_CHECKS_OF_INSERTIONS if inserted else assertion.REPORT_CHECKS
        halves = halves._replace(problem=halves.problem or first_reason(checks, parse, halves))
        found = _Anaphora()
        if anaphoric is not None:
            boundary = halves.boundary
            scene = self._scene(parse, parse, Region(index, 0, boundary), Region(index, boundary, len(parse)), links)
            found = self._anaphora(scene)
            # a subject copied by the rule already shows who is meant: not "Walker lost during Walker 's flight"
            nouns = (w for w in halves.second if w.pos in ("NOUN", "PROPN", "PRON"))
            copied = {w.text for w in nouns if 0 <= w.position < boundary}
            if copied and found.replacements:
                left = tuple(r for r in found.replacements if not any(w.text in copied for w in r.words))
                found = _Anaphora(found.dependent and (bool(left) or self._released), left, clear=not left)
        return self._finished(halves, anaphoric if found.dependent and anaphoric else plain, found, parse)

    def _pair(self, first: Parse, second: Parse, links: Links, index: int) -> Candidate:
        find_all = discourse_connective.find_all
        match = discourse_connective.find(second) if self._released else next(find_all(second), None)
        words = second.words if match is None else discourse_connective.apply(second, match)
        start = match.end if match is not None and match.start == 0 else 0
        scene = self._scene(first, second, Region(index, 0, len(first)), Region(index + 1, start, len(second)), links)
        found = self._anaphora(scene, alone=match is None)
        anaphoric, plain = (T.PAIR_CONN_ANAPHORA, T.PAIR_CONN) if match else (T.PAIR_ANAPHORA, T.PAIR_NONE)
        chosen, problem = anaphoric if found.dependent else plain, None
        # in the released data every such pair is PAIR_NONE
        if chosen is T.PAIR_NONE and not self._released and anaphora_suffix.find_back_reference(scene) is not None:
            problem = DiscoFuseReason.UNRESOLVED_ANAPHOR
        if second.tokens[0].text.isalpha() and second.tokens[0].text.islower():
            problem = DiscoFuseReason.NO_END  # one sentence, cut at the "!" of a title: "in Hello Leeds ! that made"
        halves = Halves(first=first.words, second=words, connective=match.text if match else "", problem=problem)
        return self._finished(halves, chosen, found, second)

    def _scene(self, first: Parse, second: Parse, antecedents: Region, anaphors: Region, links: Links) -> Scene:
        clusters = links.within(antecedents.sentence, anaphors.sentence)
        limits = self._config.max_antecedent_tokens, self._config.coref_cut
        return Scene(first, second, antecedents, anaphors, clusters, *limits)

    def _anaphora(self, scene: Scene, *, alone: bool = False) -> _Anaphora:
        """Returns the second half's dependence on the first, with the replacements it requires; ``alone`` means that
        nothing else is undone, so that an example without replacements would be identical to the text."""
        suffix = anaphora_suffix.find_anaphora_suffix(scene) if self._released else None
        if self._released and suffix is None:
            return _Anaphora()
        again = alone and suffix is not None and suffix.evidence is Evidence.EXPLAINED
        found = mentions.find(scene, by_place=self._released, again=again)
        # a doubtful replacement would ruin an example that is good without it
        kept = tuple(r for r in found if r.problem is None and self._sure(r))
        if suffix is None or kept:
            return _Anaphora(self._released or bool(kept), kept)
        if not alone and self._is_clear(suffix, found, scene):
            return _Anaphora(True, clear=True)
        return _Anaphora(True, found)

    def _is_clear(self, anaphor: Anaphor, found: Sequence[Replacement], scene: Scene) -> bool:
        """Whether the anaphor is self-explanatory, or a pronoun after another mention of its antecedent's name."""
        before = scene.second.tokens[scene.anaphors.start : anaphor.position]
        names = {t.text for t in before if t.pos == "PROPN"}
        own = (r for r in found if r.start == anaphor.position and self._sure(r))
        return anaphor.evidence in anaphora_suffix.CLEAR or any(w.text in names for r in own for w in r.words)

    def _sure(self, replacement: Replacement) -> bool:
        return replacement.is_sure(self._config.coref_cut)

    def _finished(self, halves: Halves, chosen: DiscourseType, found: _Anaphora, last: Parse) -> Candidate:
        replacements = found.replacements
        second = mentions.apply(halves.second, replacements) if replacements else halves.second
        pair = chosen.name.startswith("PAIR")
        first = halves.first if pair else operations.sentence(halves.first)
        # a pair is recorded unchanged except for the connective and the anaphors
        if not pair or halves.connective or replacements:
            # the second half gets the text's final mark if it ends where the text does
            text, end = last.tokens[-1].text, max((w.position for w in halves.second), default=-1)
            second = operations.sentence(second, text if text in operations.TERMINAL and end >= len(last) - 2 else ".")
        kinds = {r.kind for r in replacements}
        problem = halves.problem or _problem_of_end(last, pair) or self._problem_of_anaphora(chosen, found)
        if not pair and 0 < self._config.first_ceiling < len(first):
            problem = problem or DiscoFuseReason.TOO_LONG
        as_written, whole = pair and chosen is not T.PAIR_NONE, pair or verdicts.is_balanced(last.words)
        verdict = Verdict(problem, f"{tokenised_text(first)} | {tokenised_text(second)}") if problem else ACCEPTED
        for words in (first, second):
            if verdict.accepted and (reason := self._judge(words, as_written=as_written, whole=whole)) is not None:
                verdict = Verdict(reason, tokenised_text(words))
        return Candidate(
            discourse_type=chosen,
            connective_string=halves.connective,
            first=first,
            second=second,
            has_coref_type_pronoun="pronoun" in kinds,
            has_coref_type_nominal=bool(kinds - {"pronoun"}),
            verdict=verdict,
            halves=halves,
            replacements=replacements,
            keep_marks=self._config.keeps_marks,
        )

    def _problem_of_anaphora(self, chosen: DiscourseType, found: _Anaphora) -> Reason | None:
        unresolved = chosen.name.endswith("_ANAPHORA") and not found.replacements and not found.clear
        if unresolved or not all(map(self._sure, found.replacements)):
            return DiscoFuseReason.UNCERTAIN_COREFERENCE
        return next((r.problem for r in found.replacements if r.problem is not None), None)


def _problem_of_end(last: Parse, pair: bool) -> Reason | None:
    """Returns the reason to reject a text for its ending: a question mark would be moved to the wrong half, and a mark
    that introduces a list or a quotation does not end a sentence."""
    end = next((w for w in reversed(last.lower) if w not in operations.CLOSING and w not in operations.QUOTES), "")
    if end == "?" and not pair:
        return DiscoFuseReason.QUESTION
    return DiscoFuseReason.NO_END if end in operations.HANGING else None
