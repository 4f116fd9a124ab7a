"""Publishing in an object store. Nothing can be renamed at once there, so every run puts its files under a prefix of
its own, ``data-<run id>/``, and then replaces one object, manifest.json, which names them: a reader who begins there
sees the old dataset or the new one. The files of the old one go after that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from apache_beam.io.filesystems import FileSystems

from gistmill.core.manifest import MANIFEST
from gistmill.core.manifest_entries import PublishedFile
from gistmill.pipelines import stores as store
from gistmill.pipelines.errors import OutputExists
from gistmill.pipelines.publishing.publication import (
    AT_TOP,
    Publication,
    Published,
    PublishError,
    publish_at,
    published_file,
)
from gistmill.transforms.io import create, read_chunks, sha256_of
from gistmill.transforms.sinks.formats import published_name
from gistmill.transforms.sinks.shards import ShardFile

DATA = "data-"


def check_store_output(output: str, *, overwrite: bool) -> None:
    """Checks that a dataset may be put at the URL ``output``.

    Raises:
        OutputExists: a dataset is there and ``overwrite`` is false, or something is there that is not a dataset.
        StoreError: the store or the bucket does not answer, or denies access.
    """
    names = {n.removeprefix(f"{output}/") for n in store.retrying(f"read {output}", lambda: store.names_below(output))}
    if MANIFEST in names:
        if not overwrite:
            raise OutputExists(f"{output} holds a dataset; --overwrite replaces it")
    elif strange := sorted(n for n in names if not n.startswith(DATA) and n not in AT_TOP):
        raise OutputExists(f"{output} holds {strange[0]} and no dataset ({MANIFEST} is missing); choose another place")


def upload(
    root: str, output: str, publication: Publication, *, run_id: str, still_ours: Callable[[], None]
) -> Published:
    """Publishes what the pipeline left in the workspace ``root`` (a folder or a URL) at the URL ``output``.

    Args:
        root: root of the workspace.
        output: URL of the dataset.
        publication: what is to be published.
        run_id: names the prefix of the files; no other run has it.
        still_ours: raises when another run has taken this one for dead and begun to write.

    Raises: as ``publish_at``.
    """
    return publish_at(_Prefix(output, run_id, still_ours), root, publication)


def prefix_of(run_id: str) -> str:
    """Where a run puts its files, inside the output."""
    return f"{DATA}{run_id}/"


class _Prefix:
    """A prefix of a store, as a Place."""

    def __init__(self, output: str, run_id: str, still_ours: Callable[[], None]) -> None:
        self.output = output
        self._prefix = prefix_of(run_id)
        self._still_ours = still_ours

    def check(self, *, overwrite: bool) -> None:
        check_store_output(self.output, overwrite=overwrite)

    def begin(self) -> None:
        """The prefix is new."""

    def take_in(self, shard: ShardFile) -> PublishedFile:
        """Copies the shard and reads it back."""
        path = self._prefix + published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
        url = f"{self.output}/{path}"

        def copy() -> None:
            if shard.path.partition("://")[0] == url.partition("://")[0]:
                FileSystems.copy([shard.path], [url])
            else:
                with create(url) as file:
                    for chunk in read_chunks(shard.path):
                        file.write(chunk)
            if sha256_of(url) != shard.sha256:
                raise PublishError(f"{url} does not hold the bytes that were written")

        store.retrying(f"publish {url}", copy)
        return published_file(shard, path)

    def write(self, name: str, text: str) -> PublishedFile:
        path = name if name in AT_TOP else f"{self._prefix}{name}"
        url = f"{self.output}/{path}"
        store.write_text(url, text)
        return PublishedFile(path=path, bytes=len(text.encode("utf-8", "backslashreplace")), sha256=sha256_of(url))

    def finish(self, manifest: str, files: Sequence[PublishedFile]) -> None:
        self._still_ours()
        store.write_text(f"{self.output}/{MANIFEST}", manifest)
        # what an old dataset, or a run that died while it published, has left
        known = {f"{self.output}/{f.path}" for f in files} | {f"{self.output}/{MANIFEST}"}
        store.remove(n for n in store.names_below(self.output) if n not in known)
