"""deploy/flink/flinkdeployment.yaml: the CRD of the operator, and the cluster of kubernetes.yaml, which it stands for."""

from __future__ import annotations

import copy
from pathlib import Path

import jsonschema
import kubernetes_validate
import pytest
import yaml

from tests.deploy.manifests import FLINK, MAIN, of_the_cluster, pods, resources

SCHEMA = Path(__file__).parents[1] / "data" / "flinkdeployment.schema.yaml"


def manifest(kind, name):
    (found,) = (r for r in resources(FLINK / "kubernetes.yaml") if (r["kind"], r["metadata"]["name"]) == (kind, name))
    return found


@pytest.fixture
def deployment():
    (found,) = (r for r in resources(FLINK / "flinkdeployment.yaml") if r["kind"] == "FlinkDeployment")
    return found


def strict(schema):
    """The schema, in which a field that it does not name is refused, as ``kubectl apply`` does."""
    if isinstance(schema, list):
        return [strict(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {} if "properties" not in schema else {"additionalProperties": False}
    return closed | {key: strict(value) for key, value in schema.items()}


def fits(deployment):
    jsonschema.validate(deployment["spec"], strict(yaml.safe_load(SCHEMA.read_text(encoding="utf-8"))))
    for pod in pods(deployment):
        whole = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "pod", **pod["metadata"]}, "spec": pod["spec"]}
        kubernetes_validate.validate(whole, kubernetes_validate.latest_version(), strict=True)


def test_it_fits_the_schema_of_the_operator(deployment):
    assert (deployment["apiVersion"], len(list(pods(deployment)))) == ("flink.apache.org/v1beta1", 2)
    fits(deployment)
    for resource in resources(FLINK / "flinkdeployment.yaml"):
        if resource is not deployment and resource["kind"] != "FlinkDeployment":
            kubernetes_validate.validate(resource, kubernetes_validate.latest_version(), strict=True)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("flinkVersion",), "v1_21"),
        (("mode",), "session"),
        (("images",), "flink"),
        (("taskManager", "replicas"), "8"),
        (("taskManager", "resource", "cpu"), "250m"),
        (("jobManager", "resource", "memory"), 1200),
        (("jobManager", "resources"), {}),  # later operators have it
        (("taskManager", "podTemplate", "spec", "container"), []),
        (("taskManager", "podTemplate", "spec", "volumes"), [{"emptyDir": {}}]),
    ],
    ids=lambda v: ".".join(v) if isinstance(v, tuple) else None,
)
def test_what_the_operator_would_refuse_is_seen(deployment, place, value):
    part = deployment["spec"]
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    with pytest.raises((jsonschema.ValidationError, kubernetes_validate.ValidationError)):
        fits(deployment)


def test_it_replaces_the_cluster_and_nothing_else():
    applied = resources(FLINK / "flinkdeployment.yaml")
    assert sorted(r["kind"] for r in applied) == [
        "FlinkDeployment",
        "Job",
        "NetworkPolicy",
        "NetworkPolicy",
        "PersistentVolumeClaim",
        "Service",
    ]
    left_out = [r["kind"] for r in resources(FLINK / "kubernetes.yaml") if of_the_cluster(r)]
    assert left_out == ["ConfigMap", "Deployment", "Deployment"]


def test_the_service_and_the_policies_find_its_pods(deployment):
    """The operator labels them with the resource's own name and the component; the templates say the same."""
    service = manifest("Service", "gistmill-jobmanager")["spec"]["selector"]
    assert service == {"app": deployment["metadata"]["name"], "component": "jobmanager"}
    labels = [pod["metadata"]["labels"] for pod in pods(deployment)]
    assert labels == [{"app": deployment["metadata"]["name"], "component": c} for c in ("jobmanager", "taskmanager")]


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
