"""``gistmill serve``: a server that splits, fuses and summarizes (the lead-bias paper, section 4.9 and appendix A)."""
