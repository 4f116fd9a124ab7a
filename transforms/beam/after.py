"""Ranges that wait until something is known of all of them."""

from __future__ import annotations

import apache_beam as beam


class After(beam.PTransform):
    """PCollection[Range] -> the same, once all of ``keys`` (of all ranges) are there. Only ranges are grouped."""

    def __init__(self, keys: beam.PCollection) -> None:
        super().__init__()
        self._keys = keys

    def expand(self, ranges: beam.PCollection) -> beam.PCollection:
        waiting = ranges | "Waiting" >> beam.Map(lambda place: (place.key, place))
        done = self._keys | "Done" >> beam.Map(lambda key: (key, None))
        return (
            (waiting, done)
            | beam.Flatten()
            | beam.GroupByKey()
            | "Go" >> beam.FlatMap(lambda group: [place for place in group[1] if place is not None])
        )
