"""A translation model of transformers, run by torch."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from transformers import AutoModelForSeq2SeqLM
from transformers.utils import logging
from typing_extensions import override

from gistmill.core.model_files import load_auto_tokenizer, load_network
from gistmill.transforms.translation.sequences import SequenceModel


class TorchModel(SequenceModel):
    """A model such as Marian, FSMT, M2M, NLLB or mBART, in single precision.

    Args:
        path: folder of the model.
        device: ``cpu`` or ``cuda``.
    """

    def __init__(self, path: str, device: str) -> None:
        logging.set_verbosity_error()
        logging.disable_progress_bar()
        model = load_network(AutoModelForSeq2SeqLM, path, local_files_only=True, dtype=torch.float32)
        self._model, self._device = model.eval().to(device), device
        tokenizer = load_auto_tokenizer(path, local_files_only=True)
        super().__init__(tokenizer, getattr(model.config, "max_position_embeddings", None))

    @override
    def generate(self, batch: Sequence[list[int]], *, first: int | None, count: int) -> list[list[list[int]]]:
        ids = torch.tensor(batch, device=self._device)
        language = {} if first is None else {"forced_bos_token_id": first}
        with torch.inference_mode():
            made = self._model.generate(
                input_ids=ids,
                attention_mask=torch.ones_like(ids),
                do_sample=False,
                num_beams=count,
                num_return_sequences=count,
                max_new_tokens=self.most_tokens(batch[0]),
                **language,
            )
        found: list[list[list[int]]] = made.view(len(batch), count, -1).tolist()
        return found
