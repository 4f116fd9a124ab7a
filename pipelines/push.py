"""``gistmill push``: uploads a published dataset to the Hugging Face Hub in one commit."""

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
    """Uploads a dataset, or prints what would be uploaded; returns the exit code. Raises ConfigError if the command
    line is invalid, a package or the token is missing, or the folder is not a dataset."""
    parser = CommandParser("push")
    parser.add_argument("dataset", metavar="DATASET", help="folder of a dataset published by a build job")
    parser.add_argument("place", metavar="hf://USER/NAME", help="the dataset on the hub")
    parser.add_argument("--private", action="store_true", help="make the dataset private if it is new")
    parser.add_argument("--dry-run", action="store_true", help="only show what would be sent and removed")
    arguments = parser.parse_args(list(argv))
    found = _PLACE.fullmatch(arguments.place)
    if not found:
        raise ConfigError(f"{arguments.place}: expected a dataset on the hub, such as hf://user/name")
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
    """Uploads a dataset to the hub.

    Args:
        folder: folder of the dataset.
        repo: ``USER/NAME``.
        private: whether a new dataset is private; does not change an existing one.
        dry_run: whether to create and send nothing.

    Returns:
        A line on what was sent, or would be sent.

    Raises:
        ConfigError: there is no token, or the folder is not a complete dataset.
        JobFailed: the hub refuses or does not respond.
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
        wanted = f"{len(sent):,} files to send ({size:,} bytes), {len(removed):,} to remove, {unchanged:,} unchanged"
        return f"{place}: {wanted}; nothing was sent" + ("" if head else ", and no dataset was created")
    if head and not sent and not removed:
        return f"{place}: already up to date, {unchanged:,} files"
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
            parent_commit=head,  # concurrent pushes do not mix: the hub refuses the second
        )
    return f"{place}: {len(sent):,} files sent, {len(removed):,} removed, {unchanged:,} unchanged; commit {made.oid}"


def _files(folder: LocalFolder) -> dict[str, tuple[int, str]]:
    """Returns the size in bytes and SHA-256 of every file in the dataset, by path. Raises ConfigError."""
    try:
        manifest = Dataset(folder.place, folder=folder).manifest
        sizes = folder.sizes()
        for file in manifest.files:
            folder.path_of(file.path)  # rejects links that lead out of the folder
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
    """Whether the hub already has this file; it stores SHA-256 hashes of large files and Git blob hashes of others."""
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
        raise ConfigError(f"the package huggingface_hub is required: {install_extra('hub')}") from None
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
    """Returns the dataset's newest commit on the hub and its files by path; None and no files if it is not there."""
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
    """Converts any failure of a request to the hub to JobFailed."""
    try:
        yield
    except Exception as error:  # huggingface_hub, its HTTP client and its uploader raise unrelated exceptions
        from huggingface_hub import get_token

        reason = str(getattr(error, "server_message", None) or error) or type(error).__name__
        if token := get_token():  # a server or proxy may echo the request
            reason = reason.replace(token, "(the token)")
        raise JobFailed(shorten(f"{place}: {' '.join(reason.split())}")) from error
