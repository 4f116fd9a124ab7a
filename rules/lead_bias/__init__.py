"""Lead bias (Zhu et al., 2021): the lead of an article is the summary of the rest."""
