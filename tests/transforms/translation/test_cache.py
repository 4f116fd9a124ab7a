import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.rules.augmentation.translator import TranslationError
from gistmill.transforms.translation.cache import Cache, CachedTranslator, key_of
from tests.transforms.translation.fakes import Backwards

ROOT = Path(__file__).parents[3]


def files(place):
    return sorted(Path(place).iterdir())


def asked(place, sentences, *, count=2, translator=None):
    """What reaches the translator behind a cache that is opened now."""
    translator = translator or Backwards("de")
    found = CachedTranslator(translator, Cache(str(place))).translate(sentences, count=count)
    assert found == Backwards(translator.target).translate(sentences, count=count)
    return translator.asked


def test_what_was_translated_is_not_paid_for_again(tmp_path):
    place = tmp_path / "new" / "cache"
    assert asked(place, ["a b", "c", "a b"]) == ["a b", "c"]
    assert asked(place, ["c", "a b", "d"]) == ["d"]
    assert asked(place, ["a b", "c", "d"]) == []
    assert len(files(place)) == 2  # one for each process that had something to write


def test_another_translator_or_number_of_hypotheses_is_another_key(tmp_path):
    asked(tmp_path, ["a"])
    assert asked(tmp_path, ["a"], count=3) == ["a"]
    assert asked(tmp_path, ["a"], translator=Backwards("ru")) == ["a"]
    keys = [key_of("m", 1, "a"), key_of("m", 11, "a"), key_of("m1", 1, "a"), key_of("m", 1, "1\na")]
    assert len(set(keys)) == 4


def test_that_there_is_no_translation_is_kept_too(tmp_path):
    for expected in (["long"], []):
        translator = Backwards("de", longest=2)
        assert CachedTranslator(translator, Cache(str(tmp_path))).translate(["long"], count=2) == [[]]
        assert translator.asked == expected


def test_a_run_finds_what_was_there_when_it_began(tmp_path):
    first, second = (CachedTranslator(Backwards("de"), Cache(str(tmp_path))) for _ in range(2))
    first.translate(["a"], count=1)
    assert second.translate(["a"], count=1) == first.translate(["a"], count=1)
    assert len(Cache(str(tmp_path))) == 1 and len(files(tmp_path)) == 2


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-5],
        lambda content: content.replace(b"c de2", b"c de3"),
        lambda content: content.replace(b"\n", b" ", 2),
        lambda content: b"\x00" * len(content),
        lambda content: content[:20],
        lambda content: b"",
    ],
)
def test_a_damaged_record_is_a_miss(tmp_path, damage):
    asked(tmp_path, ["a b", "c"])
    (path,) = files(tmp_path)
    path.write_bytes(damage(path.read_bytes()))
    again = asked(tmp_path, ["a b", "c"])
    assert "c" in again
    assert asked(tmp_path, ["a b", "c"]) == []  # what was damaged has a new record


def test_a_torn_line_does_not_spoil_others(tmp_path):
    asked(tmp_path, ["a", "b"])
    (path,) = files(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"\xff\xfe garbage\n" + lines[0] + lines[1][:-9])
    assert asked(tmp_path, ["a", "b"]) == ["b"]


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_what_it_had(tmp_path):
    code = (
        "import os, sys; from tests.transforms.translation.fakes import Backwards\n"
        "from gistmill.transforms.translation.cache import Cache, CachedTranslator\n"
        "cached = CachedTranslator(Backwards('de'), Cache(sys.argv[1]))\n"
        "cached.translate(['a', 'b'], count=2); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT)
    assert done.returncode == -9
    assert asked(tmp_path, ["a", "b", "c"]) == ["c"]


def test_a_translator_that_answers_wrongly_leaves_nothing(tmp_path):
    class Short:
        identity = "short"

        def translate(self, sentences, *, count):
            return [["one"] for _ in sentences]

    with pytest.raises(TranslationError, match="1 hypotheses"):
        CachedTranslator(Short(), Cache(str(tmp_path))).translate(["a"], count=2)
    assert files(tmp_path) == []


def test_a_cache_that_cannot_be_written_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    paid = Backwards("de")
    cached = CachedTranslator(paid, Cache(str(tmp_path / "file" / "cache")))
    with pytest.raises(TranslationError, match="--translation-cache .* cannot be written: "):
        cached.translate(["a"], count=1)
    assert paid.asked == []  # what cannot be kept is not asked for


@pytest.mark.slow
def test_a_cache_that_cannot_be_read_is_one_line(tmp_path):
    asked(tmp_path, ["a"])
    files(tmp_path)[0].chmod(0)
    code = "import sys; from gistmill.transforms.translation.cache import Cache; from tests.commands import obey_modes\nobey_modes(); Cache(sys.argv[1])"
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 1 and "cannot be read" in done.stderr.splitlines()[-1]
