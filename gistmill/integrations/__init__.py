"""Integrations: spaCy components, and chunkers for LangChain, LlamaIndex and Haystack.

Each module requires the library that it is named after. No other part of Gistmill imports them.
"""
