"""``gistmill push``: brings a published dataset to the hub of Hugging Face, in one commit."""

from __future__ import annotations

import hashlib
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from gistmill.core.addresses import is_url, without_secrets
from gistmill.core.extras import install_extra
from gistmill.core.manifest import MANIFEST, ManifestError
from gistmill.core.text_output import say
from gistmill.pipelines.errors import CommandParser, ConfigError, JobFailed, shorten
from gistmill.published.dataset import Dataset
from gistmill.published.files import DatasetError, LocalFolder

if TYPE_CHECKING:
    from huggingface_hub import HfApi
    from huggingface_hub.hf_api import RepoFile

_PLACE = re.compile(r"hf://(?:datasets/)?([^/@]+/[^/@]+)/?")
_KEPT = ".gitattributes"  # the hub's own


def main(argv: Sequence[str]) -> int:
    """Pushes, or prints the plan of a push; returns the exit code. Raises ConfigError: the command line is wrong, a
    package or the token is missing, or the place is not a dataset."""
    parser = CommandParser("push")
    parser.add_argument("dataset", metavar="DATASET", help="folder of a dataset published by a build job")
    parser.add_argument("place", metavar="hf://USER/NAME", help="the dataset on the hub")
    parser.add_argument("--private", action="store_true", help="make the dataset private if it is new")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be sent and removed")
    arguments = parser.parse_args(list(argv))
    found = _PLACE.fullmatch(arguments.place)
    if not found:
        raise ConfigError(f"{arguments.place}: name a hub dataset, such as hf://user/name")
    repo = found[1]
    if is_url(arguments.dataset):
        raise ConfigError(
            f"{arguments.dataset}: a dataset in a store cannot be pushed; copy it to a folder on this machine first"
        )
    folder = LocalFolder(arguments.dataset.rstrip("/") or "/")
    try:
        say(push(folder, repo, private=arguments.private, dry_run=arguments.dry_run), sys.stdout)
    except JobFailed as error:
        say(f"gistmill push: {error}")
        return 1
    return 0


def push(folder: LocalFolder, repo: str, *, private: bool = False, dry_run: bool = False) -> str:
    """Brings a dataset to the hub.

    Args:
        folder: it.
        repo: ``USER/NAME``.
        private: whether a dataset that is made there is private; one that is there stays as it is.
        dry_run: nothing is made or sent.

    Returns:
        A line on the push, or on its plan.

    Raises:
        ConfigError: there is no token, or the folder is not a dataset or lacks a file of it.
        JobFailed: the hub refuses, or does not answer.
    """
    here = _files(folder)
    api = _api(repo, needs_token=not dry_run)
    place = without_secrets(f"{api.endpoint}/datasets/{repo}")
    with _asking(place):
        head, there = _there(api, repo)
    sent = [path for path, (size, sha256) in here.items() if not _same(folder, path, size, sha256, there.get(path))]
    removed = sorted(path for path in there if path not in here and path != _KEPT)
    unchanged = len(here) - len(sent)
    if dry_run:
        size = sum(here[path][0] for path in sent)
        wanted = f"{len(sent):,} files to send, of {size:,} bytes, {len(removed):,} to remove, {unchanged:,} unchanged"
        return f"{place}: {wanted}; nothing was sent" + ("" if head else ", and no dataset made")
    if head and not sent and not removed:
        return f"{place}: has the dataset already, {unchanged:,} files"
    with _asking(place):
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        if not head:
            api.create_repo(repo, repo_type="dataset", private=private)
        operations: list[CommitOperationAdd | CommitOperationDelete] = [
            *(CommitOperationAdd(path_in_repo=path, path_or_fileobj=folder.path_of(path)) for path in sent),
            *(CommitOperationDelete(path_in_repo=path, is_folder=False) for path in removed),
        ]
        made = api.create_commit(
            repo,
            operations,
            commit_message="Publish a dataset of gistmill",
            repo_type="dataset",
            parent_commit=head,  # two pushes at a time do not mix: the hub refuses the second
        )
    return f"{place}: {len(sent):,} files sent, {len(removed):,} removed, {unchanged:,} unchanged; commit {made.oid}"


