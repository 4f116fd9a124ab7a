"""The index of a dataset: files from which a page can filter, search and show rows without a server program."""
