"""No compiled pattern takes more than linear time on text that somebody repeated, so that no page stops a job."""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import pytest

PACKAGES = ("rules", "transforms", "core", "published", "pipelines", "serving", "explorer")
COMMON = ("<!---->", "<!--", " ", "a", "A.", "{{", "[[", "(", "0", "0,", ",", "\n", "\t", "=", '"', "<a ", "é", "-")
SHORT, LONG = 4000, 64_000  # characters
# Seconds of CPU. A linear pattern takes a few milliseconds for the long text, a quadratic one up to seconds.
SUSPECT, SLOW, LONGEST = 0.001, 0.1, 1.6
# The long text may take so many times as long as the short one: 16 times is linear, 256 times quadratic on any machine.
GROWTH = 64
FULL, PLACE, ANYWHERE = "fullmatch", "match", "finditer"

# Patterns that meet no more than a bounded text, or the program's own, each with the reason.
BOUNDED = {
    "published.comparison.guards._RANGE": "an option of the command line",
    "rules.news.heads._WITH_AGENCY": "paragraphs have single spaces",
    "rules.news.lines._ANYWHERE": "lines of at most 400 characters",
    "rules.news.metadata._NOT_NAMES": "at most 1,000 characters that name authors",
    "rules.news.metadata._OFFICE": "at most 1,000 characters that name authors, with single spaces",
    "rules.news.story._END_MARK": "the last characters of a paragraph",
    "rules.news.titles._LAST_LABEL": "titles have single spaces",
    "rules.news.titles._SEPARATOR": "titles have single spaces",
    "rules.news.titles._BEFORE_SITE": "titles have single spaces",
    "rules.text.charset._META": "the first 1,024 bytes of a page",
    "core.addresses._BUCKET": "a place that the user names",
    "core.addresses._URL": "a place that the user names",
}
# Containers whose patterns are matched under another name.
METHODS = {"rules.news.lines._ALWAYS": {PLACE}, "transforms.sources.files.sniff._MARKED": {PLACE}}


class _TooSlow(Exception):
    pass


def _stop(*_: object) -> None:
    raise _TooSlow


