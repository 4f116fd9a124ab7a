"""Tiny models with random weights, in the formats of the real packages: what they find is nonsense, how is not."""

from __future__ import annotations

import pickle
from pathlib import Path

_SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
_WORDS = "Ann Lee saw the band in Rome and she said that they were good . Bob Smith left it in 1990 ."


def fastcoref_model(folder: Path, network: str) -> Path:
    """Writes a model of ``FCorefModel`` (segments of 64 subtokens) or ``LingMessModel`` (documents of at most 128)."""
    from gistmill.transforms.coreference.fastcoref import import_package

    import_package()
    import torch
    from fastcoref.coref_models.modeling_fcoref import FCorefModel
    from fastcoref.coref_models.modeling_lingmess import LingMessModel
    from transformers import LongformerConfig, RobertaConfig

    size = {
        "vocab_size": _tokenizer(folder),
        "hidden_size": 16,
        "num_hidden_layers": 2,
        "num_attention_heads": 2,
        "intermediate_size": 32,
    }
    head = {"max_span_length": 10, "top_lambda": 0.4, "ffnn_size": 16, "dropout_prob": 0.3, "max_segment_len": 64}
    torch.manual_seed(0)
    if network == "FCorefModel":
        made = FCorefModel(RobertaConfig(max_position_embeddings=70, coref_head=head, **size))
    else:
        head |= {"max_doc_len": 128, "max_segment_len": 128}
        made = LingMessModel(
            LongformerConfig(max_position_embeddings=140, attention_window=[8, 8], coref_head=head, **size)
        )
    with torch.no_grad():
        made.mention_start_classifier.bias.fill_(0.5)  # else a random network finds hardly anything
    made.save_pretrained(folder)
    return folder


def _tokenizer(folder: Path) -> int:
    from tokenizers import Tokenizer, models, pre_tokenizers, processors, trainers
    from transformers import PreTrainedTokenizerFast

    made = Tokenizer(models.BPE(unk_token="<unk>"))
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=True)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    made.train_from_iterator(
        [_WORDS], trainers.BpeTrainer(special_tokens=_SPECIAL, initial_alphabet=alphabet, show_progress=False)
    )
    made.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0))
    names = dict(zip(("bos", "pad", "eos", "unk", "mask"), _SPECIAL, strict=True))
    PreTrainedTokenizerFast(
        tokenizer_object=made, cls_token="<s>", sep_token="</s>", **{f"{k}_token": v for k, v in names.items()}
    ).save_pretrained(folder)
    return made.get_vocab_size()


def coreferee_weights(folder: Path, nlp, entry: str = "sm_3_8_0") -> None:
    """Writes the package ``coreferee_model_en`` with weights for one spaCy model, whose pipeline ``nlp`` is."""
    import coreferee  # noqa: F401
    from coreferee.rules import RulesAnalyzerFactory
    from coreferee.tendencies import (
        ENSEMBLE_SIZE,
        DocumentPairInfo,
        TendenciesAnalyzer,
        create_thinc_model,
        generate_feature_table,
    )
    from thinc.util import fix_random_seed

    rules = RulesAnalyzerFactory().get_rules_analyzer(nlp)
    doc = nlp("Ann Lee saw the band in Rome, and she said that they were good. Bob and Ann left it; he hurt himself.")
    rules.initialize(doc)
    features = generate_feature_table([doc], nlp)
    pairs = DocumentPairInfo.from_doc(doc, TendenciesAnalyzer(rules, nlp, features), ENSEMBLE_SIZE)
    fix_random_seed(0)
    network = create_thinc_model()
    network.initialize(X=[pairs])
    target = folder / "coreferee_model_en" / entry
    target.mkdir(parents=True)
    for package in (target.parent, target):
        (package / "__init__.py").write_text("")
    (target / "feature_table.bin").write_bytes(pickle.dumps(features))
    network.to_disk(target / "model")
