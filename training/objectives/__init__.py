"""What is minimised: the loss of a batch, and what a row needs for it."""
