"""The packages: core <- rules <- transforms <- pipelines <- gistmill, rules <- published <- pipelines; training -> rules,
published; serving -> gistmill, transforms; explorer -> gistmill, published. All may import core. No import goes the other
way, and only serving and explorer import gistmill."""

import ast
import json
import re
import subprocess
import sys
import tomllib
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from gistmill.core.extras import EXTRA_OF

ROOT = Path(__file__).resolve().parents[2]
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


def package_of(name: str) -> str:
    """The folder that holds a module below gistmill, or the package of any other module."""
    package, _, inner = name.partition(".")
    folder = inner.partition(".")[0]
    return folder if package == "gistmill" and folder and (ROOT / folder).is_dir() else package


def imports(path: Path) -> set[str]:
    """What a file imports, also inside functions and for type checking alone: modules, and names as MODULE.NAME."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide which package is meant"
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def imported_roots(path: Path) -> set[str]:
    """The packages that a file imports."""
    return set(map(package_of, imports(path)))


def modules(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def test_imports_go_one_way():
    known = {*MAY_IMPORT, "benchmarks", "research", "tests"}
    for package in (*MAY_IMPORT, "corpora", "deploy"):
        may = MAY_IMPORT.get(package, set(MAY_IMPORT))
        assert modules(package)
        for path in modules(package):
            wrong = (imported_roots(path) & known) - may
            assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_benchmarks_only_measure():
    assert modules("research")
    for path in modules("benchmarks"):
        assert not imported_roots(path) & {"research", "tests"}, path


def test_core_and_rules_are_pure():
    for path in (*modules("core"), *modules("rules")):
        may = {"google"} if path.name == "tf_example.py" else set()  # protobuf
        wrong = (imported_roots(path) & FORBIDDEN_IN_CORE_AND_RULES) - may
        assert not wrong, f"{path.relative_to(ROOT)} imports {sorted(wrong)}"


def test_reading_a_dataset_loads_nothing_heavy():
    code = (
        "import json, sys, gistmill.published.dataset, gistmill.published.files, gistmill.published.checks\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = {package_of(name) for name in json.loads(done.stdout)}
    assert "published" in loaded and not loaded & {"apache_beam", "spacy", "pyarrow", "numpy", "yaml", "transforms"}


def test_functions_on_texts_load_nothing_of_an_extra():
    commands = "cli, fuse, propositions, push, splitting, texts".replace(", ", ", gistmill.pipelines.")
    code = (
        f"import sys, gistmill.recipes, gistmill.integrations.chunks, gistmill.integrations.spacy, gistmill.pipelines.{commands}\n"
        "import gistmill.rules.wiki.wikitext, gistmill.rouge, gistmill.transforms.steps.annotator\n"
        "print(*sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    # spaCy and what it brings load these where they are installed
    assert not (EXTRA_OF.keys() - {"requests", "urllib3", "zstandard"}) & {
        name.partition(".")[0] for name in done.stdout.split()
    }


# Packages that are looked for before they are imported, or that another one brings.
OTHERS = set(
    "IPython boto3 botocore brotli courlan datasets grpc htmldate huggingface_hub onnx onnxruntime pandas polars "
    "pydantic pydantic_core sacremoses sentencepiece thinc tokenizers torch transformers".split()
)
DISTRIBUTIONS = {"google": "protobuf", "yaml": "pyyaml"}


def test_every_package_is_asked_for_or_its_extra_is_known():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]

    def asked(requirements: list[str]) -> set[str]:
        return {re.split(r"[^\w-]", line)[0].lower().replace("-", "_") for line in requirements}

    known = {distribution: module for module, distribution in DISTRIBUTIONS.items()}
    base = {known.get(name, name) for name in asked(project["dependencies"])}
    paths = [path for package in (*list(MAY_IMPORT)[:5], "explorer", "serving") for path in modules(package)]
    imported = {root for path in paths for root in imported_roots(path)} - MAY_IMPORT.keys() - sys.stdlib_module_names
    assert imported - base - OTHERS - {"corpora"} == EXTRA_OF.keys()
    for module, extra in EXTRA_OF.items():
        assert module in {known.get(name, name) for name in asked(extras[extra])}, module


def circle(graph: dict[str, set[str]]) -> list[str]:
    """The modules of a circle, in order; none where there is no circle."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return error.args[1]
    return []


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts if parts[0] == "gistmill" else ("gistmill", *parts)).removesuffix(".__init__")


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    """The modules of every package, and what each imports of them."""
    paths = {module_name(path): path for package in (*MAY_IMPORT, "corpora", "deploy") for path in modules(package)}
    # "from package import name" means a module of the package, or the package itself
    named = {module: imports(path) for module, path in paths.items()}
    of = {m: {name if name in paths else name.rpartition(".")[0] for name in found} for m, found in named.items()}
    return {module: (found & paths.keys()) - {module} for module, found in of.items()}


