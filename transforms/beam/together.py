"""Names of files that one worker has to see together."""

from __future__ import annotations

import apache_beam as beam

from gistmill.transforms.beam.given import Given


class Together(beam.PTransform):
    """Everything (names and counts) in one list; it is there, empty, when there is nothing."""

    def expand(self, values: beam.PCollection) -> beam.PCollection:
        seed = values.pipeline | "Seed" >> Given([("", None)])
        keyed = values | "Key" >> beam.Map(lambda value: ("", value))
        return (
            (seed, keyed)
            | beam.Flatten()
            | beam.GroupByKey()
            | "List" >> beam.Map(lambda group: [value for value in group[1] if value is not None])
        )
