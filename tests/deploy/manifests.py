"""The manifests of deploy/, as the tests look at them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

DEPLOY = Path(__file__).parents[2] / "deploy"
FLINK = DEPLOY / "flink"
MANIFESTS = sorted(p for p in DEPLOY.rglob("*.yaml") if "apiVersion:" in p.read_text(encoding="utf-8"))
MAIN = "flink-main-container"


def resources(path: Path) -> list[dict[str, Any]]:
    """The resources of a file. Those that flinkdeployment.yaml is applied with are among its own, and its main containers
    have the image that the operator gives them.
    """
    found = [r for r in yaml.safe_load_all(path.read_text(encoding="utf-8")) if r]
    for resource in (r for r in found if r["kind"] == "FlinkDeployment"):
        for pod in pods(resource):
            next(c for c in pod["spec"]["containers"] if c["name"] == MAIN)["image"] = resource["spec"]["image"]
        found = [*found, *(r for r in resources(FLINK / "kubernetes.yaml") if not of_the_cluster(r))]
    return found


def of_the_cluster(resource: dict[str, Any]) -> bool:
    """Whether ``kubectl apply --selector cluster!=manifest`` leaves it out."""
    return resource["metadata"]["labels"].get("cluster") == "manifest"


def pods(value: Any) -> Iterator[dict[str, Any]]:
    """The templates of pods in a resource, wherever they stand."""
    if isinstance(value, dict):
        if "containers" in value.get("spec", {}):
            yield value
        for part in value.values():
            yield from pods(part)
    elif isinstance(value, list):
        for part in value:
            yield from pods(part)


def find(path: Path, kind: str, name: str = "") -> dict[str, Any]:
    """The resource of a file that has a kind, and a name if one is given."""
    (found,) = (r for r in resources(path) if r["kind"] == kind and name in ("", r["metadata"]["name"]))
    return found


def only_container(pod: dict[str, Any]) -> dict[str, Any]:
    (found,) = pod["spec"]["containers"]
    return found
