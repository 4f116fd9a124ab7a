import hashlib
import io

from hypothesis import given
from hypothesis import strategies as st

from gistmill.transforms.sources.files.streams import Hashed

STEPS = st.one_of(
    st.tuples(st.just("read"), st.integers(0, 60)),
    st.tuples(st.just("seek"), st.integers(0, 130)),
    st.tuples(st.just("end"), st.just(0)),
)


@given(st.binary(max_size=100), st.lists(STEPS, max_size=12))
def test_every_byte_is_hashed_once_whatever_is_read(data, steps):
    plain, hashed = io.BytesIO(data), Hashed(io.BytesIO(data))
    for name, number in steps:
        if name == "read":
            assert hashed.read(number) == plain.read(number)
        elif name == "seek":
            assert hashed.seek(number) == plain.seek(number)
        else:
            assert hashed.seek(0, io.SEEK_END) == plain.seek(0, io.SEEK_END)
        assert hashed.tell() == plain.tell()
    assert hashed.hexdigest() == hashlib.sha256(data).hexdigest()
