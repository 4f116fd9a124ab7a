"""The rooms: core <- rules <- transforms <- pipelines <- gistmill, rules <- published <- pipelines; training -> rules,
published; serving -> gistmill, transforms; explorer -> gistmill, published. All may import core. No import goes the other
way, and only serving and explorer import gistmill."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "core": {"core"},
    "rules": {"core", "rules"},
    "transforms": {"core", "rules", "transforms"},
    "published": {"core", "rules", "published"},
    "pipelines": {"core", "rules", "published", "transforms", "pipelines"},
    "gistmill": {"core", "rules", "published", "transforms", "pipelines", "gistmill"},
    "training": {"core", "rules", "published", "training"},
    "serving": {"core", "rules", "published", "transforms", "gistmill", "serving"},
    "explorer": {"core", "rules", "published", "gistmill", "explorer"},
}
FORBIDDEN_IN_CORE_AND_RULES = {
    "apache_beam",
    "spacy",
    "torch",
    "requests",
    "urllib",
    "google",
    "boto3",
    "pyarrow",
    "tensorflow",
}


def room_of(name: str) -> str:
    """The room that a name below gistmill lies in, or the package that another name lies in."""
    package, _, inner = name.partition(".")
    room = inner.partition(".")[0]
    return room if package == "gistmill" and (ROOT / room).is_dir() and room else package


def imported_roots(source: str) -> set[str]:
    """The rooms and the packages that a source imports."""
    roots = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            roots |= {room_of(alias.name) for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which room is meant"
            roots |= {room_of(f"{node.module}.{alias.name}") for alias in node.names}
    return roots


def modules(room: str) -> list[Path]:
    return sorted((ROOT / room).rglob("*.py"))


@pytest.mark.parametrize("room", [r for r in MAY_IMPORT if (ROOT / r).is_dir()])
def test_imports_go_one_way(room):
    assert modules(room)
    for path in modules(room):
        wrong = (imported_roots(path.read_text(encoding="utf-8")) & set(MAY_IMPORT)) - MAY_IMPORT[room]
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


@pytest.mark.parametrize("room", [*MAY_IMPORT, "corpora", "deploy"])
def test_no_room_imports_what_is_not_installed(room):
    for path in modules(room):
        wrong = imported_roots(path.read_text(encoding="utf-8")) & {"benchmarks", "research", "tests"}
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_benchmarks_only_measure():
    assert modules("research")
    for path in modules("benchmarks"):
        assert not imported_roots(path.read_text(encoding="utf-8")) & {"research", "tests"}, path


@pytest.mark.parametrize("room", ["core", "rules"])
def test_core_and_rules_are_pure(room):
    for path in modules(room):
        may = {"google"} if path.name == "tf_example.py" else set()  # protobuf
        wrong = (imported_roots(path.read_text(encoding="utf-8")) & FORBIDDEN_IN_CORE_AND_RULES) - may
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_reading_a_dataset_loads_nothing_heavy():
    code = (
        "import json, sys, gistmill.published.dataset, gistmill.published.files, gistmill.published.checks\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {room_of(name) for name in json.loads(done.stdout)}
    assert "published" in loaded and not loaded & {"apache_beam", "spacy", "pyarrow", "numpy", "yaml", "transforms"}


def test_an_import_against_the_direction_is_seen():
    assert imported_roots("def f():\n    from gistmill.transforms.steps.choose_split import choose_split") == {
        "transforms"
    }


def imported_modules(source: str, known: set[str]) -> set[str]:
    """The modules among ``known`` that a source imports, also inside functions and for type checking alone."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            # "from package import name" means a module of the package, or the package itself
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= names & known or {node.module or ""}
    return found & known


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle, in order; none where there is no circle."""
    done: set[str] = set()

    def search(path: list[str]) -> list[str]:
        for module in sorted(graph[path[-1]] - done):
            if module in path:
                return path[path.index(module) :]
            if found := search([*path, module]):
                return found
        done.add(path[-1])
        return []

    for module in sorted(graph):
        if module not in done and (found := search([module])):
            return found
    return []


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "gistmill" else ("gistmill", *parts)).removesuffix(".__init__")


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    """The modules of every room, and what each imports of them."""
    paths = {module_name(path): path for room in (*MAY_IMPORT, "corpora", "deploy") for path in modules(room)}
    return {n: imported_modules(p.read_text(encoding="utf-8"), paths.keys() - {n}) for n, p in paths.items()}


def test_no_circle_of_imports(graph):
    assert len(graph) > 100 and "gistmill.rules.documents" in graph["gistmill.rules.coreference.mentions"]
    assert circle(graph) == []


def by_package(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The packages and single modules that lie directly in a room, and what each imports of them."""
    found: dict[str, set[str]] = {}
    for name, imports in graph.items():
        own = ".".join(name.split(".")[:3])
        found.setdefault(own, set()).update({".".join(i.split(".")[:3]) for i in imports} - {own})
    return found


def test_no_circle_of_packages(graph):
    packages = by_package(graph)
    assert "gistmill.rules.text" in packages["gistmill.rules.wiki"]
    assert circle(packages) == []


def test_a_circle_of_packages_is_found():
    graph = {"g.r.a.x": {"g.r.b.x"}, "g.r.b.x": set(), "g.r.b.y": {"g.r.a.y"}, "g.r.a.y": set()}
    assert circle(graph) == [] and circle(by_package(graph)) == ["g.r.a", "g.r.b"]


