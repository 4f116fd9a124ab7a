"""EDA: words of a sentence are replaced by synonyms, inserted, swapped or deleted.

Source: J. Wei and K. Zou, "EDA: Easy data augmentation techniques for boosting performance on text classification
tasks", EMNLP-IJCNLP 2019, section 2; C. van Yperen, F. Frasincar and K. El Kanfoudi apply it to texts and summaries
("LATS: Low resource abstractive text summarization", section 4.2.2 and Table 3).
"""
