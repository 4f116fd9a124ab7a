"""Gistmill in the libraries of others: components of spaCy, and chunkers of LangChain, LlamaIndex and Haystack.

Each module needs the library that it is named after. None is imported by another part of Gistmill.
"""
