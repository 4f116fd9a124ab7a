"""EDA, which replaces words of a sentence with synonyms, or inserts, swaps or deletes words.

Source: J. Wei and K. Zou, "EDA: Easy data augmentation techniques for boosting performance on text classification
tasks", EMNLP-IJCNLP 2019, section 2; applied to texts and summaries by C. van Yperen, F. Frasincar and K. El Kanfoudi,
"LATS: Low resource abstractive text summarization", section 4.2.2 and Table 3.
"""
