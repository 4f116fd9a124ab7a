"""What the manifests of published datasets say of an input that is made of such datasets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gistmill.core.addresses import inside
from gistmill.core.manifest import MANIFEST, Manifest, ManifestError, ModelEntry
from gistmill.transforms.io import exists, is_url, join, open_input
from gistmill.transforms.sources.base import Provenance
from gistmill.transforms.sources.files.ranges import SourceError


def manifest_of(folder: str) -> Manifest | None:
    """Returns the manifest of the dataset at a folder or URL; None where there is none.

    Raises:
        SourceError: it cannot be read.
    """
    if not exists(join(folder, MANIFEST)):
        return None
    with open_input(below(folder, MANIFEST)) as file:
        try:
            return Manifest.read(file)
        except ManifestError as error:
            raise SourceError(f"{folder}: {error}") from None


def below(folder: str, path: str) -> str:
    """Returns the path of a file of a dataset.

    Args:
        folder: folder or URL of the dataset.
        path: below it, as a manifest has it.

    Raises:
        SourceError: on a local disk, a link leads out of the folder (gistmill.core.addresses).
    """
    if not is_url(folder):
        try:
            inside(folder, path)
        except OSError as error:
            raise SourceError(f"{folder}: {error}") from None
    return join(folder, *path.split("/"))


def provenance_of(manifests: Iterable[Manifest]) -> Provenance:
    """Returns what is known of the text of datasets: every attribution, a licence where all have the same, and the
    models, dumps and crawls that their manifests have, each once. No dataset says nothing."""
    known = list(manifests)
    licences = {m.licence for m in known}
    attributions = dict.fromkeys(m.attribution for m in known if m.attribution)
    licence = licences.pop() if len(licences) == 1 else "other" if licences else ""
    models: list[Mapping[str, Any]] = []
    for manifest in known:
        models += [m for m in map(ModelEntry.to_json, manifest.models) if m not in models]
    dumps, crawls = dict.fromkeys(d for m in known for d in m.dumps), dict.fromkeys(c for m in known for c in m.crawls)
    return Provenance(licence, "\n\n".join(attributions), models, [*dumps], [*crawls])
