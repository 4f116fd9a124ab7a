"""The prior of a tagger: which plans it expects of pairs, before it has read them.

A tagger learns how frequent the plans are in its training rows, most of which are pairs that stay as they are. Who
fuses other pairs than such ones corrects what it has learnt by the shares of the plans there (M. Saerens et al.,
"Adjusting the outputs of a classifier to new a priori probabilities", Neural Computation 14, 2002, section 2.2):
P(plan | pair) there is proportional to P(plan | pair) here times the share there over the share here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from gistmill.rules.fusion.labels import LabelsError

PRIOR = "prior"  # its key in the description of a tagger


def fit_prior(plans: Sequence[str], learnt: Iterable[str], expected: Iterable[str]) -> dict[str, float]:
    """Returns what is added to the log probability of each plan, to four decimals.

    Args:
        plans: that the tagger knows.
        learnt: the plan of each row that it was trained on.
        expected: the plan of each row of the corpus whose shares it is to expect; plans that it does not know do not
            count. Each plan is counted once more than it occurs, so that none is impossible.
    """
    here, there = Counter(learnt), Counter(expected)
    rows, others = (sum(1 + count[plan] for plan in plans) for count in (here, there))
    return {plan: round(math.log((1 + there[plan]) / others) - math.log((1 + here[plan]) / rows), 4) for plan in plans}


def prior_of(prior: Any, plans: Sequence[str]) -> dict[str, float]:
    """Reads the prior that stands in the description of a tagger; where there is none, it is 0 for every plan.

    Raises:
        LabelsError: it is not a number for each plan.
    """
    if prior is None:
        return dict.fromkeys(plans, 0.0)
    if not isinstance(prior, Mapping) or set(prior) != set(plans):
        raise LabelsError(f"{PRIOR}: expected a number for each plan")
    if not all(isinstance(value, int | float) and math.isfinite(value) for value in prior.values()):
        raise LabelsError(f"{PRIOR}: expected numbers only")
    return {plan: float(prior[plan]) for plan in plans}
