"""``Dataset``: what it tells and reads, and what it says where there is no dataset."""

from __future__ import annotations

import itertools
import json
import shutil
import sys
from collections import Counter
from html import escape

import pyarrow.parquet as pq
import pytest

import gistmill
from gistmill.core.extras import MissingExtra
from gistmill.core.manifest import Manifest
from gistmill.core.statistics import StatisticsError
from gistmill.published.dataset import Dataset, NotADataset, Summary
from gistmill.published.files import DatasetError, LocalFolder
from tests.environments import needs_package
from tests.manifests import made_manifest, write_manifest
from tests.pipelines.publishing.made import build
from tests.samples import PAIRS
from tests.transforms.sinks.made import SCHEMA


def expected(folder, split, config="full"):
    files = sorted((folder / config / "parquet").glob(f"{split}-*.parquet"))
    return [row for file in files for row in pq.read_table(file).to_pylist()]


def test_it_tells_what_it_is(published):
    dataset = Dataset(published)
    assert dataset.place == str(published)
    assert dataset.manifest == Manifest.from_json(json.loads((published / "manifest.json").read_text()))
    assert dataset.configs == ("full", "balanced")
    assert dataset.splits() == dataset.splits("balanced") == ("train", "validation", "test")
    assert dataset.columns() == SCHEMA["full"].columns
    assert dataset.stats.distributions["types"]["full"][0].value == "PAIR_CONN"
    counts = [dataset.num_rows(s, c) for s in ("train", "test", "dev") for c in ("full", "balanced")]
    assert counts == [60, 20, 18, 6, 0, 0]
    assert repr(dataset) == f"Dataset({str(published)!r}, discofuse, rows of balanced: 32, full: 96)"


def test_rows_come_in_order_of_their_ids(published):
    dataset = Dataset(published)
    for split, config in itertools.product(("train", "validation", "test"), (None, "full", "balanced")):
        rows = list(dataset.rows(split, config))
        assert rows == expected(published, split, config or "full") and len(rows) > 5
        ids = [r["id"].encode() for r in rows]
        assert ids == sorted(set(ids))


def test_columns_come_as_asked_for_and_a_place_is_a_path_or_a_url_of_one(published):
    for place in str(published), published, f"{published}/", f"file://{published}":
        assert Dataset(place).configs == ("full", "balanced")
    rows = list(Dataset(published).rows("train", columns=["targets", "inputs"]))
    assert [list(r) for r in rows[:2]] == [["targets", "inputs"]] * 2
    assert [r["inputs"] for r in rows] == [r["inputs"] for r in expected(published, "train")]
    assert next(Dataset(published).rows("train", columns=[])) == {}


class Watched(LocalFolder):
    """A folder that notes what is opened."""

    def __init__(self, place):
        super().__init__(place)
        self.opened = []

    def open(self, path):
        self.opened.append(path)
        return super().open(path)


def test_rows_are_read_as_they_are_asked_for_and_those_beside_each_other_once(published):
    folder = Watched(published)
    rows = Dataset(published, folder=folder).rows("train")
    assert folder.opened == ["manifest.json"]
    first = next(rows)
    assert folder.opened[1:] == ["full/parquet/train-00000-of-00002.parquet"]
    assert [first, *rows] == expected(published, "train")
    assert folder.opened[2:] == ["full/parquet/train-00001-of-00002.parquet"]
    folder.opened.clear()
    dataset = Dataset(published, folder=folder)
    assert [dataset[number] for number in (0, 1, 2)] == expected(published, "train")[:3]
    assert folder.opened == ["manifest.json", "full/parquet/train-00000-of-00002.parquet"]


def test_rows_have_numbers_over_all_splits(published):
    dataset, rows = Dataset(published), [r for s in ("train", "validation", "test") for r in expected(published, s)]
    assert len(dataset) == len(rows) == 96 and list(dataset) == rows
    assert [dataset[number] for number in range(96)] == rows
    assert (dataset[-1], dataset[-96], dataset[-3:], dataset[58:63]) == (rows[-1], rows[0], rows[-3:], rows[58:63])
    assert dataset[5:2] == [] and dataset[95:] == [rows[95]]