def test_no_circle_of_imports(graph):
    assert len(graph) > 100 and "gistmill.rules.documents" in graph["gistmill.rules.coreference.mentions"]
    assert circle(graph) == []


def by_package(graph: dict[str, set[str]]) -> dict[str, set[str]]:
    """The packages and single modules that lie directly in a package, and what each imports of them."""
    found: dict[str, set[str]] = {}
    for name, imports in graph.items():
        own = ".".join(name.split(".")[:3])
        found.setdefault(own, set()).update({".".join(i.split(".")[:3]) for i in imports} - {own})
    return found


def test_no_circle_of_packages(graph):
    packages = by_package(graph)
    assert "gistmill.rules.text" in packages["gistmill.rules.wiki"]
    assert circle(packages) == []


FOLDERS = "|".join((*sorted(MAY_IMPORT.keys() - {"gistmill"}), "corpora", "deploy"))
WITHOUT_GISTMILL = re.compile(
    rf"(?<![\w.])(from ({FOLDERS})(\.\w[\w.]*)? import\b|(?<!from )(?<![\w.] )import ({FOLDERS})(\.\w|$))", re.M
)


def test_every_import_of_a_package_begins_with_gistmill():
    """In the checkout a package could be imported by the name of its folder too, as a second module of the same file."""
    texts = {
        path: path.read_text(encoding="utf-8")
        for package in ("tests", "benchmarks", "research", "docs", *FOLDERS.split("|"))
        for path in (ROOT / package).rglob("*.*")
        if path.suffix in (".py", ".md", ".ipynb", ".yaml")
    }
    texts |= {path: path.read_text(encoding="utf-8") for path in ROOT.glob("*.md") if path.name != "CHANGELOG.md"}
    assert len(texts) > 1000
    assert {
        str(path.relative_to(ROOT)): m[0] for path, text in texts.items() if (m := WITHOUT_GISTMILL.search(text))
    } == {}


def test_commands_in_the_checkout_load_no_package_by_the_name_of_its_folder():
    commands = "gistmill.pipelines.api, gistmill.explorer.server, gistmill.serving.supervisor, gistmill.training.cli"
    code = f"import sys, {commands}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "gistmill.core.manifest" in loaded and not {name.partition(".")[0] for name in loaded} & {
        *FOLDERS.split("|")
    }


# What opens URLs of HTTP, and the module that may: it has the rules for redirects and messages.
OPEN_URLS = {"requests", "urllib3", "urllib.request", "http.client", "httpx", "aiohttp", "ftplib", "fsspec"}
MAY_OPEN_URLS = {"gistmill.pipelines.web"}


def opens_urls(path: Path) -> bool:
    """Whether a file imports one of the modules above."""
    return any(f"{full}.".startswith(f"{name}.") for full in imports(path) for name in OPEN_URLS)


def test_urls_are_opened_in_one_place():
    paths = [path for package in (*MAY_IMPORT, "deploy", "corpora") for path in modules(package)]
    assert {module_name(path) for path in paths if opens_urls(path)} == MAY_OPEN_URLS
