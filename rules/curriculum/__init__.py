"""Curricula for summarization, which rank pairs by the number of operations needed to turn the input into the target.

Source: C. van Yperen et al., "LATS: Low resource abstractive text summarization", section 4.2.1 and Algorithms 1 to 4.
"""
