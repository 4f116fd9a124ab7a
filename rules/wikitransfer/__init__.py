"""WikiTransfer (Fabbri et al., 2021): pseudo-summaries with the lengths and extractiveness of a given dataset."""
