import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.rules.augmentation.round_trip import TranslationError
from gistmill.transforms.translation.opening import Cache, CachedTranslator, key_of
from tests.transforms.translation.fakes import Backwards

ROOT = Path(__file__).parents[3]


@pytest.fixture
def place(tmp_path):
    return tmp_path / "new" / "cache"


def asked(place, sentences, *, count=2, translator=None):
    """What reaches the translator in a run that begins now."""
    translator = translator or Backwards("de")
    found = CachedTranslator(translator, Cache.begin(str(place))).translate(sentences, count=count)
    assert found == Backwards(translator.target).translate(sentences, count=count)
    return translator.asked


def test_what_was_translated_is_not_paid_for_again(place):
    assert asked(place, ["a b", "c", "a b"]) == ["a b", "c"]
    assert asked(place, ["c", "a b", "d"]) == ["d"]
    assert asked(place, ["a b", "c", "d"]) == []
    assert [path.name for path in place.parent.iterdir()] == ["cache"]


def test_another_translator_or_number_of_hypotheses_is_another_key(place):
    asked(place, ["a"])
    assert asked(place, ["a"], count=3) == ["a"]
    assert asked(place, ["a"], translator=Backwards("ru")) == ["a"]
    keys = [key_of("m", 1, "a"), key_of("m", 11, "a"), key_of("m1", 1, "a"), key_of("m", 1, "1\na")]
    assert len(set(keys)) == 4


def test_that_there_is_no_translation_is_kept_too(place):
    for expected in (["long"], []):
        translator = Backwards("de", longest=2)
        assert CachedTranslator(translator, Cache.begin(str(place))).translate(["long"], count=2) == [[]]
        assert translator.asked == expected


def test_a_run_finds_what_was_there_when_it_began(place):
    asked(place, ["old"])
    run = Cache.begin(str(place))
    for worker in (Backwards("de"), Backwards("de")):  # the second begins after the first has stored
        CachedTranslator(worker, run).translate(["old", "new"], count=2)
        assert worker.asked == ["new"]
    assert asked(place, ["old", "new"]) == []


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: b"no database" * 100,
        lambda content: content[:4096],
        lambda content: content[:4096] + b"\xff" * (len(content) - 4096),
    ],
)
def test_a_damaged_file_is_one_line_that_says_what_to_do(place, damage):
    asked(place, ["a", "b"])
    place.write_bytes(damage(place.read_bytes()))
    with pytest.raises(TranslationError, match=r"--translation-cache .* cannot be used: .*; delete it"):
        asked(place, ["a", "b"])


def test_many_processes_write_at_once(place):
    asked(place, ["a"])
    code = (
        "import sys; from tests.transforms.translation.fakes import Backwards\n"
        "from gistmill.transforms.translation.opening import Cache, CachedTranslator\n"
        "cached = CachedTranslator(Backwards('de'), Cache(sys.argv[1], 1))\n"
        "for n in range(30): cached.translate(['a', 'same', f'{sys.argv[2]} {n}'], count=2)"
    )
    command = [sys.executable, "-c", code, str(place)]
    workers = [subprocess.Popen([*command, str(worker)], cwd=ROOT) for worker in range(3)]
    assert [worker.wait() for worker in workers] == [0, 0, 0]
    assert asked(place, ["a", "same", *(f"{worker} {n}" for worker in range(3) for n in range(30))]) == []


@pytest.mark.slow
def test_a_process_that_is_killed_leaves_what_it_had(place):
    code = (
        "import os, sys; from tests.transforms.translation.fakes import Backwards\n"
        "from gistmill.transforms.translation.opening import Cache, CachedTranslator\n"
        "cached = CachedTranslator(Backwards('de'), Cache.begin(sys.argv[1]))\n"
        "cached.translate(['a', 'b'], count=2); os.kill(os.getpid(), 9)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(place)], cwd=ROOT)
    assert done.returncode == -9
    assert asked(place, ["a", "b", "c"]) == ["c"]


def test_a_translator_that_answers_wrongly_leaves_nothing(place):
    class Short:
        identity = "short"

        def translate(self, sentences, *, count):
            return [["one"] for _ in sentences]

    with pytest.raises(TranslationError, match="1 hypotheses"):
        CachedTranslator(Short(), Cache.begin(str(place))).translate(["a"], count=2)
    assert Cache.begin(str(place)).known == 0


def test_a_cache_that_cannot_be_used_is_one_line(tmp_path):
    (tmp_path / "file").write_text("x")
    for place in (tmp_path, tmp_path / "file" / "cache"):
        with pytest.raises(TranslationError, match="--translation-cache .* cannot be used: "):
            Cache.begin(str(place))


def test_a_worker_that_has_not_the_file_of_the_run_is_told(place):
    run = Cache.begin(str(place))
    place.unlink()  # as where the worker is another machine
    paid = Backwards("de")
    with pytest.raises(TranslationError, match="--translation-cache .* cannot be used: "):
        CachedTranslator(paid, run).translate(["a"], count=1)
    assert paid.asked == [] and not place.exists()
