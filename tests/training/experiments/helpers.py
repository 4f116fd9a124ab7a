"""A small experiment, as text and as what is read from it."""

import copy

import yaml

from gistmill.training.experiments.plan import parse_experiment

SMALL = {
    "title": "Small",
    "about": "Two models on one dataset.",
    "device": "any",
    "estimate": "none",
    "needs": {
        "pairs": {"what": "pairs", "command": "gistmill discofuse"},
        "few": {"what": "few pairs"},
        "weights": {"what": "weights", "hub": "someone/weights"},
    },
    "stages": {
        "pretrain": {"datasets": ["$pairs"], "seed": 1},
        "finetune": {"datasets": ["$few"]},
    },
    "axes": {
        "model": {
            "tiny": {"stages": {"pretrain": {"model": "tiny"}}},
            "scratch": {"stages": {"pretrain": None, "finetune": {"model": "tiny"}}},
            "given": {"stages": {"pretrain": None, "finetune": None}, "model": "$weights"},
        },
        "rate": {
            "low": {"stages": {"finetune": {"learning_rate": 0.1}}},
            "high": {"stages": {"finetune": {"learning_rate": 0.9}}},
        },
    },
    "tests": {
        "test": {"evaluate": {"dataset": "$pairs#default/test"}},
        "low": {"where": {"rate": "low"}, "evaluate": {"dataset": "$pairs#default/{rate}"}},
    },
    "seeds": [1, 2, 3],
    "tables": [
        {
            "title": "Table 1",
            "columns": {
                "low": {"where": {"rate": "low"}, "test": "test", "metric": "exact"},
                "high": {"where": {"rate": "high"}, "test": "test", "metric": "exact"},
            },
            "rows": {
                "tiny": {"where": {"model": "tiny"}, "paper": [10, None]},
                "COPY": {"system": "copy", "paper": [1, 2]},
            },
        }
    ],
}


def small(**changes):
    """The description of the experiment, with top-level fields changed; None takes one out."""
    described = {**copy.deepcopy(SMALL), **changes}
    return {name: value for name, value in described.items() if value is not None}


def text(described):
    return yaml.safe_dump(described, sort_keys=False).encode("utf-8")


def parsed(**changes):
    return parse_experiment(text(small(**changes)), "small.yaml")
