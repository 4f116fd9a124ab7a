"""``gistmill explore``: a published dataset as a web page, served on this machine or exported as a folder of files."""
