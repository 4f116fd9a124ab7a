"""The count of ways through functions, which ``make check`` runs."""

import ast

import pytest

from tests import ways
from tests.ways import Function, main, problems


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("return a", 1),
        ("return a and b or c", 3),
        ("return a and b and c", 3),
        ("return a if b else c", 2),
        ("return [x for x in a if x if x > 1]", 4),
        ("return any(x for x in a for y in x)", 3),
        ("if a:\n  pass\n elif b:\n  pass\n else:\n  pass", 3),
        ("for x in a:\n  pass\n while b:\n  pass", 3),
        ("try:\n  pass\n except (A, B):\n  pass\n except C:\n  pass\n finally:\n  pass", 3),
        ("assert a", 2),
        ("match a:\n  case 1 | 2:\n   pass\n  case _:\n   pass", 3),
        ("def g(x):\n  return x or a\n return g", 2),
        ("with a as b:\n  pass", 1),
    ],
)
def test_each_branch_and_boolean_operator_is_a_way(body, count):
    assert ways.ways(ast.parse(f"def f(a, b, c):\n {body}").body[0]) == count


def tree(root, **operators):
    """Rooms, each with a function of so many ``and``; in ``rules`` below ``discofuse``."""
    for room, number in operators.items():
        file = root / ("rules/discofuse" if room == "rules" else room) / "a.py"
        file.parent.mkdir(parents=True)
        file.write_text(f"X = 1\n\ndef long(a):\n    return {'a and ' * number}a\n")
    return root


def test_a_function_above_the_limit_is_named_with_its_place(tmp_path, capsys):
    assert main(tree(tmp_path, core=ways.MOST, training=ways.MOST - 1, rules=14, tests=90)) == 1
    assert capsys.readouterr().out == "core/a.py:3: long has 21 ways through it; at most 20 are allowed\n"


def test_what_is_within_the_limits_passes_in_silence(tmp_path, capsys):
    assert main(tree(tmp_path, core=19, rules=14)) == 0
    assert capsys.readouterr().out == ""


def test_no_more_functions_have_many_ways_than_before():
    many = [Function("core/a.py", line, "f", ways.MANY + 1) for line in range(ways.WITH_MANY)]
    few = [Function("core/b.py", 1, "g", ways.MANY), Function("rules/discofuse/a.py", 1, "h", ways.MANY)]
    assert problems([*many, *few]) == []
    *named, last = problems([*many, *few, Function("core/c.py", 7, "f", 16)])
    assert len(named) == ways.WITH_MANY + 1 and named[-1] == "core/c.py:7: f has 16 ways through it"
    assert last.startswith(f"{ways.WITH_MANY + 1} functions have more than 15 ways")