def test_a_row_or_a_part_that_is_not_there_is_said_at_once(published):
    dataset = Dataset(published)
    for index, error, said in (
        (96, IndexError, "has no row 96; it contains 96 rows$"),
        (-97, IndexError, "has no row -97; it contains 96 rows$"),
        ("train", TypeError, r"a row index must be a number, not 'train'; use rows\('train'\) for a split$"),
        (1.0, TypeError, "a row index must be a number, not 1.0"),
    ):
        with pytest.raises(error, match=said):
            dataset[index]
    for arguments, said in (
        (("train", "fulll"), "has no configuration 'fulll'; its configurations are full, balanced"),
        (("dev",), "full has no rows in a split 'dev'; its splits are train, validation, test"),
        (("train", None, ["id", "nix"]), "full has no column 'nix'; its columns are id, inputs, targets, length"),
    ):
        with pytest.raises(DatasetError, match=said):
            dataset.rows(*arguments)  # before any row is asked for


def test_a_split_or_all_as_a_table_and_as_a_data_frame(published):
    dataset = Dataset(published)
    assert dataset.table("train").to_pylist() == expected(published, "train")
    assert dataset.table("test", "balanced", ["inputs"]).column_names == ["inputs"]
    with pytest.raises(DatasetError, match="no column 'nix'"):
        dataset.table("train", columns=["nix"])
    assert dataset.table().to_pylist() == list(dataset)


@pytest.mark.parametrize("method", ["to_pandas", "to_polars"])
def test_a_data_frame_names_the_split_of_each_row(published, method):
    dataset = Dataset(published)
    frame = getattr(dataset, method)()
    assert list(frame.columns) == [*(c.name for c in dataset.columns()), "split"] and len(frame) == 96
    assert list(frame["inputs"]) == [row["inputs"] for row in dataset]
    assert list(frame["split"]) == ["train"] * 60 + ["validation"] * 18 + ["test"] * 18
    chosen = getattr(dataset, method)("balanced", "test", ["split", "id"])
    assert list(chosen.columns) == ["split", "id"] and set(chosen["split"]) == {"test"}
    assert list(chosen["id"]) == [row["id"] for row in dataset.rows("test", "balanced")] and len(chosen) == 6
    assert list(getattr(dataset, method)(columns=["id"]).columns) == ["id"]
    assert list(getattr(dataset, method)(columns=["split"])["split"]) == list(frame["split"])
    with pytest.raises(DatasetError, match="has no configuration 'train'; its configurations are full, balanced"):
        getattr(dataset, method)("train")
    with pytest.raises(DatasetError, match="full has no column 'nix'"):
        getattr(dataset, method)(columns=["nix"])


def test_a_summary_counts_rows_by_split_and_by_type_the_most_frequent_first(copy):
    path = copy / "stats.json"
    stats = json.loads(path.read_text(encoding="utf-8"))
    shares = {"full": {"A": 30, "C": 40, "B": 26}, "balanced": {"B": 20, "A": 12}}
    stats["types"] = {c: [{"value": v, "count": n, "share": 0.1} for v, n in of.items()] for c, of in shares.items()}
    path.write_text(json.dumps({k: v for k, v in stats.items() if k != "connectives"}), encoding="utf-8")
    summary = Dataset(copy).summary()
    assert repr(summary).splitlines() == [
        "split       full  balanced",
        "train         60        20",
        "validation    18         6",
        "test          18         6",
        "",
        "types  full  balanced",
        "B        26        20",
        "A        30        12",
        "C        40         0",
    ]
    assert summary.counts["types"]["C"] == {"full": 40, "balanced": 0}


def test_a_summary_shows_some_values_and_escapes_them():
    counts = {"types": {f"<b>{number:02}\x1b": {"full": 3000 - number} for number in range(17)}}
    lines = repr(Summary(counts)).splitlines()
    assert len(lines) == 17 and lines[-1] == "and 2 more" and "\x1b" not in repr(Summary(counts))
    assert (
        lines[1].startswith("<b>00")
        and lines[1].endswith("  3,000")
        and {len(x) for x in lines[:16]} == {len(lines[0])}
    )
    page = Summary(counts)._repr_html_()
    assert page.count("<tr>") == 17 and "<b>" not in page and "&lt;b&gt;00" in page


