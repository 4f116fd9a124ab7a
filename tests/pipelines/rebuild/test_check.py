"""`gistmill rebuild --check`: what a run would refuse is refused, and nothing is written or downloaded."""

import json
import re

from tests.cases import by_heading
from tests.pipelines.rebuild.corpora import rebuilt, tree, write_texts

CASES = by_heading(__file__)
CORPUS = """
publish: corpus
work: work
sources:
  texts: {source: jsonl, input: texts.jsonl, deduplicate: none}
  wiki: {wiki: simplewiki, coref: none, mirrors: 'http://127.0.0.1:9'}
recipes:
  gaps: {recipe: gap-sentences, reads: texts}
  fusion: {recipe: discofuse, reads: wiki}
  toys: {recipe: synthetic, documents: 10}
  order: {recipe: curriculum, reads: gaps, sample: 10}
runner: {}
"""


def checked(folder, corpus):
    """What --check says of a corpus file, and its code."""
    (folder / "c.yaml").write_text(corpus, encoding="utf-8")
    code, _summary, err = rebuilt(folder, "--check")
    return code, err


def test_what_a_run_refuses_is_said_before_it_begins(tmp_path):
    write_texts(tmp_path / "texts.jsonl", 3)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "corpus.json").write_text(json.dumps({"publish": "/elsewhere"}), encoding="utf-8")
    for old, new, message in CASES["refused"]:
        assert old in CORPUS
        code, err = checked(tmp_path, CORPUS.replace(old, new))
        assert code == 2 and re.search(message, err) and err.count("\n") == 1, (new, err)


def test_a_corpus_that_can_be_made_is_checked_without_a_trace(tmp_path):
    write_texts(tmp_path / "texts.jsonl", 3)
    (tmp_path / "c.yaml").write_text(CORPUS, encoding="utf-8")
    before = tree(tmp_path)
    assert checked(tmp_path, CORPUS) == (0, "")
    assert tree(tmp_path) == before and {path.name for path in tmp_path.iterdir()} == {"c.yaml", "texts.jsonl"}
