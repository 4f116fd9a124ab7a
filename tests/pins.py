"""The pins of constraints*.txt, and the hashes of their archives. After a pin was added or raised by hand, ``make pins`` asks
the index for the hashes again:

python -m tests.pins
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.tags import compatible_tags, cpython_tags
from packaging.utils import canonicalize_name, parse_wheel_filename

_ROOT = Path(__file__).parents[1]
FILES = sorted(_ROOT.glob("constraints*.txt"))
_PYTHONS = re.findall(r":: 3\.(\d+)", (_ROOT / "pyproject.toml").read_text(encoding="utf-8"))
_ABIS = {
    (tag.interpreter, tag.abi)
    for minor in map(int, _PYTHONS)
    for tag in (
        *cpython_tags((3, minor), [f"cp3{minor}"], ["any"]),
        *compatible_tags((3, minor), f"cp3{minor}", ["any"]),
    )
}
_PLATFORM = re.compile(r"any|(many)?linux\w*_(x86_64|aarch64)")
# Some pins take no older 3.11 than that of the images.
_OLDEST = "3.11.16"


def pins(text: str) -> dict[str, list[str]]:
    """Returns each requirement of a constraint file, with its marker and without hashes, and its hashes."""
    lines = [line.split("--hash=") for line in text.replace("\\\n", "").splitlines()]
    return {requirement.strip(): [value.strip() for value in hashes] for requirement, *hashes in lines}


def usable(wheel: str) -> bool:
    """Whether one of the supported Pythons takes the wheel of this name, on Linux with glibc on x86-64 or ARM64."""
    *_, tags = parse_wheel_filename(wheel)
    return any((tag.interpreter, tag.abi) in _ABIS and _PLATFORM.fullmatch(tag.platform) for tag in tags)


def hashes(package: dict[str, Any]) -> list[str]:
    """Returns the hashes of what pip may install of a package of pylock.toml: the wheels that are usable, and the source archive
    unless a wheel suits every machine.
    """
    wheels = [wheel for wheel in package.get("wheels", []) if usable(_name(wheel))]
    sources = [] if any(_name(wheel).endswith("-any.whl") for wheel in wheels) else [package.get("sdist")]
    return sorted(f"sha256:{archive['hashes']['sha256']}" for archive in (*wheels, *sources) if archive)


def _name(archive: dict[str, Any]) -> str:
    return str(archive["url"]).rpartition("/")[2].replace("%2B", "+")


def _hashed(text: str) -> str:
    command = [sys.executable, "-m", "uv", "pip", "compile", "--quiet", "--no-deps", "--universal"]
    command += ["--python-version", _OLDEST, "--format", "pylock.toml", "-"]
    asked = pins(text)
    done = subprocess.run(command, input="\n".join(asked), stdout=subprocess.PIPE, check=True, text=True)
    found = {(p["name"], f"=={p['version']}"): hashes(p) for p in tomllib.loads(done.stdout)["packages"]}
    lines = []
    for line in asked:
        pin = Requirement(line)
        lines += [" \\\n    --hash=".join([line, *found[canonicalize_name(pin.name), str(pin.specifier)]])]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    for path in FILES:
        path.write_text(_hashed(path.read_text(encoding="utf-8")), encoding="utf-8")
