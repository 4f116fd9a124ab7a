"""``gistmill explore``: a published dataset as a web page, served locally or exported as a folder of files."""
