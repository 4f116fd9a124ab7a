"""The section phenomenon of the page: a connective that was not found before."""

import json

import pytest

pytestmark = pytest.mark.slow

SENTENCE = "The team won the final match inasmuch as the other side had lost two players."
_SPLIT = f"""
import json, gistmill
found = gistmill.fusion.split({SENTENCE!r})
print(json.dumps([(c.discourse_type.name, c.connective_string, c.incoherent_first_sentence, c.incoherent_second_sentence,
                   c.verdict.accepted) for c in found]))
"""


@pytest.mark.long
def test_a_connective_is_an_entry(tree):
    assert json.loads(tree.python(_SPLIT)) == []
    example = tree.add("phenomenon")
    shown = tree.shell(example.commands).stdout
    assert "SINGLE_CONN_INNER" in shown and SENTENCE in example.commands
    assert json.loads(tree.python(_SPLIT)) == [
        [
            "SINGLE_CONN_INNER",
            "inasmuch as",
            "The team won the final match .",
            "The other side had lost two players .",
            True,
        ]
    ]
