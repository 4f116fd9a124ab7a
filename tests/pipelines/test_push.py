"""`gistmill push`, to a hub on this machine: what is sent, in one commit, what is not sent again, and errors."""

from __future__ import annotations

import shutil
import subprocess
import sys

import pytest

from gistmill.core.extras import install_extra
from gistmill.core.manifest import Manifest
from gistmill.pipelines.errors import ConfigError, JobFailed
from gistmill.pipelines.push import _asking, main
from gistmill.published.dataset import Dataset
from tests.commands import gistmill, make, manifest
from tests.hostile import HOSTILE, check_card
from tests.hub import TOKEN, Blob, hub_server
from tests.manifests import write_manifest
from tests.pipelines.publishing.made import build, check_whole
from tests.stores import free_port

PLACE, REPO = "hf://user/demo", "user/demo"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A published dataset."""
    return build(tmp_path_factory.mktemp("made") / "demo").folder


@pytest.fixture
def hub(monkeypatch, tmp_path):
    """A hub, for the token of the environment. Files come to it by Git LFS, whole."""
    with hub_server() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        monkeypatch.setenv("HF_TOKEN", TOKEN)
        monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
        monkeypatch.setenv("HF_HUB_DISABLE_XET", "1")
        monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)  # of other tests
        yield hub


def pushed(folder, *options):
    """Pushes; returns what was printed after the address of the dataset."""
    done = gistmill("push", folder, PLACE, *options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.strip().partition("/datasets/user/demo: ")[2]


def refused(*arguments):
    """Returns exit code and the one line of an error, which does not show the token."""
    done = gistmill("push", *arguments)
    (line,) = done.stderr.splitlines()
    assert TOKEN not in line and done.stdout == ""
    return done.returncode, line.removeprefix("gistmill push: ")


def files_at(hub, folder):
    """The files of the repository, written to a folder."""
    for path, blob in hub.repos[REPO].files.items():
        if path != ".gitattributes":
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(blob.content)
    return folder


def changing(hub):
    """The requests that change something, by their last parts."""
    return [p.rpartition("/")[2] for m, p, _ in hub.requests if m != "GET" and "validate-yaml" not in p]


def test_the_hub_gets_every_file_of_the_dataset_in_one_commit(hub, made, tmp_path):
    said = pushed(made, "--private")
    assert said == f"{len(hub.repos[REPO].files) - 1} files sent, 0 removed, 0 unchanged; commit {hub.repos[REPO].sha}"
    assert hub.repos[REPO].private and hub.repos[REPO].commits == 2
    content = check_whole(files_at(hub, tmp_path / "there"))
    assert {"README.md", "croissant.json", "full/parquet/train-00000-of-00002.parquet"} <= {
        f["path"] for f in content["files"]
    }


def test_a_dataset_that_is_there_is_not_sent_again(hub, made):
    pushed(made)
    hub.requests.clear()
    assert pushed(made).startswith("already up to date, ")
    assert changing(hub) == [] and hub.repos[REPO].commits == 2 and not hub.repos[REPO].private


@pytest.mark.slow
def test_another_version_replaces_what_differs_and_removes_the_rest_at_once(hub, tmp_path):
    build(tmp_path / "demo", shards=3)
    pushed(tmp_path / "demo")
    kept = hub.repos[REPO].files.copy()
    hub.repos[REPO].files["old/notes.md"] = Blob(b"x")
    hub.requests.clear()
    build(tmp_path / "demo", shards=2, overwrite=True)
    said = pushed(tmp_path / "demo")
    content = check_whole(files_at(hub, tmp_path / "there"))
    assert not any(f["path"].endswith("of-00003.parquet") for f in content["files"])
    unchanged = [p for p, blob in hub.repos[REPO].files.items() if kept.get(p) == blob and p != ".gitattributes"]
    assert "rejects/part-00000-of-00001.jsonl.gz" in unchanged and f"{len(unchanged)} unchanged" in said
    assert hub.repos[REPO].commits == 3 and ".gitattributes" in hub.repos[REPO].files
    assert not set(changing(hub)) & {kept["rejects/part-00000-of-00001.jsonl.gz"].sha256}


@pytest.mark.slow
def test_a_dry_run_says_what_it_would_do_and_changes_nothing(hub, tmp_path):
    build(tmp_path / "demo", formats=("parquet",))
    sizes = [p.stat().st_size for p in (tmp_path / "demo").rglob("*") if p.is_file()]
    new = f"{len(sizes)} files to send ({sum(sizes):,} bytes), 0 to remove, 0 unchanged; nothing was sent"
    assert pushed(tmp_path / "demo", "--dry-run") == f"{new}, and no dataset was created"
    assert hub.repos == {} and changing(hub) == []
    pushed(tmp_path / "demo")
    hub.requests.clear()
    none = f"0 files to send (0 bytes), 0 to remove, {len(sizes)} unchanged; nothing was sent"
    assert pushed(tmp_path / "demo", "--dry-run") == none
    build(tmp_path / "demo", formats=("parquet", "tsv"), overwrite=True)
    tsv = list((tmp_path / "demo").rglob("*.tsv"))
    said = pushed(tmp_path / "demo", "--dry-run")
    assert int(said.split()[0]) >= len(tsv) > 0 and "0 to remove" in said and "; nothing was sent" in said
    assert changing(hub) == []


def test_a_push_that_failed_goes_on_where_it_was(hub, made):
    hub.refused["/commit/"] = 403
    code, line = refused(made, PLACE)
    assert code == 1 and line == f"{hub.url}/datasets/{REPO}: the disk is full"
    assert set(hub.repos[REPO].files) == {".gitattributes"} and hub.sent("/lfs/") > 0
    hub.refused.clear()
    hub.requests.clear()
    pushed(made)
    assert not any(path.startswith("/lfs/") for _, path, _ in hub.requests)
    assert len(hub.repos[REPO].files) > 1


@pytest.mark.slow
def test_two_pushes_at_a_time_do_not_mix(hub, made, tmp_path):
    pushed(made)
    hub.busy = True
    build(tmp_path / "demo", tag="other")
    code, line = refused(tmp_path / "demo", PLACE)
    assert code == 1 and "The branch has moved on" in line


def test_a_place_that_is_not_a_dataset_of_the_hub_is_named(hub, made):
    for place in ("user/demo", "hf://demo", "hf://user/demo/file", "hf://user/demo@main", "hf://user/-demo-"):
        said = "Repo id must" if "-demo-" in place else "expected a dataset on the hub, such as hf://user/name"
        with pytest.raises(ConfigError) as error:
            main([str(made), place])
        assert str(error.value).startswith(f"{place}: {said}")
    # the form that other programs have for datasets
    assert gistmill("push", made, "hf://datasets/user/demo/", "--dry-run").returncode == 0


def test_what_is_not_a_whole_dataset_is_not_pushed(hub, made, tmp_path):
    assert refused(tmp_path, PLACE) == (2, f"{tmp_path} is not a dataset: no files found there")
    in_a_store = "s3://bucket/demo: a dataset in a store cannot be pushed; copy it to a folder on this machine first"
    assert refused("s3://bucket/demo", PLACE) == (2, in_a_store)
    shutil.copytree(made, tmp_path / "copy")
    (tmp_path / "copy" / "stats.json").write_text("{}")
    code, line = refused(tmp_path / "copy", PLACE)
    assert code == 2 and "stats.json does not match the manifest; run gistmill validate" in line
    assert hub.requests == []


def test_without_a_token_or_with_a_wrong_one_it_says_so_and_a_dry_run_needs_none(hub, made, monkeypatch):
    monkeypatch.setenv("HF_TOKEN", "hf_wrong")
    assert refused(made, PLACE) == (1, f"{hub.url}/datasets/{REPO}: Invalid user token.")
    monkeypatch.delenv("HF_TOKEN")
    assert refused(made, PLACE) == (2, "no hub token is set: log in with `hf auth login`, or set HF_TOKEN")
    assert "no dataset was created" in pushed(made, "--dry-run")


def test_a_hub_that_does_not_answer_is_named(hub, made, monkeypatch):
    url = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("HF_ENDPOINT", url)
    code, line = refused(made, PLACE)
    assert code == 1 and line.startswith(f"{url}/datasets/{REPO}: ") and "refused" in line


@pytest.mark.slow
def test_without_the_package_it_says_which(made):
    code = "import sys; sys.modules['huggingface_hub'] = None; from gistmill.pipelines import cli; sys.exit(cli.main())"
    done = subprocess.run([sys.executable, "-c", code, "push", str(made), PLACE], capture_output=True, text=True)
    said = f"gistmill push: the package huggingface_hub is required: {install_extra('hub')}\n"
    assert (done.returncode, done.stderr) == (2, said)


def test_a_token_that_a_server_repeats_and_a_password_of_its_address_are_not_shown(hub, monkeypatch):
    with pytest.raises(JobFailed) as failed, _asking("https://me:PASSWORD@hub.test/datasets/user/demo"):
        raise OSError(f"400: Authorization: Bearer {TOKEN}")
    assert str(failed.value) == "https://hub.test/datasets/user/demo: 400: Authorization: Bearer (the token)"


def test_what_a_strangers_manifest_says_is_text_in_the_card_of_a_dataset_made_of_his(gaps, tmp_path, hub):
    """Every field of the manifest that may be any text has a hostile value."""
    bad = shutil.copytree(gaps, tmp_path / "bad")
    found = manifest(bad) | dict.fromkeys(("licence", "attribution", "code_version", "runner"), HOSTILE)
    found["versions"] = {HOSTILE: HOSTILE}
    found["sources"][0].update(name=HOSTILE, kind=HOSTILE)
    found["damage"] = [{"file": HOSTILE, "offset": 1, "message": HOSTILE}]
    found["counts"]["documents/rejected"] = {HOSTILE: 1}
    for column in found["columns"]["default"]:
        column["description"] = HOSTILE
    write_manifest(bad, Manifest.from_json(found))
    output = tmp_path / "out"
    make(f"mix --input {bad} --output {output}")
    assert Dataset(output).validate() == []
    check_card((output / "README.md").read_text(encoding="utf-8"))
    pushed(output)
    check_card(hub.repos[REPO].files["README.md"].content.decode())
