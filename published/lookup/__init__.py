"""An index of a published dataset, by which a page or sentence is found without reading the dataset."""
