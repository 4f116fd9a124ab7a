import pytest

from gistmill.core.options import OptionError
from gistmill.training.data.config import DataConfig
from gistmill.training.data.stream import Batching
from tests.training.data.made import publish, rows, words


def read(value):
    return list(DataConfig(datasets=value).datasets)


def test_a_dataset_on_the_command_line():
    for text, parts in [
        ("out/demo", {"place": "out/demo"}),
        ("out/demo#balanced", {"place": "out/demo", "config": "balanced"}),
        ("out/demo#balanced/test", {"place": "out/demo", "config": "balanced", "split": "test"}),
        ("out/demo@0.5", {"place": "out/demo", "weight": 0.5}),
        ("gs://b/a@home/c#full@2", {"place": "gs://b/a@home/c", "config": "full", "weight": 2.0}),
        ("a@b.c/d", {"place": "a@b.c/d"}),
    ]:
        assert read(text) == [parts], text


def test_several_datasets_on_the_command_line():
    assert read("a#x@0.5, b#y@0.5") == [
        {"place": "a", "config": "x", "weight": 0.5},
        {"place": "b", "config": "y", "weight": 0.5},
    ]


def test_datasets_in_yaml():
    config = DataConfig(datasets=["a", {"place": "b,c#d", "config": "x", "split": None}])
    assert list(config.datasets) == [{"place": "a"}, {"place": "b,c#d", "config": "x"}]
    assert DataConfig(**config.to_values()) == config


def test_what_is_not_a_dataset():
    for value, said in [
        ("", "expected PLACE"),
        ("#full", "expected PLACE"),
        ("a#b#c", "expected PLACE"),
        ("a@0", "dataset weight: expected a number above 0, not '0'"),
        ("a@1.2.3", "dataset weight: expected a number above 0"),
        ([7], "expected PLACE"),
        ([{"config": "x"}], "expected PLACE"),
        ([{"place": "a", "wieght": 1}], "unknown key 'wieght' in a dataset; did you mean weight?"),
        ("a@1,b", "give all of them a weight, or none"),
    ]:
        with pytest.raises(OptionError, match=said.replace("?", r"\?").replace("[", r"\[")):
            DataConfig(datasets=value)


def test_batches():
    assert DataConfig(datasets="a").batching == Batching(rows=32, pool=4096)
    assert DataConfig(datasets="a", batch_tokens=900).batching == Batching(tokens=900, pool=4096)
    both = DataConfig(datasets="a", batch_tokens=900, batch_rows=9, bucket_rows=50)
    assert both.batching == Batching(rows=9, tokens=900, pool=50)
    with pytest.raises(OptionError, match="batch_tokens requires bucket_rows greater than 0"):
        DataConfig(datasets="a", batch_tokens=900, bucket_rows=0)


def test_a_stream_of_the_options(tmp_path):
    place = publish(tmp_path, {"train": rows(9), "validation": rows(3)})
    config = DataConfig(datasets=place, batch_rows=3)
    found = config.stream(("inputs",), words)
    assert found.batches_in_epoch() == 3 and list(next(iter(found))[0]) == ["inputs"]
    (validation,) = config.sources(("inputs",), split="validation")
    assert validation.open().rows == 3
    (named,) = DataConfig(datasets=f"{place}#full/validation").sources(("inputs",))
    assert named.open().rows == 3
