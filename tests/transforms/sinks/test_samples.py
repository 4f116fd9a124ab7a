import json

from hypothesis import given, settings
from hypothesis import strategies as st

from gistmill.core.hashing import unit_interval
from gistmill.core.statistics import ConfigSchema
from gistmill.transforms.io import read_json
from gistmill.transforms.sinks.results import read_samples
from gistmill.transforms.sinks.shards import LONGEST, MOST, SALT, RejectSampler, RowSampler
from tests.transforms.sinks.made import COLUMNS, elements, run

FILE = "samples.json"


def sampler(tmp_path, by="targets"):
    return RowSampler(str(tmp_path / FILE), ConfigSchema(name="full", columns=COLUMNS).columns, by=by)


def add(sampler, row_id, *, kind="a", inputs="x"):
    sampler.add([row_id, inputs, kind, 1, 0.5, True, ["w"]], 9)


@settings(max_examples=30, deadline=None)
@given(ids=st.lists(st.tuples(st.sampled_from("abc"), st.text(max_size=4)), unique_by=lambda i: i[1], max_size=40))
def test_the_rows_of_the_smallest_hashes_are_kept_whatever_the_order(tmp_path_factory, ids):
    made = []
    for order in (ids, ids[::-1]):
        folder = tmp_path_factory.mktemp("s")
        chosen = sampler(folder)
        for kind, row_id in order:
            add(chosen, row_id, kind=kind)
        chosen.close()
        made.append(read_json(str(folder / FILE)))
    assert made[0] == made[1]
    for kind in "abc":
        wanted = sorted((unit_interval(SALT, i), i) for k, i in ids if k == kind)[:MOST]
        assert [item[1] for item in made[0].get(kind, [])] == [i for _, i in wanted]


def test_lists_are_left_out_and_long_texts_are_cut(tmp_path):
    chosen = sampler(tmp_path)
    add(chosen, "1", inputs="y" * (LONGEST + 1))
    chosen.close()
    ((_, _, values),) = read_json(str(tmp_path / FILE))["a"]
    assert values["inputs"] == "y" * LONGEST + "…" and "words" not in values and values["length"] == 1


def test_equal_rejects_are_shown_once(tmp_path):
    chosen = RejectSampler(str(tmp_path / FILE))
    line = json.dumps({"reason": "LIST", "detail": "<b>"}).encode()
    chosen.add(line, 9)
    chosen.add(line, 9)
    chosen.close()
    assert [v["detail"] for _, _, v in read_json(str(tmp_path / FILE))["LIST"]] == ["<b>"]


def test_a_dataset_has_the_samples_of_all_its_shards(tmp_path):
    results = run(tmp_path, list(elements(range(60))), formats=("parquet", "tsv"), shards=5, bundles=3)
    samples = read_samples(results.shards)
    ids = [f"wikipedia-{d}-{i}" for d in range(60) if d % 11 != 10 and d % 7 != 6 for i in range(3)]
    wanted = sorted(ids, key=lambda i: unit_interval(SALT, i))[:MOST]
    assert [row["id"] for row in samples.rows["full"][""]] == wanted
    assert len(samples.rejects["TOO_SHORT"]) == MOST and samples.rejects["TOO_SHORT"][0]["detail"] == "a < b"