def _files(folder: LocalFolder) -> dict[str, tuple[int, str]]:
    """Bytes and SHA-256 of every file of the dataset, by path. Raises ConfigError."""
    try:
        manifest = Dataset(folder.place, folder=folder).manifest
        sizes = folder.sizes()
        for file in manifest.files:
            folder.path_of(file.path)  # no link leads out of the folder
            if sizes.get(file.path) != file.bytes:
                raise ConfigError(
                    f"{folder.place}: {file.path} does not match the manifest; run gistmill validate {folder.place}"
                )
        files = {file.path: (file.bytes, file.sha256) for file in manifest.files}
        with folder.open(MANIFEST) as opened:
            return {**files, MANIFEST: (sizes[MANIFEST], hashlib.sha256(opened.read()).hexdigest())}
    except (DatasetError, ManifestError) as error:
        raise ConfigError(str(error)) from None
    except OSError as error:
        raise ConfigError(f"{folder.place} cannot be read: {error.strerror or error}") from None


def _same(folder: LocalFolder, path: str, size: int, sha256: str, found: RepoFile | None) -> bool:
    """Whether the hub has a file as it is here: large ones have a SHA-256 there, small ones the hash of a Git blob."""
    if found is None or found.size != size:
        return False
    if found.lfs is not None:
        return bool(found.lfs.sha256 == sha256)
    with folder.open(path) as file:
        blob = f"blob {size}\0".encode() + file.read()
    return bool(found.blob_id == hashlib.sha1(blob, usedforsecurity=False).hexdigest())


def _api(repo: str, *, needs_token: bool) -> HfApi:
    try:
        import huggingface_hub
        from huggingface_hub.errors import HFValidationError
        from huggingface_hub.utils import disable_progress_bars, validate_repo_id
    except ImportError:
        raise ConfigError(f"it needs the package huggingface_hub: {install_extra('hub')}") from None
    try:
        validate_repo_id(repo)
    except HFValidationError as error:
        raise ConfigError(f"hf://{repo}: {' '.join(str(error).split())}") from None
    if needs_token and huggingface_hub.get_token() is None:
        raise ConfigError("no hub token is set: log in with `hf auth login`, or set HF_TOKEN")
    if not sys.stderr.isatty():
        disable_progress_bars()
    return huggingface_hub.HfApi(library_name="gistmill")


def _there(api: HfApi, repo: str) -> tuple[str | None, dict[str, RepoFile]]:
    """The newest commit of the dataset on the hub, and its files by path; None and nothing where there is no such
    dataset, or none that may be seen."""
    from huggingface_hub import get_token
    from huggingface_hub.errors import RepositoryNotFoundError
    from huggingface_hub.hf_api import RepoFile

    try:
        head = api.dataset_info(repo).sha
    except RepositoryNotFoundError as error:
        if error.response.status_code != 404 and get_token() is not None:  # the token is not valid
            raise
        return None, {}
    found = api.list_repo_tree(repo, recursive=True, revision=head, repo_type="dataset")
    return head, {entry.path: entry for entry in found if isinstance(entry, RepoFile)}


@contextmanager
def _asking(place: str) -> Iterator[None]:
    """Raises JobFailed for any failure of a request to the hub."""
    try:
        yield
    except Exception as error:  # those of huggingface_hub, of its HTTP client and of its uploader have no common base
        from huggingface_hub import get_token

        reason = str(getattr(error, "server_message", None) or error) or type(error).__name__
        if token := get_token():  # a server or a proxy may repeat the request
            reason = reason.replace(token, "(the token)")
        raise JobFailed(shorten(f"{place}: {' '.join(reason.split())}")) from error
