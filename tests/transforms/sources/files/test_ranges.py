import os

import pytest

from gistmill.transforms.sources.files.ranges import InputFile, SourceError, expand_inputs, range_key
from gistmill.transforms.sources.wikipedia.pages import WikipediaConfig


def test_a_bad_value_fails_at_construction_and_is_named():
    for name, value in [("limit", 0), ("range_bytes", 0), ("limit", -1), ("namespaces", ()), ("namespaces", ("x",))]:
        with pytest.raises(ValueError, match=name):
            WikipediaConfig(**{name: value})


def test_keys_sort_in_order_of_file_and_offset():
    places = [(0, 0), (0, 9), (0, 10), (0, 22_000_000_000), (1, 0), (2, 5), (10, 0)]
    keys = [range_key(*place) for place in places]
    assert keys == sorted(keys) and len(set(keys)) == len(keys)


def test_globs_and_comma_lists_are_expanded_sorted_each_file_once(tmp_path):
    for name in "b.xml", "a.xml", "c.bz2":
        (tmp_path / name).write_bytes(b"12345")
    found = expand_inputs(f"{tmp_path}/*.xml, {tmp_path}/c.bz2,{tmp_path}/a.xml")
    assert found == tuple(InputFile(str(tmp_path / name), 5, i) for i, name in enumerate(("a.xml", "b.xml", "c.bz2")))
    assert expand_inputs([f"{tmp_path}/a.xml", f"{tmp_path}/b.xml"]) == found[:2]


def test_commas_and_signs_of_globs_may_stand_in_a_name(tmp_path):
    for name in "a,b.xml", "a[1].xml", "a*.xml":
        (tmp_path / name).write_bytes(b"1")
        assert [file.path for file in expand_inputs(f"{tmp_path}/{name}")] == [f"{tmp_path}/{name}"]


def test_indexes_matched_by_a_glob_are_not_inputs(tmp_path):
    names = [
        "e-multistream.xml.bz2",
        "e-multistream-index.txt.bz2",
        "e-multistream1.xml-p1p9.bz2",
        "e-multistream-index1.txt-p1p9.bz2",
    ]
    for name in names:
        (tmp_path / name).write_bytes(b"1")
    assert [file.path for file in expand_inputs(f"{tmp_path}/*")] == [f"{tmp_path}/{name}" for name in names[::2]]


def test_a_pattern_without_files_an_empty_file_and_nothing_at_all_are_named(tmp_path):
    (tmp_path / "e-multistream-index.txt.bz2").write_bytes(b"1")
    (tmp_path / "sub").mkdir()
    (tmp_path / "good.xml").write_bytes(b"1")
    for pattern in "none.xml", "none*", "*index*", "sub":
        with pytest.raises(ValueError) as caught:
            expand_inputs(f"{tmp_path}/good.xml,{tmp_path}/{pattern}")
        assert pattern in str(caught.value)
    (tmp_path / "empty.xml").touch()
    with pytest.raises(ValueError, match="empty.xml"):
        expand_inputs(f"{tmp_path}/*.xml")
    for nothing in "", " , ", []:
        with pytest.raises(ValueError, match="no input"):
            expand_inputs(nothing)


def test_files_of_an_export_are_in_order_of_their_pages(tmp_path):
    names = [f"aawiki-2026-09-01-p{pages}.xml.bz2" for pages in ("9p99", "55r7r7", "100p199", "1000p2000")]
    others = ["aawiki-20260901-pages-articles10.xml.bz2", "aawiki-20260901-pages-articles9.xml.bz2"]
    for name in [*names, *others, "bbwiki-2026-09-01-p2p3.xml.bz2"]:
        (tmp_path / name).write_text("x")
    found = expand_inputs(str(tmp_path / "*"))
    wanted = [*names, *others, "bbwiki-2026-09-01-p2p3.xml.bz2"]
    assert [file.path.rpartition("/")[2] for file in found] == wanted
    assert [file.index for file in found] == [*range(7)]


def test_a_name_that_is_not_utf8_is_refused_in_one_line(tmp_path):
    (tmp_path / "caf\u00e9.jsonl").write_text("{}")
    with open(os.fsencode(tmp_path) + b"/caf\xe9.jsonl", "wb") as file:
        file.write(b"{}")
    for pattern in str(tmp_path / "*.jsonl"), os.fsdecode(os.fsencode(tmp_path) + b"/caf\xe9.jsonl"):
        with pytest.raises(SourceError, match=r"caf\\udce9\.jsonl' is not UTF-8; rename it$") as caught:
            expand_inputs(pattern)
        assert str(caught.value).isprintable()
    assert [file.size for file in expand_inputs(str(tmp_path / "caf\u00e9*"))] == [2]
