import hashlib

import apache_beam as beam
import pytest
from apache_beam.options.pipeline_options import PipelineOptions
from apache_beam.runners.portability.fn_api_runner import FnApiRunner
from apache_beam.testing.util import assert_that, equal_to

from gistmill.core.records import RangeEnd
from gistmill.transforms.beam.transforms import DealRanges
from gistmill.transforms.sources.base import Checksums
from gistmill.transforms.sources.files.ranges import UNREAD, FileRange, SourceFile, expand_inputs
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig
from gistmill.transforms.sources.wikipedia.source import WikipediaSource
from tests.stores import MemoryStore
from tests.transforms.sources.wikipedia.exports import export, gist, page, ranges_of, read_all, write_kinds

DATA = export(page(number, text=f"{number} " * (number % 50 + 1)) for number in range(1, 121))


def pipeline(workers=1):
    options = PipelineOptions(
        direct_num_workers=workers, direct_running_mode="multi_threading" if workers > 1 else "in_memory"
    )
    return beam.Pipeline(runner=FnApiRunner(), options=options)


def test_a_pipeline_reads_what_the_plain_functions_read(tmp_path):
    paths = sorted(write_kinds(tmp_path, DATA).values())
    inputs, limit = ",".join(map(str, paths)), 120 * len(paths) - 50
    config = WikipediaConfig(limit=limit, range_bytes=500)
    expected, _ = read_all(inputs, tmp_path / "a", config)
    places = [place.key for place in ranges_of(inputs, tmp_path / "a", config)]
    assert len(expected) == limit and len(places) > 4 * (len(paths) - 1)  # a single stream is one block
    with pipeline(workers=2) as p:
        source = WikipediaSource(expand_inputs(inputs), config)
        (tmp_path / "b").mkdir()
        plans = p | source.plan(str(tmp_path / "b"))
        read = plans.ranges | DealRanges() | source.read()
        documents = read | beam.Filter(lambda one: not isinstance(one, RangeEnd)) | beam.Map(lambda one: gist([one])[0])
        ends = read | "Ends" >> beam.Filter(lambda one: isinstance(one, RangeEnd)) | beam.Map(lambda end: end.range_key)
        assert_that(documents, equal_to(gist(expected)), label="documents")
        assert_that(ends, equal_to(places), label="ends")
        assert_that(plans.sources | beam.Map(lambda source: source.path), equal_to([*map(str, paths)]), label="sources")


def test_a_bad_input_fails_the_pipeline_and_is_named(tmp_path):
    (tmp_path / "page.html").write_text("<html>")
    with pytest.raises(Exception, match="page.html: not a MediaWiki export"), pipeline() as p:
        p | WikipediaSource(expand_inputs(f"{tmp_path}/*.html"), WikipediaConfig()).plan(str(tmp_path))
    with pytest.raises(ValueError, match="no input"):
        WikipediaSource([], WikipediaConfig()).plan(str(tmp_path))


def test_only_files_without_a_checksum_are_read_for_one(tmp_path):
    (tmp_path / "a").write_bytes(b"an export")
    digest = hashlib.sha256(b"an export").hexdigest()
    sources = [
        SourceFile(str(tmp_path / "a"), 9, UNREAD, "bz2"),
        SourceFile("missing", 9, digest[::-1], "bz2"),
        SourceFile("missing", 9, None, ""),
    ]
    with pipeline() as p:
        found = p | beam.Create(sources) | Checksums() | beam.Map(lambda source: source.sha256)
        assert_that(found, equal_to([digest, digest[::-1], None]))


def place(number, size):
    return FileRange(key=f"{number:05d}", file="f", path="f", kind="plain", start=0, end=size, size=size)


class _Recorded(beam.DoFn):
    """Gives (bundle, size) in the order in which one worker would read."""

    def start_bundle(self):
        self.sizes = []

    def process(self, element):
        self.sizes.append(element.size)
        return []

    def finish_bundle(self):
        yield beam.transforms.window.GlobalWindows.windowed_value(tuple(self.sizes))


@pytest.mark.parametrize("workers", [1, 3])
def test_scheduling_gives_every_worker_its_share_the_largest_first(workers):
    sizes = [(number * 7919) % 1009 for number in range(1, 61)]
    seen = []

    def check(bundles):
        bundles = [bundle for bundle in bundles if bundle]
        assert sorted(size for bundle in bundles for size in bundle) == sorted(sizes)
        assert all(list(bundle) == sorted(bundle, reverse=True) for bundle in bundles)
        totals = [sum(bundle) for bundle in bundles]
        assert len(totals) == workers and max(totals) - min(totals) <= max(sizes)
        seen.append(totals)

    with pipeline(workers) as p:
        bundles = p | beam.Create([place(*pair) for pair in enumerate(sizes)]) | DealRanges() | beam.ParDo(_Recorded())
        assert_that(bundles, check)


def test_files_of_any_file_system_that_beam_knows_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(MemoryStore, "objects", {})
    paths = write_kinds(tmp_path / "in", DATA)
    for kind, path in paths.items():
        expected, _ = read_all(path, tmp_path / "work")
        MemoryStore.objects[f"memory://in/{path.name}"] = path.read_bytes()
        inputs = expand_inputs(f"memory://in/{path.name}")
        assert [(file.path, file.size) for file in inputs] == [(f"memory://in/{path.name}", path.stat().st_size)]
        documents, damage = read_all(f"memory://in/{path.name}", "memory://work")
        assert gist(documents) == gist(expected) and not damage, kind
    assert len(expand_inputs("memory://in/*")) == len(paths)
