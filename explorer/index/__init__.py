"""The index of a dataset: files that a page can filter, search and show without a server program."""
