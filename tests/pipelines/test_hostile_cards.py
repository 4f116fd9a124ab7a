"""Cards of datasets that were made of a stranger's: what its manifest says is shown as text, and is nothing else."""

import json

import pytest

from gistmill.core.manifest import Manifest
from gistmill.pipelines import cli
from gistmill.published.dataset import Dataset
from tests.commands import succeed
from tests.hostile import HOSTILE, check_card
from tests.manifests import write_manifest
from tests.pipelines.test_mix import build
from tests.pipelines.test_push import PLACE, REPO, hub

__all__ = ["hub"]


@pytest.fixture(scope="module")
def bad(tmp_path_factory):
    """A dataset with a hostile value in every field of its manifest that may be any text."""
    folder = build(tmp_path_factory.mktemp("bad"), [f"d{n}" for n in range(40)], name="bad")
    found = json.loads((folder / "manifest.json").read_text())
    for name in ("licence", "attribution", "code_version", "runner"):
        found[name] = HOSTILE
    found["versions"] = {HOSTILE: HOSTILE}
    found["sources"][0].update(name=HOSTILE, kind=HOSTILE)
    found["damage"] = [{"file": HOSTILE, "offset": 1, "message": HOSTILE}]
    found["counts"]["documents/rejected"] = {HOSTILE: 1}
    for column in found["columns"]["default"]:
        column["description"] = HOSTILE
    write_manifest(folder, Manifest.from_json(found))
    return folder


@pytest.mark.parametrize(
    "job", [*(pytest.param(job, marks=pytest.mark.slow) for job in ("augment", "curriculum")), "mix"]
)
def test_what_a_manifest_says_is_text_in_the_card(bad, tmp_path, job, hub):
    output = tmp_path / "out"
    assert cli.main([job, "--input", str(bad), "--output", str(output)]) == 0 and Dataset(output).validate() == []
    check_card((output / "README.md").read_text(encoding="utf-8"))
    succeed("push", output, PLACE)
    check_card(hub.repos[REPO].files["README.md"].content.decode())
