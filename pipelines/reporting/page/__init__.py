"""report.html: a dataset as one page that needs nothing else, for a screen, a phone and paper."""
