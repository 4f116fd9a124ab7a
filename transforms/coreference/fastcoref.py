"""The adapter of fastcoref (Otmazgin et al. 2022): f-coref, LingMess, or a model of one's own in their format."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from gistmill.core.text_output import install_extra
from gistmill.rules.documents import Mention, Sentence
from gistmill.transforms.coreference.spans import Span, SpanReader, united, windows
from gistmill.transforms.installed import PackageError, installed_version
from gistmill.transforms.models import checksums

DEFAULT = "biu-nlp/f-coref"
# Subtokens that are resolved together. LingMess takes 4,096 at most and skips what is longer; the pair matrices of
# f-coref grow with the square.
WINDOW, OVERLAP = 4096, 1024


def describe(model: str | None = None) -> list[dict[str, Any]]:
    """Finds package and weights, a model of the Hugging Face Hub being fetched once, and returns the manifest's record.

    Raises:
        PackageError: one of them is not there.
    """
    version = installed_version(
        "fastcoref", needed_by="the coreference resolver fastcoref", install=install_extra("fastcoref")
    )
    folder = _folder(model or DEFAULT)
    files, digest = checksums(folder)
    packages = {
        p: installed_version(p, needed_by="fastcoref", install=install_extra("fastcoref"))
        for p in ("torch", "transformers")
    }
    return [
        {
            "name": "fastcoref",
            "version": version,
            "weights": model or DEFAULT,
            "sha256": digest,
            "files": files,
            "packages": packages,
        }
    ]


def import_package() -> ModuleType:
    """Imports fastcoref such that it works with transformers 5 and leaves logging and the terminal alone."""
    with _logging_kept():
        import datasets
        import fastcoref
        from fastcoref.coref_models.modeling_fcoref import FCorefModel
        from fastcoref.coref_models.modeling_lingmess import LingMessModel
    datasets.disable_progress_bars()
    for network in (FCorefModel, LingMessModel):
        if not hasattr(network, "all_tied_weights_keys"):  # these classes tie no weights
            network.all_tied_weights_keys = {}
    # it inherits BERT's claim to this kind of attention, which Longformer inside it does not have
    LingMessModel._supports_sdpa = False
    package: ModuleType = fastcoref
    return package


class FastCoref:
    """Resolves with a fastcoref model. It gives no probabilities, so every link has the confidence 1.0."""

    def __init__(self, model: str | None = None, *, window: int = WINDOW, overlap: int = OVERLAP) -> None:
        """Loads the model.

        Args:
            model: a folder with the weights, or a model of the Hugging Face Hub; None takes ``biu-nlp/f-coref``.
            window: how many subtokens are resolved together, at most what the model allows.
            overlap: how many of them the next window of the same document repeats, at most a quarter.

        Raises:
            PackageError: the package or the weights are missing, or are not a fastcoref model.
        """
        installed_version(
            "fastcoref", needed_by="the coreference resolver fastcoref", install=install_extra("fastcoref")
        )
        folder = _folder(model or DEFAULT)
        config = _config(folder)
        package = import_package()
        made = package.LingMessCoref if _is_lingmess(config) else package.FCoref
        try:
            self._coref = made(str(folder), nlp=None, enable_progress_bar=False)
        except Exception as error:  # those of torch, safetensors, tokenizers and the package have no common class
            raise PackageError(f"the fastcoref model {model or DEFAULT!r} cannot be loaded: {_line(error)}") from None
        allowed = min(window, self._coref.max_doc_len or window)
        self._limit = max(1, allowed - self._coref.tokenizer.num_special_tokens_to_add())
        self._overlap = min(overlap, self._limit // 4)  # else little of each window would be new

    def resolve(self, sentences: Sequence[Sentence], *, title: str = "") -> tuple[tuple[Mention, ...], ...]:
        """Returns the clusters of two mentions or more, in the order of their first mentions; ``title`` is not used.

        A document longer than a window is resolved in windows of whole sentences; clusters that meet in an overlap
        become one.
        """
        reader = SpanReader(sentences)
        found: list[list[Span]] = []
        for begin, end in windows(self._lengths(sentences), limit=self._limit, overlap=self._overlap):
            offset = reader.starts[begin]
            found += [[(offset + a, offset + b) for a, b in spans] for spans in self._predict(sentences[begin:end])]
        return reader.clusters([reader.mention(*span) for span in spans] for spans in united(found))

    def _lengths(self, sentences: Sequence[Sentence]) -> list[int]:
        """The number of subtokens of each sentence."""
        texts = [[t.text for t in s.tokens] for s in sentences]
        if not texts:
            return []
        encoded = self._coref.tokenizer(texts, is_split_into_words=True, add_special_tokens=False)
        return [len(ids) for ids in encoded["input_ids"]]

    def _predict(self, sentences: Sequence[Sentence]) -> Iterator[list[Span]]:
        words = [t.text for s in sentences for t in s.tokens]
        # a batch of one window: padding would change the last digits, and with them what is found
        (result,) = self._coref.predict([words], is_split_into_words=True, max_tokens_in_batch=1)
        for cluster in result.get_clusters(as_strings=False):
            yield [span for span in cluster if span is not None]  # None stands for the model's special tokens


def _folder(model: str) -> Path:
    """The folder with the weights."""
    if (folder := Path(model)).is_dir():
        _config(folder)
        return folder
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import LocalEntryNotFoundError

    try:
        try:
            return Path(snapshot_download(model, local_files_only=True))
        except LocalEntryNotFoundError:
            return Path(snapshot_download(model))
    except (OSError, ValueError) as error:
        raise PackageError(
            f"the fastcoref model {model!r} is neither a folder nor can it be had from the Hugging "
            f"Face Hub ({_line(error)}); name a folder with its weights instead"
        ) from None


def _config(folder: Path) -> dict[str, Any]:
    config: dict[str, Any] = {}
    try:
        for name in ("tokenizer_config.json", "config.json"):
            if name == "config.json" or (folder / name).exists():
                config = json.loads((folder / name).read_text(encoding="utf-8"))
                if "auto_map" in config:  # the package leaves it to transformers, which asks whether it may run it
                    raise ValueError(f"{name} names code of its own (auto_map), which is not run")
    except (OSError, ValueError, TypeError, RecursionError) as error:
        raise PackageError(f"{folder} does not hold a fastcoref model: {_line(error)}") from None
    if "coref_head" not in config:
        raise PackageError(f"{folder} does not hold a fastcoref model: its config.json has no coref_head")
    return config


def _is_lingmess(config: dict[str, Any]) -> bool:
    """Whether it is a LingMess model: those published stand on Longformer, f-coref's on RoBERTa."""
    return "LingMessModel" in config.get("architectures", ()) or config.get("model_type") == "longformer"


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]


@contextmanager
def _logging_kept() -> Iterator[None]:
    """Undoes what fastcoref does to logging when it is imported: it sets up the root logger and reports every text."""
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)
        logging.getLogger("fastcoref").setLevel(logging.ERROR)