PARTS_OF_DISCOFUSE = {
    "clauses": set(),
    "nouns": set(),
    "insertions": {"clauses", "nouns"},
    "anaphora": {"clauses", "nouns"},
    "coordination": {"clauses", "nouns"},
    "subordination": {"clauses", "nouns"},
}
# The modules beside the packages that these may import: words, parses, and what is done to them.
TOOLS_OF_DISCOFUSE = {
    "checks",
    "connectives",
    "halves",
    "morphology",
    "operations",
    "parse",
    "reasons",
    "region",
    "words",
}


def parts_of_discofuse(names: set[str]) -> set[str]:
    """The packages of gistmill.rules.discofuse that the modules stand in, or their own names where they stand beside
    the packages."""
    return {name.split(".")[3] for name in names if name.startswith("gistmill.rules.discofuse.")}


@pytest.mark.parametrize("part", [*PARTS_OF_DISCOFUSE, *sorted(TOOLS_OF_DISCOFUSE)])
def test_the_parts_of_discofuse_go_one_way(part):
    paths = {module_name(path): path for path in modules("rules")}
    allowed = PARTS_OF_DISCOFUSE.get(part, set()) | TOOLS_OF_DISCOFUSE | {part}
    inside = {name for name in paths if parts_of_discofuse({name}) == {part}}
    assert inside
    for name in inside:
        wrong = parts_of_discofuse(imported_modules(paths[name].read_text(encoding="utf-8"), set(paths))) - allowed
        assert not wrong, f"{name} imports {sorted(wrong)}"


def test_the_table_of_parts_is_whole():
    folders = {path.name for path in (ROOT / "rules" / "discofuse").iterdir() if (path / "__init__.py").is_file()}
    assert folders == set(PARTS_OF_DISCOFUSE)


FOLDERS = "|".join((*sorted(MAY_IMPORT.keys() - {"gistmill"}), "corpora", "deploy"))
WITHOUT_GISTMILL = re.compile(
    rf"(?<![\w.])(from ({FOLDERS})(\.\w[\w.]*)? import\b|(?<!from )(?<![\w.] )import ({FOLDERS})(\.\w|$))", re.M
)


def test_every_import_of_a_room_begins_with_gistmill():
    """In the checkout a room could be imported by the name of its folder too, as a second module of the same file."""
    texts = {
        path: path.read_text(encoding="utf-8")
        for room in ("tests", "benchmarks", "research", "docs", *FOLDERS.split("|"))
        for path in (ROOT / room).rglob("*.*")
        if path.suffix in (".py", ".md", ".ipynb", ".yaml")
    }
    texts |= {path: path.read_text(encoding="utf-8") for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"}
    assert len(texts) > 1000
    assert {
        str(path.relative_to(ROOT)): m[0] for path, text in texts.items() if (m := WITHOUT_GISTMILL.search(text))
    } == {}


def test_an_import_without_gistmill_is_seen():
    for package in ("rules", "deploy"):
        for form in (
            "from {} import x",
            "from {}.a import x",
            "import {}",
            "import {}.a.b",
            "'import sys, x; from {}.a import b'",
        ):
            assert WITHOUT_GISTMILL.search(form.format(package))
            assert not WITHOUT_GISTMILL.search(form.format(f"gistmill.{package}"))


def test_commands_in_the_checkout_load_no_room_by_the_name_of_its_folder():
    commands = "gistmill.pipelines.commands, gistmill.explorer.command, gistmill.serving.command, gistmill.training.cli"
    code = f"import sys, {commands}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "gistmill.core.manifest" in loaded and not {name.partition(".")[0] for name in loaded} & {
        *FOLDERS.split("|")
    }


def test_a_circle_is_found():
    assert circle({"a": {"b"}, "b": {"c"}, "c": {"d", "b"}, "d": set()}) == ["b", "c"]
    assert circle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


@pytest.mark.parametrize(
    "source",
    [
        "import a.b",
        "from a.b import c",
        "from a import b",
        "def f():\n    from a.b import c",
        "if TYPE_CHECKING:\n    from a.b import c",
    ],
)
def test_every_form_of_import_is_seen(source):
    assert imported_modules(source, {"a", "a.b"}) == {"a.b"}


def test_a_package_itself_can_be_imported():
    assert imported_modules("from a import name\nfrom os import path", {"a", "a.b"}) == {"a"}


# What opens URLs of HTTP, and the modules that may: the first has the rules for redirects and messages, the second
# follows no redirect.
OPEN_URLS = {"requests", "urllib3", "urllib.request", "http.client", "httpx", "aiohttp", "ftplib", "fsspec"}
MAY_OPEN_URLS = {"gistmill.pipelines.web", "gistmill.transforms.translation.endpoint"}


def opens_urls(source: str) -> set[str]:
    """Those of the modules above that a source imports."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found |= {node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)}
    return {name for name in OPEN_URLS if any(f"{full}.".startswith(f"{name}.") for full in found)}


def test_urls_are_opened_in_one_place():
    paths = [path for room in (*MAY_IMPORT, "deploy", "corpora") for path in modules(room)]
    opening = {module_name(path) for path in paths if opens_urls(path.read_text(encoding="utf-8"))}
    assert opening == MAY_OPEN_URLS


@pytest.mark.parametrize(
    "source",
    [
        "import requests",
        "from requests.adapters import HTTPAdapter",
        "import urllib.request",
        "from urllib import request",
        "def f():\n    from http.client import HTTPConnection",
        "from http import client",
    ],
)
def test_every_way_to_open_a_url_is_seen(source):
    assert opens_urls(source)
    assert not opens_urls("from urllib.parse import urlsplit\nfrom http import HTTPStatus\nimport http.server")
