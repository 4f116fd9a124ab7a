"""A log-linear scorer over the candidates of a definite noun phrase and "no antecedent" (Denis and Baldridge 2008).

research/fit_nominals.py fits the weights, one a feature. Features are named in words, so that the file can be read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp

from gistmill.rules.coreference.kinds import calls
from gistmill.rules.coreference.markables import NAME, Cluster, Markable
from gistmill.rules.coreference.nominal_candidates import HEAD, SAID, TYPE, Candidate, place_agreement
from gistmill.rules.coreference.noun_kinds import main_kind
from gistmill.rules.coreference.noun_phrases import complement, determiner, modifiers
from gistmill.rules.coreference.syntax import APPOSITION, MODIFIER, OBJECTS, OF, PLACE, POSSESSIVE, SUBJECTS, Syntax

# "IBM announced a loss. The company ...": the subject of the sentence before, the only one of a usual type. Too rare in
# the corpora to be fitted; the subject is what the next sentence is likeliest about (Grosz, Joshi and Weinstein 1995).
SAME_SUBJECT = 0.8
_DISTANCES = ("0", "1", "2", "3", "4", "4", "6", "6", "6", "6", "10")
_ROLES = {
    POSSESSIVE: "owner",
    MODIFIER: "modifier",
    APPOSITION: "apposition",
    PLACE: "place",
    OF: "of",
    **dict.fromkeys(SUBJECTS, "subject"),
    **dict.fromkeys(OBJECTS, "object"),
}


@cache
def fitted_weights() -> Mapping[str, float]:
    """Returns the weight of each feature."""
    text = files(__package__).joinpath("data", "nominal_weights.txt").read_text(encoding="utf-8")
    return {name: float(weight) for name, weight in (line.rsplit(" ", 1) for line in text.splitlines())}


class NominalScorer:
    """Chooses the antecedents of definite nominals.

    Args:
        weights: by feature; None for the fitted ones.
    """

    def __init__(self, weights: Mapping[str, float] | None = None) -> None:
        self._weights = fitted_weights() if weights is None else weights

    def choose(
        self, nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]
    ) -> tuple[Cluster | None, float]:
        """Returns the likeliest cluster with its probability; None where "no antecedent" is likelier. A chain is as
        sure as its weakest link.
        """
        weight = self._weights.get
        scores = [sum([weight(f, 0.0) for f in row]) for row in feature_rows(nominal, syntaxes, candidates)]
        most = max(scores)
        shares = [exp(score - most) for score in scores]
        best = max(range(1, len(shares)), key=shares.__getitem__)
        probability = shares[best] / sum(shares)
        chosen = candidates[best - 1]
        if shares[best] < shares[0] or probability < SAME_SUBJECT:
            subject = _same_subject(nominal, syntaxes, candidates)
            if subject is not None:
                chosen, probability = subject, SAME_SUBJECT
            elif shares[best] < shares[0]:
                return None, 0.0
        cluster = chosen.cluster
        return cluster, min(probability, cluster.links.get(chosen.mention.order) or 1.0)


def _same_subject(nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]) -> Candidate | None:
    """The named subject of the sentence before that a subject means, if only one is of a fitting type."""
    tokens = syntaxes[nominal.sentence].tokens
    if (
        nominal.role not in SUBJECTS
        or nominal.end - nominal.start != 2
        or not calls(nominal.words[0])
        or tokens[nominal.start].text.lower() != "the"
        or complement(nominal, tokens)
    ):
        return None

    def is_subject_before(c: Candidate) -> bool:
        return c.mention.role in SUBJECTS and nominal.sentence - c.mention.sentence == 1

    found = [c for c in candidates if c.link != TYPE or (c.usual or not c.cluster.entity) and is_subject_before(c)]
    return found[0] if len(found) == 1 and found[0].link != HEAD and is_subject_before(found[0]) else None


def feature_rows(nominal: Markable, syntaxes: Sequence[Syntax], candidates: Sequence[Candidate]) -> list[list[str]]:
    """Returns the active features of "no antecedent" and of each candidate."""
    tokens = syntaxes[nominal.sentence].tokens
    noun = nominal.words[0]
    det, after, own, kinds = (
        determiner(nominal, tokens),
        complement(nominal, tokens),
        modifiers(nominal, tokens),
        calls(noun),
    )
    kind = str(main_kind(noun) or "unknown")
    bare = not own and not after
    rows = [
        [
            "none",
            f"none by {det}",
            f"none then {after}",
            f"none kind {kind}",
            f"none role {_ROLES.get(nominal.role, 'other')}",
            f"none modified {bool(own)}",
            f"none plural {nominal.plural}",
            f"none calling {bool(kinds)} bare {bare} by {det}",
            *[f"none calling {k}" for k in kinds],
        ]
    ]
    for candidate in candidates:
        link, other = candidate.link, candidate.mention
        cluster = other.cluster
        far = _DISTANCES[min(nominal.sentence - other.sentence, len(_DISTANCES) - 1)]
        row = [
            link,
            f"{link} at {far}",
            f"{link} by {det}",
            f"{link} among {min(candidate.rivals, 3)}",
            f"{link} role {_ROLES.get(other.role, 'other')}",
            f"{link} then {after}",
            f"{link} mentions {min(len(cluster.places), 3)}",
        ]
        if cluster.titled:
            row.append(f"{link} title")
        if other.sentence == nominal.sentence and other.clause == nominal.clause:
            row.append(f"{link} one clause")
        if link == HEAD:
            row += _head_features(own, other, syntaxes[other.sentence])
        else:
            row += _name_features(candidate, noun, kinds or (kind,), bool(own), bare, far)
        rows.append(row)
    return rows


def _head_features(own: frozenset[str], other: Markable, syntax: Syntax) -> list[str]:
    theirs, det, after = (
        modifiers(other, syntax.tokens),
        determiner(other, syntax.tokens),
        complement(other, syntax.tokens),
    )
    if own == theirs:
        form = "same" if own else "plain"
    else:
        form = "less" if own < theirs else "more" if own > theirs else "other"
    found = [f"head form {form}", f"head from {det}", f"head form {form} from {det}"]
    found += [f"head given {after}", f"head form {form} given {after}"]
    if other.cluster.mentions[0].kind == NAME:
        found.append("head named")
    return found


def _name_features(
    candidate: Candidate, noun: str, kinds: Sequence[str] | frozenset[str], modified: bool, bare: bool, far: str
) -> list[str]:
    link, cluster = candidate.link, candidate.cluster
    entity = cluster.entity or "untyped"
    found = [f"{link} modified {modified}", f"{link} {entity}"]
    found += [f"{link} {entity} {kind}" for kind in kinds]
    if entity == "GPE":
        found.append(f"{link} place {place_agreement(cluster, noun)}")
    if link == SAID:
        found.append(f"said exactly {noun in cluster.longest or cluster.mentions[0].kind != NAME}")
    else:
        only = candidate.usual and candidate.usual_rivals == 1
        role = "subject" if candidate.mention.role in SUBJECTS else "other"
        near = far if far in ("0", "1") else "far"
        found += [f"type usual {candidate.usual} bare {bare} {near}", f"type only {only} bare {bare}"]
        found.append(f"type only {only} bare {bare} {role} {near}")
    return found
