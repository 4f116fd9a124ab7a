"""Export of sequence-to-sequence models for CTranslate2.

The folder contains the files for ``ctranslate2.Translator`` (model.bin, config.json, the vocabulary), the tokenizer and
export.json, with the settings for sources and decoding. serving/engines.py runs the model without torch.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from ctranslate2.converters import TransformersConverter

from gistmill.training.errors import SettingsError
from gistmill.training.kinds import save_task
from gistmill.training.seq2seq.config import POWER
from gistmill.training.seq2seq.networks import Transformer
from gistmill.training.seq2seq.task import Seq2Seq

EXPORT = "export.json"
# Where each architecture applies norms (before the layer, after the embeddings). The converter looks this up, but newer
# versions of transformers no longer provide it.
_NORMS = {"BartConfig": (False, True), "PegasusConfig": (True, False)}


class _Converter(TransformersConverter):
    """CTranslate2's converter, adapted to newer versions of transformers and to padded embeddings."""

    def load_model(self, model_class: Any, name: str, **options: Any) -> Any:
        model = super().load_model(model_class, name, **options)
        norms = _NORMS.get(type(model.config).__name__, ())
        for key, value in zip(("normalize_before", "normalize_embedding"), norms, strict=False):
            if not hasattr(model.config, key):
                setattr(model.config, key, value)
        self._pieces = model.config.vocab_size
        return model

    def load_tokenizer(self, tokenizer_class: Any, name: str, **options: Any) -> Any:
        tokenizer = super().load_tokenizer(tokenizer_class, name, **options)
        # the embeddings are padded for speed; the converter needs names for the padding, and a beginning token
        tokenizer.add_tokens([f"<unused {n}>" for n in range(self._pieces - len(tokenizer))])
        tokenizer.bos_token = tokenizer.bos_token or tokenizer.pad_token
        return tokenizer


def export_seq2seq(task: Seq2Seq, folder: Path, *, quantization: str) -> None:
    """Writes a model to an existing empty folder.

    Args:
        task: the model.
        folder: the output folder.
        quantization: a CTranslate2 number format, such as int8.

    Raises:
        SettingsError: CTranslate2 does not support the architecture or the length penalty.
    """
    if not isinstance(task.network, Transformer):
        raise SettingsError(
            "CTranslate2 does not support the pointer-generator; only BART, T5 and PEGASUS can be exported"
        )
    if task.decoding.length_penalty_kind != POWER:
        raise SettingsError(f"CTranslate2 does not support length_penalty_kind {task.decoding.length_penalty_kind}")
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".") as original:
        save_task(task, Path(original))
        try:
            _Converter(original).convert(str(folder), quantization=quantization, force=True)
        except ValueError as error:
            raise SettingsError(f"the model cannot be exported: {' '.join(str(error).split())[:300]}") from None
    task.tokenizer.save_pretrained(folder)
    decoding = task.decoding
    # the token that begins every output, if the checkpoint specifies one, as BART's summarization checkpoints do
    forced = getattr(task.module.generation_config, "forced_bos_token_id", None)
    backend = getattr(task.tokenizer, "backend_tokenizer", None)
    by_pairs = type(getattr(backend, "model", None)).__name__ == "BPE"
    described = {
        "quantization": quantization,
        "prefix": task.config.prefix,
        "source_column": task.config.source_column,
        "max_source": task.config.max_source,
        "decoding": {
            "beam_size": decoding.beams,
            "min_decoding_length": decoding.min_tokens or 1,
            "max_decoding_length": decoding.max_tokens or task.config.max_target,
            "length_penalty": 1.0 if decoding.length_penalty is None else decoding.length_penalty,
            "no_repeat_ngram_size": decoding.no_repeat_ngram or 0,
        },
        "first_token": None if forced is None else str(task.tokenizer.convert_ids_to_tokens(forced)),
        "end_token": task.tokenizer.eos_token,
        # whether transformers removes spaces before punctuation when this tokenizer decodes
        "tidies": bool(task.tokenizer.clean_up_tokenization_spaces) and not by_pairs,
    }
    (folder / EXPORT).write_text(json.dumps(described, indent=2) + "\n", encoding="utf-8")
