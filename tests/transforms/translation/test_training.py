"""What augmentation writes as a column is what training reads. It runs where torch is: `make test-train`."""

import json

import pytest

import gistmill
from gistmill.training.cli import main
from tests.environments import needs_package
from tests.training.made import copies, tiny
from tests.transforms.translation import fakes

pytestmark = needs_package("torch")


@pytest.mark.parametrize("objective", ["consistency", "cross-entropy"])
def test_paraphrases_as_a_column_are_trained_on(tmp_path, objective):
    rows = [{"id": row["id"], "inputs": f"{row['inputs']}.", "targets": row["targets"]} for row in copies(80)]
    (tmp_path / "pairs.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    gistmill.build(
        "augment",
        method="round-trip",
        augmented_as="column",
        translator=fakes.backwards,
        input=tmp_path / "pairs.jsonl",
        output=tmp_path / "paraphrased",
        splits=(80, 20, 0),
    )
    arguments = tiny(str(tmp_path / "paraphrased"), tmp_path / "model", objective=objective, steps=6)
    assert main(arguments) == 0
