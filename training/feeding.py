"""What a training loop is fed with: batches that are made ahead, each with the place of the stream behind it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import torch

from gistmill.training.data.stream import prefetch
from gistmill.training.task import Batch, Row

_DEPTH = 4  # batches that are ready before they are asked for


class Batches(Protocol):
    """An endless stream of batches of rows; see gistmill.training.data.stream.Stream."""

    @property
    def epoch(self) -> int: ...

    def __iter__(self) -> Iterator[list[Row]]: ...

    def batches_in_epoch(self) -> int | None: ...

    def state(self) -> dict[str, Any]: ...

    def restore(self, state: Mapping[str, Any]) -> None: ...


class Fed(NamedTuple):
    """A batch, its tokens, and the stream's state and epoch after it."""

    batch: Batch
    tokens: int
    state: dict[str, Any]
    epoch: int


def feed(
    stream: Batches, collate: Callable[[Sequence[Row]], Batch], device: torch.device
) -> Generator[Fed, None, None]:
    """Yields the batches that follow in a stream, on the device."""

    def made() -> Iterator[Fed]:
        for rows in stream:
            batch = collate(rows)
            tokens = int(batch.pop("tokens"))
            if device.type == "cuda":
                batch = {name: tensor.pin_memory() for name, tensor in batch.items()}
            yield Fed(batch, tokens, stream.state(), stream.epoch)

    for fed in prefetch(made(), depth=_DEPTH):
        yield fed._replace(batch=on_device(fed.batch, device))


def on_device(batch: Batch, device: torch.device) -> Batch:
    """Returns a batch on the device."""
    return {name: tensor.to(device, non_blocking=True) for name, tensor in batch.items()}


class Alternating:
    """Two or more streams in turn, an epoch of each; an epoch is one of all of them."""

    def __init__(self, streams: Sequence[Batches]) -> None:
        self._streams = list(streams)
        self._turn = 0

    @property
    def epoch(self) -> int:
        """The epoch of the batch that comes next."""
        return self._turn // len(self._streams)

    def batches_in_epoch(self) -> int | None:
        """Returns the batches of an epoch, None where a stream does not know its own."""
        counts = [stream.batches_in_epoch() for stream in self._streams]
        return None if None in counts else sum(count for count in counts if count is not None)

    def __iter__(self) -> Iterator[list[Row]]:
        """Yields the batches that follow."""
        iterators = [iter(stream) for stream in self._streams]
        while True:
            number = self._turn % len(self._streams)
            stream, epoch = self._streams[number], self._turn // len(self._streams)
            rows = next(iterators[number])
            if stream.epoch > epoch:
                self._turn += 1
            yield rows

    def state(self) -> dict[str, Any]:
        """Returns where the streams stand, as JSON has it."""
        return {"turn": self._turn, "streams": [stream.state() for stream in self._streams]}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Goes to where the streams stood."""
        self._turn = int(state["turn"])
        for stream, its_state in zip(self._streams, state["streams"], strict=True):
            stream.restore(its_state)
