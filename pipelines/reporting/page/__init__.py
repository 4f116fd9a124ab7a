"""report.html: a self-contained page describing a dataset, for screens, phones and print."""
