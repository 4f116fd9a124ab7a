"""Publishing in an object store. Nothing can be renamed at once there, so every run puts its files under a prefix of
its own, ``data-<run id>/``, and then replaces one object, manifest.json, which names them: a reader who begins there
sees the old dataset or the new one. The files of the old one go after that.
"""
from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime

from apache_beam.io.filesystem import CompressionTypes
from apache_beam.io.filesystems import FileSystems

from pipelines.running import store
from pipelines.running.conservation import check_conservation, check_damage
from pipelines.running.manifest import PublishedFile, RunInfo, manifest
from pipelines.running.publish import CARD, MANIFEST, OutputExistsError, Published, PublishError, as_json, descriptions
from transforms.sinks.files import read_chunks, sha256_of
from transforms.sinks.formats import published_name
from transforms.sinks.merge import ShardFile
from transforms.sinks.results import read_results
from transforms.sinks.schema import DatasetSchema

DATA = "data-"


def check_store_output(output: str, *, overwrite: bool) -> None:
    """Checks that a dataset may be put at the URL ``output``.

    Raises:
        OutputExistsError: a dataset is there and ``overwrite`` is false, or something is there that is no dataset.
        StoreError: the store or the bucket does not answer, or refuses.
    """
    names = {n.removeprefix(f"{output}/") for n in store.retrying(f"read {output}", lambda: store.names_below(output))}
    if MANIFEST in names:
        if not overwrite:
            raise OutputExistsError(f"{output} holds a dataset; --overwrite replaces it")
    elif strange := sorted(n for n in names if not n.startswith(DATA) and n != CARD):
        raise OutputExistsError(f"{output} holds {strange[0]} and no dataset ({MANIFEST} is missing); choose another place")


def upload(root: str, output: str, *, run_id: str, still_ours: Callable[[], None], schema: DatasetSchema,
           formats: Sequence[str], run: RunInfo, overwrite: bool = False, allow_truncated: bool = False) -> Published:
    """Publishes what the pipeline left in the work space ``root`` (a folder or a URL) at the URL ``output``.

    Args:
        run_id: names the prefix of the files; no other run has it.
        still_ours: raises when another run has taken this one for dead and begun to write.

    Raises:
        ConservationError, DamagedInputError, OutputExistsError, PublishError, StoreError: nothing was published.
    """
    results = read_results(root)
    check_damage(results.damage, allow_truncated=allow_truncated)
    check_conservation(results, formats=formats)
    check_store_output(output, overwrite=overwrite)
    prefix = prefix_of(run_id)
    files = [_take_in(shard, output, prefix) for shard in results.shards]
    for name, text in descriptions(results, run=run, schema=schema, files=files).items():
        # the hub looks for the card at the top
        path = name if name == CARD else f"{prefix}{name}"
        store.write_text(f"{output}/{path}", text)
        url = f"{output}/{path}"
        files.append(PublishedFile(path=path, bytes=len(text.encode("utf-8", "backslashreplace")), sha256=sha256_of(url)))
    still_ours()
    content = manifest(results, run=run, schema=schema, files=files, end=datetime.now(UTC))
    store.write_text(f"{output}/{MANIFEST}", as_json(content))
    # what an old dataset, or a run that died while it published, has left
    known = {f"{output}/{f.path}" for f in files} | {f"{output}/{MANIFEST}"}
    store.remove(n for n in store.names_below(output) if n not in known)
    return Published(output, content)


def prefix_of(run_id: str) -> str:
    """Where a run puts its files, inside the output."""
    return f"{DATA}{run_id}/"


def _take_in(shard: ShardFile, output: str, prefix: str) -> PublishedFile:
    """Copies a shard to its place and reads it back."""
    path = prefix + published_name(shard.config, shard.split, shard.format, shard.index, shard.of)
    url = f"{output}/{path}"

    def copy() -> None:
        if shard.path.partition("://")[0] == url.partition("://")[0]:
            FileSystems.copy([shard.path], [url])
        else:
            with FileSystems.create(url, compression_type=CompressionTypes.UNCOMPRESSED) as file:
                for chunk in read_chunks(shard.path):
                    file.write(chunk)
        if sha256_of(url) != shard.sha256:
            raise PublishError(f"{url} does not hold the bytes that were written")

    store.retrying(f"publish {url}", copy)
    return PublishedFile(path=path, bytes=shard.bytes, sha256=shard.sha256, rows=shard.rows, config=shard.config,
                         split=shard.split, format=shard.format)
