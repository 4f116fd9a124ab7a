"""Sequence-to-sequence models: BART, T5 and PEGASUS checkpoints from transformers, and models trained from scratch."""
