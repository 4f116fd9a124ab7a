"""The SHA-256 of the code that decides a result."""

import pytest

from gistmill.rules.coreference import scorer
from gistmill.transforms import code
from gistmill.transforms.code import code_of


@pytest.fixture
def room(tmp_path, monkeypatch):
    """A room of three modules: ``gistmill.rules.a`` imports ``gistmill.rules.b`` and spacy, and nothing imports ``gistmill.rules.c``."""
    (tmp_path / "a.py").write_text('"""A."""\nimport os\nimport spacy\nfrom gistmill.rules.b import two\n')
    (tmp_path / "b.py").write_text('def two():\n    """Two."""\n    return 2  # two\n')
    (tmp_path / "c.py").write_text("THREE = 3\n")
    monkeypatch.setattr(code, "files", lambda room: tmp_path)
    code_of.cache_clear()
    yield tmp_path
    code_of.cache_clear()


def again(*names, **options):
    code_of.cache_clear()
    return code_of(*names, **options).sha256


def test_what_is_no_code_of_a_module_or_of_what_it_imports_does_not_count(room):
    before = again("gistmill.rules.a")
    (room / "b.py").write_text("# nothing\n\ndef two():\n    '''Another.'''\n\n    return 2\n")
    (room / "c.py").write_text("THREE = 4\n")
    (room / "README.md").write_text("a word")
    (room / "b" / "__pycache__").mkdir(parents=True)  # the empty folder of a former package
    assert again("gistmill.rules.a") == before


def test_the_code_of_imported_modules_counts(room):
    before, alone = again("gistmill.rules.a"), again(alone=("gistmill.rules.a",))
    (room / "b.py").write_text("def two():\n    return 3\n")
    assert again("gistmill.rules.a") != before
    assert again(alone=("gistmill.rules.a",)) == alone


def test_words_and_tables_next_to_a_module_count(room):
    before = again("gistmill.rules.a")
    (room / "words.toml").write_text("a = 1")
    with_words = again("gistmill.rules.a")
    (room / "data").mkdir()
    (room / "data" / "numbers.txt").write_text("1")
    assert len({before, with_words, again("gistmill.rules.a")}) == 3


def test_where_a_module_lies_does_not_count(room):
    before = again("gistmill.rules.a")
    (room / "d.py").write_text((room / "b.py").read_text())
    (room / "a.py").write_text((room / "a.py").read_text().replace("rules.b", "core.d"))
    assert again("gistmill.rules.a") == before


def test_packages_are_named_with_their_versions(room):
    found = code_of("gistmill.rules.a").packages
    assert set(found) == {"python", "spacy"} and found["spacy"].startswith("3.")


def test_a_resolver_has_the_code_that_it_imports():
    assert code_of(scorer.__name__) != code_of("gistmill.rules.coreference.lexicon")
    assert "lemminflect" in code_of(scorer.__name__).packages
