"""Sequence-to-sequence models: checkpoints of BART, T5 and PEGASUS through transformers, and models from scratch."""
