"""Options are fields: declared, checked at construction, inherited, and written as plain values."""

import pickle
from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from gistmill.core.options import OptionError, Options, option, options_of
from gistmill.core.values import SHARE, list_of, mapping_of, whole
from gistmill.rules.recipes import RECIPES


@dataclass(frozen=True, kw_only=True)
class Base(Options):
    GROUP: ClassVar[str] = "input"

    least: int = option(whole(1), default=2, unit="words", help="fewest words")
    most: int | None = option(whole(1), unit="words", help="most words")

    def check(self):
        if self.most is not None and self.most < self.least:
            raise ValueError(f"least: {self.least} is above most, {self.most}")


@dataclass(frozen=True, kw_only=True)
class Derived(Base):
    shares: tuple[float, ...] = option(list_of(SHARE), default=(0.5,), help="shares")
    rates: dict[str, float] = option(mapping_of(SHARE), default={"a": 1.0}, help="rates")
    inner: int = 7


def test_an_option_is_declared_by_its_field():
    found = {o.name: o for o in options_of(Derived)}
    assert list(found) == ["least", "most", "shares", "rates"]
    assert (found["least"].default, found["least"].unit, found["least"].metavar) == (2, "words", "N")
    assert found["least"].group == "input" and found["least"].flag == "--least"
    assert options_of(Base) == options_of(Derived)[:2]


def test_values_are_read_and_checked_when_it_is_made():
    made = Derived(least="3", shares="0.1, 1", rates={"b": 0})
    assert (made.least, made.most, made.shares, made.rates) == (3, None, (0.1, 1.0), {"b": 0.0})
    assert replace(made, most=4).most == 4 and pickle.loads(pickle.dumps(made)) == made
    assert Derived().rates is not Derived().rates


def test_what_is_wrong_is_named():
    for values, name, message in (
        ({"least": 0}, "least", "least: expected a whole number of at least 1, not 0"),
        ({"most": "x"}, "most", "most: expected"),
        ({"least": None}, "least", "least: expected"),
        ({"shares": [2]}, "shares", "shares: expected a number from 0 to 1"),
        ({"least": 5, "most": 4}, "", "least: 5 is above most, 4"),
    ):
        with pytest.raises(OptionError, match=message) as raised:
            Derived(**values)
        assert raised.value.name == name and isinstance(raised.value, ValueError)


def test_plain_values_make_the_same_configuration():
    made = Derived(least=3, shares=(0.1,))
    assert made.to_values() == {"least": 3, "shares": [0.1], "rates": {"a": 1.0}}
    assert Derived.from_values({**made.to_values(), "of another": 1, "most": None}) == made


def test_the_options_of_a_recipe_say_what_they_are():
    for recipe in RECIPES.values():
        for declared in options_of(recipe.CONFIG):
            assert declared.group == "recipe" and declared.help[0].islower() and declared.help[-1] != "."
