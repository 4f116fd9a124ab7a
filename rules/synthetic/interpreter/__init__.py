"""What a summary of a synthetic document has to say, computed from the document alone; it knows no generator."""
