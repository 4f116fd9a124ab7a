"""Tokenizers of files: both kinds find tokens where they are in the text, and say what a random token may be."""

import functools
import io
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gistmill.rules.synthetic.language import nonsense_words
from gistmill.transforms.materials import FileTokenizer, TokenizerError
from tests.rules.synthetic.test_steps import documents, split

WORDS = nonsense_words()
LINES = [" ".join(random.Random(i).choices(WORDS, k=10)) + " ." for i in range(500)]


@functools.cache
def sentencepiece_model() -> bytes:
    import sentencepiece

    made = io.BytesIO()
    options: dict[str, Any] = {"vocab_size": 400, "byte_fallback": True, "minloglevel": 4, "num_threads": 1}
    sentencepiece.SentencePieceTrainer.train(sentence_iterator=iter(LINES), model_writer=made, **options)
    return made.getvalue()


def json_model(kind: str) -> bytes:
    from tokenizers import Tokenizer, models, pre_tokenizers, trainers

    quiet: dict[str, Any] = {"vocab_size": 400, "show_progress": False}
    trainer: Any
    if kind == "bytes":
        made = Tokenizer(models.BPE())
        made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
        alphabet = pre_tokenizers.ByteLevel.alphabet()
        trainer = trainers.BpeTrainer(special_tokens=["</s>"], initial_alphabet=alphabet, **quiet)
    elif kind == "unigram":
        made = Tokenizer(models.Unigram())
        made.pre_tokenizer = pre_tokenizers.Metaspace()
        trainer = trainers.UnigramTrainer(special_tokens=["<unk>"], unk_token="<unk>", **quiet)
    else:
        made = Tokenizer(models.WordPiece(unk_token="[UNK]"))
        made.pre_tokenizer = pre_tokenizers.Whitespace()
        trainer = trainers.WordPieceTrainer(special_tokens=["[UNK]"], **quiet)
    made.train_from_iterator(LINES, trainer)
    made.enable_truncation(5)  # as released files have it
    made.enable_padding(length=2000)
    return made.to_str().encode()


@pytest.fixture(scope="module")
def tokenizers():
    made = {kind: FileTokenizer(json_model(kind), f"{kind}.json") for kind in ("bytes", "unigram", "words")}
    return made | {"sentencepiece": FileTokenizer(sentencepiece_model(), "spiece.model")}


KINDS = ("bytes", "unigram", "words", "sentencepiece")


@pytest.mark.parametrize("kind", KINDS)
def test_tokens_are_where_they_are_in_the_text(tokenizers, kind):
    text = " ".join(LINES[:60])
    spans = tokenizers[kind].spans(text)
    assert "".join(text[a:b] for a, b in spans).replace(" ", "") == text.replace(" ", "")
    assert len(spans) > 660  # words are divided, and nothing is cut or padded
    assert spans == sorted(spans)


@pytest.mark.parametrize("kind", KINDS)
def test_random_tokens_are_texts(tokenizers, kind):
    pieces = tokenizers[kind].pieces
    assert len(pieces) > 100 and len(set(pieces)) == len(pieces)
    assert {piece.count(" ") for piece in pieces} == {0, 1}
    assert not any(piece.strip() in ("", ".", "</s>", "<unk>", "[UNK]") or "##" in piece for piece in pieces)
    assert all(piece.strip() in " ".join(LINES) or kind != "unigram" for piece in pieces)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task", ["nsg", "sr", "mdg", "mdg-adjusted"])
def test_step_documents_have_their_tokens(tokenizers, kind, task):
    tokenizer = tokenizers[kind]
    for made in documents(task, range(5), tokenizer):
        if task == "nsg":
            lengths = [len(tokenizer.spans(text)) for text in (made.inputs, made.targets)]
            assert abs(lengths[0] - 512) <= 4 and abs(lengths[1] - 256) <= 4  # cut words may be divided anew
            continue
        before, after = made.values.get("before", 0), made.values.get("after", 0)
        original = made.targets
        if task == "mdg-adjusted":
            original = made.inputs[:before] + made.targets + made.inputs[len(made.inputs) - after :]
        assert 512 < len(tokenizer.spans(original)) <= 562 and split(original)
        if task == "mdg":
            assert original[:before] == made.inputs[:before] and made.inputs.endswith(original[len(original) - after :])


@given(text=st.text(max_size=60))
def test_any_text_has_its_spans_inside(tokenizers, text):
    for kind in "sentencepiece", "bytes":
        assert all(0 <= a <= b <= len(text) for a, b in tokenizers[kind].spans(text))


def test_the_record_names_file_and_package(tokenizers):
    record = tokenizers["sentencepiece"].record
    assert record["name"] == "spiece.model" and len(record["sha256"]) == 64
    assert set(record["packages"]) == {"sentencepiece"}
    assert set(tokenizers["bytes"].record["packages"]) == {"tokenizers"}


def test_a_file_that_is_none(capfd):
    other, none = "x is neither a sentencepiece model nor a tokenizer.json", "x is not a tokenizer.json"
    wrong = {b"": "x is empty", b"no tokenizer": other, bytes(range(256)) * 100: other, b"[1, 2]": other}
    wrong |= dict.fromkeys((b"{}", b'{"version": "1.0"}', b'{"a": ', b"{\xff\xff}", b'{"a":' * 100_000), none)
    for content, said in {**wrong, sentencepiece_model()[:3000]: other}.items():
        with pytest.raises(TokenizerError) as error:
            FileTokenizer(content, "x")
        assert said in str(error.value) and "\n" not in str(error.value), content[:20]
        assert capfd.readouterr() == ("", "")
