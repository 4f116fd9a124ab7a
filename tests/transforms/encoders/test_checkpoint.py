"""The files of an encoder: read as they are, refused where they are not the pinned ones."""

from __future__ import annotations

import json

import numpy as np
import pytest

from gistmill.transforms import encoders
from gistmill.transforms.installed import ModelError, PackageError
from tests.transforms.coreference.minilm import tiny


def test_safetensors_are_read_back(tmp_path):
    tensors = tiny.weights()
    tiny.write_safetensors(tmp_path / "w.safetensors", tensors)
    found = encoders.read_safetensors(tmp_path / "w.safetensors")
    assert found.keys() == tensors.keys()
    for name, array in tensors.items():
        np.testing.assert_array_equal(found[name], array)
    assert encoders.layers_of(found) == tiny.LAYERS


def headed(header, size=None):
    """A file of safetensors with this header, which may claim another size."""
    return (len(header) if size is None else size).to_bytes(8, "little") + header


def test_another_file_is_refused_in_one_line(tmp_path):
    path = tmp_path / "w.safetensors"
    eight = json.dumps({"a": {"dtype": "F8", "shape": [1], "data_offsets": [0, 4]}}).encode()
    sizes = headed(b'{"a": {"dtype": "F32"}}', 40), headed(b"{}", 1 << 60), headed(b"{}", (1 << 64) - 1)
    forms = headed(b"[]"), headed(eight) + b"1234", headed(b"5"), headed(b"[" * 100_000)
    for content in b"", b"PK\x03\x04 not this format at all, but long enough to be read", *sizes, *forms:
        path.write_bytes(content)
        with pytest.raises(PackageError) as error:
            encoders.read_safetensors(path)
        assert str(path) in str(error.value) and "\n" not in str(error.value)


def test_a_changed_file_is_refused_with_both_checksums(tmp_path):
    path = tmp_path / "model.safetensors"
    path.write_bytes(b"other weights")
    with pytest.raises(PackageError, match="not the file that a test was trained with") as error:
        encoders.check_file(path, "0" * 64, "a test")
    assert "0" * 64 in str(error.value) and "\n" not in str(error.value)
    with pytest.raises(ModelError, match="missing; reinstall it with: .* -m pip install"):
        encoders.check_file(tmp_path / "absent", "0" * 64, "a test")
