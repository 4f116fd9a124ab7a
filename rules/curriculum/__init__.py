"""Curricula for summarization: how hard a pair is, by counts of the operations that turn the input into the target.

Source: C. van Yperen et al., "LATS: Low resource abstractive text summarization", section 4.2.1 and Algorithms 1 to 4.
"""