def compiled() -> dict[str, re.Pattern[Any]]:
    """Returns the patterns of all modules by the module and attribute that hold them, containers' with a number."""
    found: dict[re.Pattern[Any], str] = {}

    def collect(value: object, name: str, depth: int = 0) -> None:
        if isinstance(value, re.Pattern):
            found.setdefault(value, name)
        elif depth < 4 and isinstance(value, dict):
            for number, (key, held) in enumerate(value.items()):
                collect(key, f"{name}[{number}]", depth + 1)
                collect(held, f"{name}[{number}]", depth + 1)
        elif depth < 4 and isinstance(value, list | tuple | set | frozenset):
            for number, held in enumerate(value):
                collect(held, f"{name}[{number}]", depth + 1)
        elif depth < 4 and type(value).__module__.startswith("gistmill.") and not isinstance(value, type):
            for slot in (*getattr(value, "__dict__", ()), *getattr(type(value), "__slots__", ())):
                collect(getattr(value, slot, None), f"{name}.{slot}", depth + 1)

    for package in (importlib.import_module(f"gistmill.{name}") for name in PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            try:
                attributes = vars(importlib.import_module(module.name))
            except ModuleNotFoundError:  # an extra is not installed
                continue
            for name, value in attributes.items():
                collect(value, f"{module.name.removeprefix('gistmill.')}.{name}")
    return {name: pattern for pattern, name in found.items()}


def units(pattern: re.Pattern[Any]) -> Iterator[str]:
    """Yields what is repeated against a pattern: beginnings of a text that it matches, its own characters, and others."""
    pieces = [_sample([token]) for token in _parser.parse(pattern.pattern, pattern.flags & ~re.LOCALE)]
    yield from ("".join(pieces[:end]) for end in range(1, len(pieces) + 1))
    yield from pieces
    yield from (pattern.pattern.decode("latin-1") if isinstance(pattern.pattern, bytes) else pattern.pattern)
    yield from COMMON


def _sample(tokens: Iterable[Any]) -> str:
    """Returns a text that parsed tokens match, as far as can be told from each alone."""
    text = ""
    for kind, value in tokens:
        if kind is _constants.LITERAL:
            text += chr(value)
        elif kind is _constants.NOT_LITERAL:
            text += "a" if value != ord("a") else "b"
        elif kind is _constants.ANY:
            text += "a"
        elif kind is _constants.IN:
            text += _member(value)
        elif kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            text += _sample(value[2]) * max(value[0], 1)
        elif kind is _constants.SUBPATTERN:
            text += _sample(value[3])
        elif kind is _constants.ATOMIC_GROUP:
            text += _sample(value)
        elif kind is _constants.BRANCH:
            text += _sample(value[1][0])
    return text


def _member(members: Iterable[Any]) -> str:
    for kind, value in members:
        if kind is _constants.NEGATE:
            return next((c for c in "a 0.,\n\x01Aé(" if not any(_holds(m, c) for m in members)), "")
        if kind is _constants.LITERAL:
            return chr(value)
        if kind is _constants.RANGE:
            return chr(value[0])
        if kind is _constants.CATEGORY:
            return {"CATEGORY_DIGIT": "0", "CATEGORY_SPACE": " ", "CATEGORY_NOT_WORD": ","}.get(str(value), "a")
    return ""


def _holds(member: Any, character: str) -> bool:
    kind, value = member
    if kind is _constants.LITERAL:
        return bool(value == ord(character))
    if kind is _constants.RANGE:
        return bool(value[0] <= ord(character) <= value[1])
    if kind is _constants.CATEGORY:
        name = str(value).removeprefix("CATEGORY_")
        test = {"DIGIT": str.isdigit, "SPACE": str.isspace}.get(
            name.removeprefix("NOT_"), lambda c: c.isalnum() or c == "_"
        )
        return test(character) is not name.startswith("NOT_")
    return False


def seconds(pattern: re.Pattern[Any], unit: str, length: int, method: str) -> float:
    """Returns the CPU time of a method on a unit repeated to a length, with an end that breaks a match."""
    text = unit * (length // len(unit)) + "\x00"
    subject = text.encode("utf-8") if isinstance(pattern.pattern, bytes) else text
    begun = time.process_time()
    signal.setitimer(signal.ITIMER_VIRTUAL, LONGEST)
    try:
        if method != ANYWHERE:
            getattr(pattern, method)(subject)
        else:  # tries what search and match do, and from each place
            for _ in pattern.finditer(subject):
                pass
    except _TooSlow:
        return float("inf")
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return time.process_time() - begun


def is_slow(pattern: re.Pattern[Any], unit: str, method: str) -> bool:
    """Whether a method takes long for 64,000 characters, and far more than its share of the time for 4,000."""
    if seconds(pattern, unit, SHORT, method) < SUSPECT or seconds(pattern, unit, LONG, method) < SLOW:
        return False
    short, long = (min(seconds(pattern, unit, length, method) for _ in range(3)) for length in (SHORT, LONG))
    return long > SLOW and (long == float("inf") or long > GROWTH * short)


def is_unbounded(tokens: Iterable[Any]) -> bool:
    """Whether anything may be repeated without a bound; else a match takes constant time for each place of a text."""
    for kind, value in tokens:
        if kind in (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT):
            if value[1] is _constants.MAXREPEAT or is_unbounded(value[2]):
                return True
        elif kind is _constants.BRANCH:
            if any(map(is_unbounded, value[1])):
                return True
        elif isinstance(value, tuple):
            if any(isinstance(held, _parser.SubPattern) and is_unbounded(held) for held in value):
                return True
        elif isinstance(value, _parser.SubPattern) and is_unbounded(value):
            return True
    return False


def called(source: str) -> dict[str, set[str]]:
    """Returns by the name of a pattern the methods that are called on it anywhere in a source."""
    methods: dict[str, set[str]] = {}
    for name, method in re.findall(r"\b(\w+)\.(match|fullmatch|search|finditer|findall|sub|subn|split)\b", source):
        methods.setdefault(name, set()).add(method if method in (FULL, PLACE) else ANYWHERE)
    return methods


def slow_units(pattern: re.Pattern[Any], methods: Iterable[str] = (ANYWHERE, FULL)) -> list[tuple[str, str]]:
    """Returns the first unit and method on which a pattern is superlinear."""
    if not is_unbounded(_parser.parse(pattern.pattern, pattern.flags & ~re.LOCALE)):
        return []
    before = signal.signal(signal.SIGVTALRM, _stop)
    try:
        for unit in dict.fromkeys(u for u in units(pattern) if u):
            for method in methods:
                if is_slow(pattern, unit, method):
                    return [(unit, method)]
    finally:
        signal.signal(signal.SIGVTALRM, before)
    return []


@pytest.mark.slow
@pytest.mark.parametrize(
    "pattern", [r"(?:<!--.*?-->\s*)*<html", r"([^\s:][^:]*?)[ \t]*:", r"\s+$", r"(a|aa)+$", rb"\d+px", r"\[[^\]]*\]x"]
)
def test_a_superlinear_pattern_is_found(pattern: str | bytes) -> None:
    assert slow_units(re.compile(pattern, re.DOTALL))


@pytest.mark.parametrize(
    "pattern",
    [r"(?<!>)(?:<!--[^-]*+-->)*+<html", r"(?<!\s)\s++$", r"(?<![a-z])[a-z]++,", rb"(?<!\d)\d++px", r"\[[^\[\]]*+\]x"],
)
def test_a_linear_pattern_is_not(pattern: str | bytes) -> None:
    assert not slow_units(re.compile(pattern, re.DOTALL))


@pytest.mark.slow
def test_no_pattern_takes_more_than_linear_time() -> None:
    slow = {}
    patterns = compiled()
    assert set(BOUNDED) <= {name.partition("[")[0] for name in patterns}  # a module was renamed
    for name, pattern in patterns.items():
        module, _, attribute = name.partition("[")[0].rpartition(".")
        if f"{module}.{attribute}" not in BOUNDED:
            source = Path(str(importlib.import_module(f"gistmill.{module}").__file__)).read_text(encoding="utf-8")
            methods = METHODS.get(f"{module}.{attribute}") or called(source).get(attribute, {ANYWHERE, FULL})
            if found := slow_units(pattern, sorted(methods)):
                slow[name] = found
    assert slow == {}