def test_splits_as_datasets_has_them(published):
    splits = Dataset(published).to_datasets()
    assert {split: rows.num_rows for split, rows in splits.items()} == {"train": 60, "validation": 18, "test": 18}
    assert list(splits["test"]) == expected(published, "test")
    assert Dataset(published).to_datasets("balanced", ["inputs"])["train"].column_names == ["inputs"]


def test_a_package_that_is_missing_is_named_with_its_command(published, monkeypatch):
    for package in "pandas", "polars", "datasets":
        monkeypatch.setitem(sys.modules, package, None)  # as the import system marks what cannot be imported
        needed = f"^Dataset.to_{package} needs the package {package}: pip install {package}$"
        with pytest.raises(ImportError, match=needed):
            getattr(Dataset(published), f"to_{package}")()


@needs_package("matplotlib")
def test_a_plot_has_the_rows_of_each_type_and_split(tmp_path):
    fields = {"inputs_field": "document", "targets_field": "summary"}
    place = str(tmp_path / "augmented")
    dataset = gistmill.build("augment", input=str(PAIRS), **fields, splits="60,20,20", output=place)
    ax = dataset.plot()
    counts = Counter((row["operation"], split) for split in dataset.splits() for row in dataset.rows(split))
    names = [label.get_text() for label in ax.get_yticklabels()]
    assert sorted(names) == sorted({name for name, _ in counts}) and len(names) > 3
    drawn = [[bar.get_width() for bar in bars] for bars in ax.containers]
    assert drawn == [[counts[name, split] for name in names] for split in dataset.splits()]
    assert ax.containers[1].get_label() == f"validation ({dataset.num_rows('validation')})"
    assert ax.get_title() == f"default: {len(dataset)} rows" and ax.get_ylabel() == "operation"
    ax.figure.savefig(tmp_path / "types.png")


@needs_package("matplotlib")
def test_a_plot_without_types_has_one_bar_and_is_drawn_where_asked(published):
    from matplotlib.figure import Figure

    mine, other = Figure().subplots(2)
    assert Dataset(published).plot("balanced", ax=mine) is mine and not other.containers
    assert [label.get_text() for label in mine.get_yticklabels()] == ["rows"]
    assert [bars[0].get_width() for bars in mine.containers] == [20, 6, 6]


