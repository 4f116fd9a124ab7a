"""What the DiscoFuse rules make of a text, for a person: in a terminal, and in a notebook."""
