"""A tagger for tests, whose states say outright what each head should prefer."""

import numpy as np

from gistmill.rules.fusion.codec import SHAPES, Heads

STRENGTH = 20.0  # of a preference


def blank_heads(labels, width=8):
    """Heads whose scores are all alike."""
    size = {
        "one": 1,
        "two": 2,
        "state": width,
        "three_states": 3 * width,
        "plans": len(labels.plans),
        "operations": len(labels.operations),
        "phrases": len(labels.phrases),
        "plan_hidden": 4,
        "move_hidden": 5,
        "word_hidden": 6,
    }
    return {name: np.zeros([size[a] for a in axes], np.float32) for name, axes in SHAPES.items()}


class Scripted(Heads):
    """Heads that answer with given preferences, whatever the states."""

    def __init__(self, labels, *, plans=(), move=0, operations=(), phrases=(), strength=STRENGTH):
        super().__init__(labels, blank_heads(labels))
        self.plans_, self.move, self.operations_, self.phrases_ = plans, move, dict(operations), dict(phrases)
        self.strength = strength

    def plans(self, states, n):
        scores = np.zeros(len(self.labels.plans), np.float32)
        for rank, plan in enumerate(self.plans_):
            scores[self.labels.plans.index(plan)] = self.strength / (rank + 1)
        return _logs(scores)

    def moves(self, states, n, plan):
        scores = np.zeros(n + 1, np.float32)
        scores[self.move] = self.strength
        return _logs(scores)

    def tags(self, states, plan, moved):
        size = len(states) - 2
        operations = np.zeros((size, len(self.labels.operations)), np.float32)
        phrases = np.zeros((size + 1, len(self.labels.phrases)), np.float32)
        for table, names, wanted in (
            (operations, self.labels.operations, self.operations_),
            (phrases, self.labels.phrases, self.phrases_),
        ):
            table[:, 0] = self.strength / 2
            for at, ranked in wanted.items():
                for rank, name in enumerate([ranked] if isinstance(ranked, str) else ranked):
                    table[at, names.index(name)] = self.strength - rank
        return _logs(operations), _logs(phrases)


def _logs(scores):
    return scores - np.log(np.exp(scores).sum(axis=-1, keepdims=True))
