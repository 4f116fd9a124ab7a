"""Signatures that outlive the versions they are of, so that later months of a crawl are compared with older ones.

signatures/datasets/NAME/2026-09/       of a dataset that reads the crawl: a manifest, and the files of signatures
signatures/annotated/NAME/2026-09/      of the annotations of a source
signatures/datasets/NAME/2026-07..2026-09/   where a version has several months

They are kept when a version is published, and no rebuild removes them.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gistmill.core.manifest import MANIFEST, Manifest, ManifestError
from gistmill.pipelines.errors import ConfigError
from gistmill.pipelines.job import configure
from gistmill.pipelines.rebuild.identity import key_of
from gistmill.pipelines.rebuild.layout import CorpusPlace, children, copy_file, read, remove, write
from gistmill.rules.recipe import Recipe
from gistmill.transforms.duplicates.minhash import NONE, DuplicatesConfig
from gistmill.transforms.duplicates.signatures import SignaturesError, files_of_signatures, signature_files
from gistmill.transforms.io import join

_SPAN_OF_MONTHS = re.compile(r"(\d{4}-\d{2})(?:\.\.(\d{4}-\d{2}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Carried:
    """What a job that reads a crawl gets and leaves.

    Attributes:
        own: the values of its options, with ``keep_signatures``.
        values: the same, with ``duplicates_against`` for the older months.
        older: what tells the signatures of older months apart from others, by months.
        kept: where its signatures are kept once its version is published; "" if it looks for no duplicates.
    """

    own: Mapping[str, Any]
    values: Mapping[str, Any]
    older: Mapping[str, str]
    kept: str


def carried(
    recipe: type[Recipe[Any]], values: Mapping[str, Any], *, place: CorpusPlace, name: str, months: Sequence[str]
) -> Carried:
    """Returns what a job gets of older months.

    Args:
        recipe: the recipe of the job.
        values: the values of its options.
        place: of the corpus.
        name: ``datasets/NAME`` or ``annotated/NAME``.
        months: those that it reads, in order.

    Raises:
        ConfigError: an option is wrong, or signatures cannot be compared with those of the job.
    """
    config = configure(recipe, values, complete=False).of(DuplicatesConfig)
    if config.deduplicate == NONE:
        return Carried(own=values, values=values, older={}, kept="")
    folder = join(place.root, "signatures", *name.split("/"))
    named = ((span, _SPAN_OF_MONTHS.fullmatch(span)) for span in children(folder))
    before = sorted(span for span, match in named if match and (match[2] or match[1]) < months[0])  # the oldest first
    found = {span: _manifest(join(folder, span)) for span in before}
    older = {span: manifest for span, manifest in found.items() if manifest is not None}
    try:
        signature_files([join(folder, span) for span in older], config.bands)
    except SignaturesError as error:
        raise ConfigError(f"{error}; or remove {folder}, and no month is compared with older ones") from None
    own = {**values, "keep_signatures": True}
    against = [*(config.duplicates_against or ()), *(join(folder, span) for span in older)]
    span = months[0] if len(months) == 1 else f"{months[0]}..{months[-1]}"
    return Carried(
        own=own,
        values={**own, "duplicates_against": against} if against else own,
        older={span: key_of([file.sha256 for file in manifest.files]) for span, manifest in older.items()},
        kept=join(folder, span),
    )


def keep(found: str, kept: str) -> None:
    """Keeps the signatures of a dataset; does nothing where it has none, or they are kept already.

    Args:
        found: folder or URL of the dataset.
        kept: where they are to be.

    Raises:
        StoreError, OSError: a file cannot be written.
    """
    manifest = _manifest(found)
    files = tuple(files_of_signatures(manifest)) if manifest else ()
    if manifest is None or not files:
        return
    before = _manifest(kept)
    if before is not None and before.files == files:
        return
    remove(kept)
    for file in files:
        copy_file(join(found, *file.path.split("/")), join(kept, *file.path.split("/")))
    write(join(kept, MANIFEST), dataclasses.replace(manifest, files=files).to_json())


def _manifest(place: str) -> Manifest | None:
    value = read(join(place, MANIFEST))
    try:
        return None if value is None else Manifest.from_json(value)
    except ManifestError as error:
        raise ConfigError(f"{place}: {error}") from None
