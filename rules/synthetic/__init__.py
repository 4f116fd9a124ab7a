"""Documents made from nothing, and what a summary of them has to say."""
