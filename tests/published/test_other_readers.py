"""Published datasets in Ray Data, Daft, Polars, DuckDB and Spark, as the page "Read a dataset elsewhere" has it. ``make setup``
installs neither Ray, Daft nor Spark; docs/scope.md says so."""

import shutil
import warnings
from glob import glob

import pytest

from gistmill.published.dataset import Dataset
from tests.environments import needs, needs_package


@pytest.fixture
def rows(published, tmp_path, monkeypatch):
    """The rows of the training split; the folder of the dataset is discofuse-en below the working directory."""
    shutil.copytree(published, tmp_path / "discofuse-en")
    monkeypatch.chdir(tmp_path)
    found = list(Dataset("discofuse-en").rows("train", "full"))
    assert len(found) == 60 and len(glob("discofuse-en/full/parquet/train-*.parquet")) == 2
    return found


def in_order(found):
    return sorted(found, key=lambda row: row["id"])


@needs_package("polars")
def test_polars(rows):
    import polars as pl

    frame = pl.scan_parquet("discofuse-en/full/parquet/train-*.parquet")
    assert frame.collect().to_dicts() == rows
    assert frame.filter(pl.col("id") == rows[7]["id"]).select("inputs").collect().item() == rows[7]["inputs"]


@needs_package("duckdb")
def test_duckdb(rows):
    import duckdb

    table = duckdb.sql("SELECT * FROM 'discofuse-en/full/parquet/train-*.parquet' ORDER BY id")
    assert table.to_arrow_table().to_pylist() == rows


@needs_package("ray")
def test_ray_data(rows):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of Ray
        import ray

        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False)
        try:
            dataset = ray.data.read_parquet(sorted(glob("discofuse-en/full/parquet/train-*.parquet")))
            assert in_order(dataset.take_all()) == rows
        finally:
            ray.shutdown()


@needs_package("daft")
def test_daft(rows):
    import daft

    frame = daft.read_parquet("discofuse-en/full/parquet/train-*.parquet")
    assert in_order(frame.to_pylist()) == rows
    assert frame.where(daft.col("id") == rows[7]["id"]).select("inputs").to_pylist() == [{"inputs": rows[7]["inputs"]}]


@needs_package("pyspark")
@needs("Java and Maven", there=shutil.which("java") is not None)
def test_spark(rows):
    from pyspark.sql import SparkSession

    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        frame = spark.read.parquet("discofuse-en/full/parquet/train-*.parquet")
        assert in_order(row.asDict() for row in frame.collect()) == rows
    finally:
        spark.stop()