def test_a_plot_without_matplotlib_names_the_extra(published, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    needed = r"^Dataset\.plot needs the package matplotlib: pip install 'gistmill\[plot\]'$"
    with pytest.raises(ImportError, match=needed):
        Dataset(published).plot()


def test_a_notebook_shows_numbers_and_first_rows_escaped_and_cut(published, tmp_path):
    page = Dataset(published)._repr_html_()
    assert page.count("<table>") == page.count("</table>") == 2 and "of <code>discofuse</code>" in page
    assert ">full</td>" in page and ">60</td>" in page and page.count("<tr>") == 3 + 6
    assert escape(expected(published, "train")[0]["inputs"]) in page and len(page) < 10_000
    build(tmp_path / "demo", documents=10, tag=f"<script>alert(1)</script> & {'long ' * 100}")
    page = Dataset(tmp_path / "demo")._repr_html_()
    assert "<script>" not in page and "&lt;script&gt;alert(1)" in page and "…" in page and len(page) < 10_000


def test_a_dataset_without_parquet_names_what_it_has(tmp_path):
    build(tmp_path / "demo", formats=("tsv",))
    dataset = Dataset(tmp_path / "demo")
    assert dataset.splits() == ("train", "validation", "test") and dataset.validate() == []
    assert "full is available only as tsv" in dataset._repr_html_()
    said = "full is available only as tsv; build jobs write Parquet files with --formats"
    with pytest.raises(DatasetError, match=said):
        dataset.rows("train")


def test_rows_are_read_from_tfrecord_without_parquet_but_not_by_their_numbers(published, tmp_path):
    build(tmp_path / "demo", formats=("tfrecord", "tsv"))
    dataset = Dataset(tmp_path / "demo")
    names = [column.name for column in dataset.columns() if column.type != "float64"]
    assert list(dataset.rows("train", columns=names)) == list(Dataset(published).rows("train", columns=names))
    assert "full has" not in dataset._repr_html_()
    for asked in (lambda: dataset[0], lambda: dataset.table("train")):
        with pytest.raises(DatasetError, match="full is available only as tfrecord, tsv"):
            asked()


def test_without_pyarrow_tfrecord_files_are_read_and_what_needs_parquet_names_the_extra(copy, monkeypatch):
    rows = list(Dataset(copy).rows("train", columns=["id", "inputs"]))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    dataset = Dataset(copy)
    assert list(dataset.rows("train", columns=["id", "inputs"])) == rows
    for asked in (lambda: dataset[0], lambda: dataset.table("train"), dataset.validate):
        with pytest.raises(MissingExtra, match=r"needs gistmill\[pipelines\]: .* -m pip install "):
            asked()
    for path in copy.rglob("*.tfrecord.gz"):
        path.unlink()
    with pytest.raises(DatasetError, match="train-00000-of-00002.tfrecord.gz cannot be read: .*No such file"):
        list(dataset.rows("train"))


def test_a_tfrecord_file_with_other_rows_than_the_manifest_says(tmp_path):
    build(tmp_path / "demo", formats=("tfrecord",))
    first, second = sorted((tmp_path / "demo" / "full" / "tfrecord").glob("train-*"))
    shutil.copy(second, first)
    with pytest.raises(DatasetError, match="train-00000-of-00002.tfrecord.gz contains .* rows, but the manifest says"):
        list(Dataset(tmp_path / "demo").rows("train"))


def test_a_dataset_without_rows(tmp_path):
    build(tmp_path / "demo", stream=[], allow_empty=True)
    dataset = Dataset(tmp_path / "demo")
    assert dataset.splits() == () and dataset.validate() == [] and "rows of nothing" in repr(dataset)
    assert "It has no rows." in dataset._repr_html_()
    assert len(dataset) == 0 and list(dataset) == dataset[:] == [] and not dataset.to_datasets()
    assert dataset.table().column_names == [c.name for c in dataset.columns()]
    assert list(dataset.to_pandas().columns) == [*dataset.table().column_names, "split"]
    assert repr(dataset.summary()).startswith("split")
    with pytest.raises(IndexError, match="has no row 0; it contains 0 rows"):
        dataset[0]
    with pytest.raises(DatasetError, match="no rows in a split 'train'; its splits are none"):
        dataset.rows("train")


def test_what_is_not_a_dataset_says_what_it_is(published, tmp_path):
    def said(place, message):
        with pytest.raises(NotADataset, match=message):
            Dataset(place)

    for name in ("leads", "fusion"):
        shutil.copytree(published, tmp_path / "20260901-1" / name)
    said(tmp_path / "20260901-1", "is not a dataset: specify one of the datasets in it: fusion, leads$")
    for number in range(4):
        shutil.copytree(published, tmp_path / f"d{number}")
    said(tmp_path, "in it: 20260901-1/fusion, 20260901-1/leads, d0, d1 and 2 more$")
    said(tmp_path / "nix", f"^{tmp_path}/nix is not a dataset: no files found there$")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "thesis.txt").write_text("")
    said(tmp_path / "other", "is not a dataset: it contains no manifest.json$")
    said(tmp_path / "other" / "thesis.txt", "is not a dataset")
    for half in "a", "b/data-20260101T000000-0123abcd":
        place = tmp_path / f"half-{half}" / "full" / "parquet"
        place.mkdir(parents=True)
        (place / "train-00000-of-00001.parquet").write_bytes(b"")
        said(tmp_path / f"half-{half[0]}", "is not a dataset yet: .* no manifest.json, which is written last")
    with pytest.raises(DatasetError, match="^ftp://a/b: expected a folder, gs:// or s3://"):
        Dataset("ftp://a/b")


def test_statistics_that_cannot_be_read_are_one_line(copy, tmp_path):
    (copy / "stats.json").write_text('{"stats_version": 9}')
    with pytest.raises(StatisticsError, match=f"^{copy}: stats.json was written by a newer gistmill"):
        _ = Dataset(copy).stats
    (tmp_path / "bare").mkdir()
    write_manifest(tmp_path / "bare", made_manifest())
    with pytest.raises(DatasetError, match="stats.json cannot be read"):
        _ = Dataset(tmp_path / "bare").stats
