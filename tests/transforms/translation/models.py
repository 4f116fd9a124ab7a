"""Tiny models that translate, with random weights, made on the spot. They need torch and transformers."""

from pathlib import Path
from typing import Any

import sentencepiece

LONGEST = 64  # tokens that the models read
SMALL: dict[str, Any] = {
    "d_model": 16,
    **{
        f"{side}_{name}": n
        for side in ("encoder", "decoder")
        for name, n in (("layers", 1), ("attention_heads", 2), ("ffn_dim", 32))
    },
    "max_position_embeddings": LONGEST,
    "init_std": 1.0,
}
TEXTS = [
    "The mayor opened the bridge in spring.",
    "A young teacher visited the old library after the war.",
    "Nobody knows why the market was sold last year.",
    "Otters swim in the cold river and eat fish, crabs and frogs.",
]


def pieces(folder: Path, name: str, size: int = 50) -> Path:
    """Trains a model of pieces; returns its file."""
    path = folder / name
    with path.open("wb") as file:
        sentencepiece.SentencePieceTrainer.train(
            sentence_iterator=iter(TEXTS * 20), model_writer=file, vocab_size=size, minloglevel=2
        )
    return path


def marian(folder: Path, seed: int = 0) -> Path:
    """Makes a Marian model of one pair of languages."""
    import json

    import torch
    from transformers import MarianConfig, MarianMTModel, MarianTokenizer

    folder.mkdir(parents=True)
    pieces(folder, "source.spm")
    pieces(folder, "target.spm")
    known = sentencepiece.SentencePieceProcessor(model_file=str(folder / "source.spm"))
    names = ["</s>", "<unk>", *(known.id_to_piece(n) for n in range(3, known.get_piece_size())), "<pad>"]
    (folder / "vocab.json").write_text(json.dumps({name: n for n, name in enumerate(names)}))
    files = [str(folder / name) for name in ("source.spm", "target.spm", "vocab.json")]
    tokenizer = MarianTokenizer(*files, model_max_length=LONGEST)
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = MarianConfig(
        vocab_size=len(names),
        **SMALL,
        pad_token_id=len(names) - 1,
        eos_token_id=0,
        decoder_start_token_id=len(names) - 1,
        forced_eos_token_id=None,
    )
    MarianMTModel(config).save_pretrained(folder)
    return folder


def m2m(folder: Path, seed: int = 0) -> Path:
    """Makes an M2M model of its hundred languages."""
    import json

    import torch
    from transformers import M2M100Config, M2M100ForConditionalGeneration, M2M100Tokenizer
    from transformers.models.m2m_100.tokenization_m2m_100 import FAIRSEQ_LANGUAGE_CODES

    folder.mkdir(parents=True)
    path = pieces(folder, "sentencepiece.bpe.model")
    known = sentencepiece.SentencePieceProcessor(model_file=str(path))
    names = ["<s>", "<pad>", "</s>", "<unk>", *(known.id_to_piece(n) for n in range(3, known.get_piece_size()))]
    (folder / "vocab.json").write_text(json.dumps({name: n for n, name in enumerate(names)}))
    languages = [f"__{code}__" for code in FAIRSEQ_LANGUAGE_CODES["m2m100"]]
    tokenizer = M2M100Tokenizer(
        str(folder / "vocab.json"), str(path), model_max_length=LONGEST, additional_special_tokens=languages
    )
    tokenizer.save_pretrained(folder)
    torch.manual_seed(seed)
    config = M2M100Config(
        vocab_size=len(names) + 108,  # a hundred languages, and eight words that fill the table
        **SMALL,
    )
    model = M2M100ForConditionalGeneration(config)
    model.get_input_embeddings().weight.data[len(names) :] *= 0.1  # else its words would be languages
    model.save_pretrained(folder)
    return folder


def fsmt(folder: Path, seed: int = 0) -> Path:
    """Makes an FSMT model, of the kind of facebook/wmt19-en-de."""
    import json

    import torch
    from transformers import FSMTConfig, FSMTForConditionalGeneration, FSMTTokenizer

    folder.mkdir(parents=True)
    letters = sorted({character for text in TEXTS for character in text if character != " "})
    names = ["<s>", "<pad>", "</s>", "<unk>", *letters, *(f"{letter}</w>" for letter in letters)]
    for name in ("vocab-src.json", "vocab-tgt.json"):
        (folder / name).write_text(json.dumps({piece: n for n, piece in enumerate(names)}))
    (folder / "merges.txt").write_text("t h 1\n")
    files = {f"{side}_vocab_file": str(folder / f"vocab-{side}.json") for side in ("src", "tgt")}
    merges, langs = str(folder / "merges.txt"), ["en", "de"]
    FSMTTokenizer(langs=langs, **files, merges_file=merges, model_max_length=LONGEST).save_pretrained(folder)
    torch.manual_seed(seed)
    sizes = {"src_vocab_size": len(names), "tgt_vocab_size": len(names)}
    FSMTForConditionalGeneration(FSMTConfig(langs=langs, **sizes, **SMALL)).save_pretrained(folder)
    return folder
