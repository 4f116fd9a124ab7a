"""A translation model that was converted for CTranslate2, with the tokenizer of the original beside it."""

from __future__ import annotations

from collections.abc import Sequence

import ctranslate2
from typing_extensions import override

from gistmill.core.model_files import load_auto_tokenizer
from gistmill.transforms.translation.sequences import SequenceModel


class ConvertedModel(SequenceModel):
    """A model for CTranslate2, in the precision of its conversion, on one thread of the processor or on a GPU.

    Args:
        path: folder of the model and the tokenizer.
        device: ``cpu`` or ``cuda``.
    """

    def __init__(self, path: str, device: str) -> None:
        self._translator = ctranslate2.Translator(path, device=device, inter_threads=1, intra_threads=1)
        super().__init__(load_auto_tokenizer(path, local_files_only=True), None)

    @override
    def generate(self, batch: Sequence[list[int]], *, first: int | None, count: int) -> list[list[list[int]]]:
        names = self.tokenizer.convert_ids_to_tokens
        made = self._translator.translate_batch(
            [names(ids) for ids in batch],
            target_prefix=None if first is None else [[names(first)]] * len(batch),
            beam_size=count,
            num_hypotheses=count,
            max_input_length=0,
            max_decoding_length=self.most_tokens(batch[0]),
        )
        return [[self.tokenizer.convert_tokens_to_ids(tokens) for tokens in result.hypotheses] for result in made]
