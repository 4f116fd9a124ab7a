"""WikiTransfer (Fabbri et al., 2021): pseudo-summaries with the lengths and the extractiveness of a dataset."""
