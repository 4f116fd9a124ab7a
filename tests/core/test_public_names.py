"""What a published file says of a place: no folder of a machine, and no secret."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.core.addresses import is_url, public_configuration, public_name


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("/home/jdoe/dumps/enwiki.xml.bz2", "enwiki.xml.bz2"),
        ("enwiki.xml.bz2", "enwiki.xml.bz2"),
        ("../jdoe/enwiki.xml.bz2", "enwiki.xml.bz2"),
        ("~jdoe/news/*/2020-??.jsonl", "2020-??.jsonl"),
        ("/home/jdoe/annotated-en/", "annotated-en"),
        ("/home/jdoe/a, b.xml", "a, b.xml"),
        ("file:///home/jdoe/enwiki.xml", "enwiki.xml"),
        ("FILE:///home/jdoe/enwiki.xml", "enwiki.xml"),
        ("/", "/"),
        ("gs://bucket/dumps/enwiki-*.xml", "gs://bucket/dumps/enwiki-*.xml"),
        ("s3://bucket/2020-??/a#1.gz", "s3://bucket/2020-??/a#1.gz"),
        ("s3://key:secret@bucket/a.gz", "s3://bucket/a.gz"),
        ("https://jdoe:secret@example.org:8080/a.gz", "https://example.org:8080/a.gz"),
        ("https://example.org/a.gz?X-Amz-Signature=secret#part", "https://example.org/a.gz"),
        ("https://example.org?token=secret", "https://example.org"),
        ("https://example.org/a@b", "https://example.org/a@b"),
    ],
)
def test_a_place_keeps_what_can_be_told(place, name):
    assert public_name(place) == name


@given(st.text(), st.from_regex(r"[a-z]{1,8}", fullmatch=True))
def test_no_folder_of_a_path_is_left(folder, name):
    assert public_name(f"/secretfolder{folder}/{name}") == name


def test_a_file_url_is_a_path():
    assert is_url("gs://a/b") and not is_url("file:///a/b") and not is_url("/a/b") and not is_url("a://"[:2])


def test_a_configuration_keeps_what_a_rerun_needs():
    values = {
        "input": ("/home/jdoe/a.xml", "gs://bucket/b.xml"),
        "output": "work/corpora/discofuse-en",
        "decontaminate": ("tests/sets/*.tsv",),
        "spacy_model": "/home/jdoe/models/mine",
        "salt": "a/b",
        "profile": ({"name": "mine", "rouge": "rouge1", "sentences": 3},),
        "balanced_rates": {"PAIR_CONN/and": 0.22},
        "limit": None,
        "splits": (98.0, 1.0, 1.0),
        "resume": False,
    }
    assert public_configuration(values, places={"input", "output", "decontaminate"}) == {
        "input": ["a.xml", "gs://bucket/b.xml"],
        "output": "discofuse-en",
        "decontaminate": ["*.tsv"],
        "spacy_model": "mine",
        "salt": "a/b",
        "profile": [{"name": "mine", "rouge": "rouge1", "sentences": 3}],
        "balanced_rates": {"PAIR_CONN/and": 0.22},
        "limit": None,
        "splits": [98.0, 1.0, 1.0],
        "resume": False,
    }


@pytest.mark.parametrize(
    "path", ["/home/jdoe/x.bin", "~/jdoe/x.bin", "./jdoe/x.bin", "../jdoe/x.bin", "file:/jdoe/x.bin"]
)
def test_a_path_in_an_option_that_nobody_listed_is_shortened_too(path):
    values = {"new_option": path, "nested": {"deep": [path]}}
    assert public_configuration(values, places=()) == {"new_option": "x.bin", "nested": {"deep": ["x.bin"]}}


def test_what_is_not_json_becomes_text_without_folders(tmp_path):
    assert public_configuration({"model": tmp_path / "mine"}, places=()) == {"model": "mine"}
