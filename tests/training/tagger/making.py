"""A tiny BERT, and rows to learn."""

from gistmill.rules.fusion.alignment import align
from gistmill.rules.fusion.edits import from_column, realise, to_column

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,'"
NAMES = ["Anna", "Bob", "Carla", "David"]
VERBS = ["slept", "ate", "sang", "ran", "wrote"]


def make_bert(folder, *, hidden=32, layers=2, special=("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")):
    """Writes a BERT with random weights that reads letters; returns the folder as a text."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers
    from transformers import BertConfig, BertModel

    vocabulary = {token: i for i, token in enumerate([*special, *LETTERS, *(f"##{c}" for c in LETTERS)])}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    torch.manual_seed(0)
    model = BertModel(
        BertConfig(
            vocab_size=len(vocabulary),
            hidden_size=hidden,
            num_hidden_layers=layers,
            num_attention_heads=2,
            intermediate_size=2 * hidden,
            max_position_embeddings=96,
        )
    )
    model.save_pretrained(folder)
    tokenizer.save(str(folder / "tokenizer.json"))
    return str(folder)


def make_row(number, discourse_type, first, second, target):
    """A row with the columns of a DiscoFuse dataset that a tagger reads."""
    first_tokens, second_tokens = first.split(), second.split()
    edits = align(first_tokens, second_tokens, target.split())
    assert realise(first_tokens, second_tokens, edits) == target.split()
    assert from_column(to_column(edits), len(first_tokens), len(second_tokens)) == edits
    return {
        "id": f"row-{number}",
        "incoherent_first_sentence": first,
        "incoherent_second_sentence": second,
        "coherent_first_sentence": target,
        "coherent_second_sentence": "",
        "discourse_type": discourse_type,
        "inputs": natural(f"{first} {second}"),
        "targets": natural(target),
        "edits": to_column(edits),
    }


def natural(text):
    """Text without spaces before marks."""
    return text.replace(" .", ".").replace(" ,", ",")


def make_rows():
    """Twenty rows of five types."""
    rows = []
    for i in range(4):
        a, b = NAMES[i], NAMES[(i + 1) % 4]
        v, w = VERBS[i], VERBS[(i + 1) % 5]
        made = [
            ("SINGLE_S_COORD", f"{a} {v} late .", f"Later {b} {w} .", f"{a} {v} late , but later {b} {w} ."),
            ("SINGLE_VP_COORD", f"{a} {v} here .", f"{a} {w} there .", f"{a} {v} here and {w} there ."),
            ("PAIR_ANAPHORA", f"{a} {v} .", f"Then {a} {w} .", f"{a} {v} . Then he {w} ."),
            ("PAIR_NONE", f"{a} {v} 1 .", f"{b} {w} 2 .", f"{a} {v} 1 . {b} {w} 2 ."),
            ("SINGLE_APPOSITION", f"{a} {v} .", f"{a} is a man .", f"{a} , a man , {v} ."),
        ]
        rows += [make_row(f"{i}-{k}", *parts) for k, parts in enumerate(made)]
    return rows
