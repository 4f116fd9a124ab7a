"""The example in the docstring of each function on texts that ``gistmill`` offers."""

import doctest

import pytest

import gistmill

FUNCTIONS = {
    **{name: getattr(gistmill, name) for name in gistmill.__all__ if callable(getattr(gistmill, name))},
    "rouge.score": gistmill.rouge.score,
    "rouge.tokenise": gistmill.rouge.tokenise,
}
# They take or are a dataset, or are an error; docs/python.md has their examples.
OTHERS = {"build", "trace_row"} | {name for name, each in FUNCTIONS.items() if isinstance(each, type)}


@pytest.mark.parametrize("name", sorted(FUNCTIONS.keys() - OTHERS))
def test_the_example_gives_what_it_says(name):
    function = FUNCTIONS[name]
    (found,) = doctest.DocTestFinder(recurse=False).find(function, name, globs=dict(function.__globals__))
    assert found.examples, "there is no example"
    said = []
    doctest.DocTestRunner().run(found, out=said.append)
    assert not said, "".join(said)
