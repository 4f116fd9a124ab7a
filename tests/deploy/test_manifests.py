"""The manifests of deploy/ fit the schemas and find their own pods; deploy/flink/flinkdeployment.yaml stands for the cluster
of kubernetes.yaml."""

from __future__ import annotations

import copy
from pathlib import Path

import jsonschema
import kubernetes_validate
import pytest
import yaml

from tests.deploy.manifests import FLINK, MAIN, MANIFESTS, find, of_the_cluster, pods, resources

SCHEMA = Path(__file__).parents[1] / "data" / "flinkdeployment.schema.yaml"
# Sidecars that end with their pod came with 1.29, and failure policies of jobs are stable since 1.31.
OLDEST = {"training": "1.31"}


def manifest(kind, name):
    return find(FLINK / "kubernetes.yaml", kind, name)


@pytest.fixture
def deployment():
    return find(FLINK / "flinkdeployment.yaml", "FlinkDeployment")


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_manifests_fit_the_schemas(path):
    for version in OLDEST.get(path.parent.name, "1.29"), kubernetes_validate.latest_version():
        for resource in (r for r in resources(path) if r["kind"] != "FlinkDeployment"):
            kubernetes_validate.validate(resource, version, strict=True)
            with pytest.raises(kubernetes_validate.ValidationError):
                kubernetes_validate.validate({**resource, "specs": {}}, version, strict=True)


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_selectors_find_their_pods(path):
    labels = [pod["metadata"]["labels"] for pod in pods(resources(path)) if "labels" in pod.get("metadata", {})]
    for resource in resources(path):
        selector = resource.get("spec", {}).get("selector", {})
        wanted = selector.get("matchLabels", selector)
        if resource["kind"] in ("Deployment", "Service", "PodDisruptionBudget"):
            assert len([found for found in labels if wanted.items() <= found.items()]) == 1, resource["metadata"]


def strict(schema):
    """The schema, in which a field that it does not name is refused, as ``kubectl apply`` does."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {} if "properties" not in schema else {"additionalProperties": False}
    return closed | {key: strict(value) for key, value in schema.items()}


def test_it_fits_the_schema_of_the_operator(deployment):
    schema = strict(yaml.safe_load(SCHEMA.read_text(encoding="utf-8")))
    assert (deployment["apiVersion"], len(list(pods(deployment)))) == ("flink.apache.org/v1beta1", 2)
    jsonschema.validate(deployment["spec"], schema)
    for pod in pods(deployment):
        whole = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod", **pod["metadata"]}, "spec": pod["spec"]}
        kubernetes_validate.validate(whole, kubernetes_validate.latest_version(), strict=True)
    for field, value in (("flinkVersion", "v1_21"), ("mode", "session"), ("images", "flink")):
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({**deployment["spec"], field: value}, schema)


def test_it_replaces_the_cluster_and_nothing_else():
    applied = sorted(r["kind"] for r in resources(FLINK / "flinkdeployment.yaml"))
    assert applied == ["FlinkDeployment", "Job", *["NetworkPolicy"] * 2, "PersistentVolumeClaim", "Service"]
    left_out = [r["kind"] for r in resources(FLINK / "kubernetes.yaml") if of_the_cluster(r)]
    assert left_out == ["ConfigMap", "Deployment", "Deployment"]


@pytest.mark.parametrize("manager", ["jobmanager", "taskmanager"])
def test_its_pods_are_those_of_the_manifest(deployment, manager):
    raw = copy.deepcopy(manifest("Deployment", f"gistmill-{manager}")["spec"]["template"])
    (made,) = (p for p in pods(deployment) if p["metadata"]["labels"]["component"] == manager)
    assert raw["metadata"] == made["metadata"]
    # the operator mounts the configuration itself
    del raw["spec"]["initContainers"]
    raw["spec"]["volumes"] = [v for v in raw["spec"]["volumes"] if v["name"] != "configuration"]
    main, *others = raw["spec"].pop("containers")
    own, *others_made = made["spec"].pop("containers")
    assert others_made == others and made["spec"] == raw["spec"]
    main["volumeMounts"] = [m for m in main["volumeMounts"] if m["name"] != "configuration"]
    # what is left out is what the operator sets: command, ports, resources
    assert own == {"name": MAIN} | {key: main[key] for key in ("image", "securityContext", "volumeMounts")}


def test_it_is_set_up_as_the_manifest_is(deployment):
    raw = yaml.safe_load(manifest("ConfigMap", "gistmill-flink")["data"]["properties"])
    spec = deployment["spec"]
    for manager, name in (("jobManager", "jobmanager"), ("taskManager", "taskmanager")):
        assert spec[manager]["resource"]["memory"] == raw.pop(f"{name}.memory.process.size")
        container = manifest("Deployment", f"gistmill-{name}")["spec"]["template"]["spec"]["containers"][0]
        assert f"{spec[manager]['resource']['cpu'] * 1000:.0f}m" == container["resources"]["requests"]["cpu"]
        assert spec[manager]["replicas"] == manifest("Deployment", f"gistmill-{name}")["spec"]["replicas"]
    for set_by_the_operator in ("jobmanager.rpc.address", "blob.server.port"):
        del raw[set_by_the_operator]
    factors = {f"kubernetes.{name}.cpu.limit-factor": "4" for name in ("jobmanager", "taskmanager")}
    assert spec["flinkConfiguration"] == {key: str(value) for key, value in raw.items()} | factors
    assert spec["flinkVersion"] == "v" + "_".join(spec["image"].rpartition(":")[2].split(".")[:2])
