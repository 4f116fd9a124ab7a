"""Tokenizers and networks of strangers: what would end the process or run code is refused, and nothing goes around that."""

import ast
import base64
import json
import re
import subprocess
from pathlib import Path

import pytest

from gistmill.core.model_files import load_tokenizer
from tests.environments import needs_package

ROOT = Path(__file__).parents[2]
needs_tokenizers = needs_package("tokenizers")
MODEL = {"type": "WordLevel", "vocab": {"a": 0, "[UNK]": 1}, "unk_token": "[UNK]"}


def described(**parts):
    """The content of a tokenizer.json of two words."""
    return json.dumps({"version": "1.0", "added_tokens": [], "model": MODEL, **parts}).encode()


def replacing(new, **pattern):
    return {"type": "Replace", "pattern": pattern or {"String": "a"}, "content": new}


def in_turn(*normalizers):
    return {"type": "Sequence", "normalizers": [*normalizers]}


def characters(texts, claimed=0):
    """A table of characters without a trie, which claims another length."""
    content = claimed.to_bytes(4, "little") + b"\0".join(texts)
    return {"type": "Precompiled", "precompiled_charsmap": base64.b64encode(content).decode()}


@needs_tokenizers
@pytest.mark.parametrize(
    "normalizer",
    [
        None,
        replacing("\u2581", String=" "),
        in_turn(*[replacing('"', String="``"), replacing(" ", Regex=" {2,}")] * 3, {"type": "NFKC"}),
        {"type": "Prepend", "prepend": "\u2581"},
    ],
)
def test_a_tokenizer_is_loaded(normalizer, tmp_path):
    content = described(normalizer=normalizer)
    (tmp_path / "tokenizer.json").write_bytes(content)
    for source in (content, tmp_path / "tokenizer.json"):
        assert load_tokenizer(source).token_to_id("a") == 0


BPE = {"type": "BPE", "vocab": {"a": 0}, "merges": ["a a"]}


@needs_tokenizers
@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "Expecting value"),
        (b"\xff", "utf-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b"{}", "Model missing"),
        (described(model=BPE), "out of range"),  # a panic of Rust
        (described(normalizer=in_turn(*[replacing("a" * 100)] * 6)), r"1e\+12 times as long"),
        (described(normalizer=in_turn(in_turn(*[replacing("b", Regex="")] * 40))), "times as long"),
        (described(decoder={"type": "Sequence", "decoders": [replacing("a" * 100)] * 2}), "times as long"),
        (described(normalizer=characters([b"x" * 5000, b"b"])), "times as long"),
        (described(normalizer=characters([b"ab"], claimed=0xFFFFFFFC)), "declares more bytes than it contains"),
    ],
)
def test_a_tokenizer_that_breaks_or_would_end_the_process_is_one_line(content, said):
    with pytest.raises(ValueError, match=said) as error:
        load_tokenizer(content)
    assert "\n" not in str(error.value)


def test_a_tokenizer_that_is_too_large_is_not_read_to_its_end(tmp_path):
    file = tmp_path / "tokenizer.json"
    with file.open("wb") as opened:
        opened.truncate(64 << 30)
    with pytest.raises(ValueError, match="it is larger than 134,217,728 bytes"):
        load_tokenizer(file)


def calls():
    """Yields the place, the name and the keywords of each call in the product."""
    listed = subprocess.run(["git", "ls-files", "*.py"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in listed.stdout.split():
        if re.match(r"tests/|research/|benchmarks/", name):
            continue
        for node in ast.walk(ast.parse((ROOT / name).read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                keywords = {k.arg: ast.unparse(k.value) for k in node.keywords}
                yield f"{name}:{node.lineno}", ast.unparse(node.func), keywords


@pytest.mark.slow
def test_every_model_file_is_loaded_without_code():
    found = [call for call in calls() if not call[0].startswith("core/model_files.py:")]
    loads = [c for c in found if c[1].endswith(("from_pretrained", "torch.load", ".unsafe_load"))]
    assert {"AutoConfig.from_pretrained", "torch.load"} <= {name for _, name, _ in loads}
    for place, name, keywords in loads:
        wanted = ("weights_only", "True") if name == "torch.load" else ("trust_remote_code", "False")
        assert wanted in keywords.items(), f"{place}: {name} without {'='.join(wanted)}"
    for place, name, keywords in found:
        assert not re.search(r"Tokenizer\.from_|pickle\.load$|joblib\.load|marshal\.load", name), f"{place}: {name}"
        assert keywords.get("allow_pickle", "False") == "False", place
        assert name != "pickle.loads", place
