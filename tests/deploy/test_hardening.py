"""Every pod of deploy/ and every image: a user without rights, a file system that is not written but where it is said,
and no connections but those that are named."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.deploy.dockerfiles import instructions, last_stage
from tests.deploy.manifests import DEPLOY, MANIFESTS, pods, resources

DOCKERFILES = sorted(DEPLOY.rglob("Dockerfile"))
# Why a stage has root: the comment in the file says the same.
ROOT = {("deploy", "dataflow")}
USER = re.compile(r"[1-9][0-9]*:[1-9][0-9]*")


def faults(pod: dict[str, Any]) -> Iterator[str]:
    """What a pod lacks, in words."""
    spec = pod["spec"]
    rights, volumes = spec.get("securityContext", {}), {v["name"]: v for v in spec.get("volumes", ())}
    if spec.get("automountServiceAccountToken") is not False:
        yield "it gets a token of the cluster"
    if rights.get("runAsNonRoot") is not True:
        yield "it may run as root"
    if not all(
        isinstance(rights.get(name), int) and rights[name] > 0 for name in ("runAsUser", "runAsGroup", "fsGroup")
    ):
        yield "no user is named"
    if rights.get("seccompProfile") != {"type": "RuntimeDefault"}:
        yield "every system call is allowed"
    if (
        spec.get("hostNetwork")
        or spec.get("hostPID")
        or spec.get("hostIPC")
        or any("hostPath" in v for v in volumes.values())
    ):
        yield "it reaches into the machine"
    for container in (*spec.get("initContainers", ()), *spec["containers"]):
        own, name = container.get("securityContext", {}), container["name"]
        if own.get("allowPrivilegeEscalation") is not False or own.get("privileged"):
            yield f"{name} may gain rights"
        if own.get("readOnlyRootFilesystem") is not True:
            yield f"{name} may write everywhere"
        if own.get("capabilities") != {"drop": ["ALL"]}:
            yield f"{name} has capabilities"
        if own.keys() & rights.keys():
            yield f"{name} has a user of its own"
        places = {
            m["mountPath"]: volumes[m["name"]] for m in container.get("volumeMounts", ()) if not m.get("readOnly")
        }
        if name != "configuration" and "emptyDir" not in places.get("/tmp", {}):
            yield f"{name} has no /tmp"
        if any(not v.keys() & {"emptyDir", "persistentVolumeClaim"} for v in places.values()):
            yield f"{name} may write to what is not its own"


def selects(policy: dict[str, Any], labels: dict[str, str]) -> bool:
    selector = policy["spec"]["podSelector"]
    wanted = {k: [v] for k, v in selector.get("matchLabels", {}).items()}
    wanted |= {e["key"]: e["values"] for e in selector.get("matchExpressions", ()) if e["operator"] == "In"}
    return bool(wanted) and all(labels.get(key) in values for key, values in wanted.items())


def open_pods(found: list[dict[str, Any]]) -> list[str]:
    """The pods for which no policy says both what reaches them and what they reach."""
    policies = [r for r in found if r["kind"] == "NetworkPolicy"]
    return [
        str(pod["metadata"]["labels"])
        for pod in pods(found)
        if not any(
            selects(p, pod["metadata"]["labels"]) and p["spec"]["policyTypes"] == ["Ingress", "Egress"]
            for p in policies
        )
    ]


def test_all_manifests_and_images_are_looked_at():
    assert [str(p.relative_to(DEPLOY)) for p in MANIFESTS] == [
        "flink/flinkdeployment.yaml",
        "flink/kubernetes.yaml",
        "schedules/kubernetes.yaml",
        "serving/kubernetes.yaml",
        "training/kubernetes.yaml",
    ]
    assert [len(list(pods(resources(p)))) for p in MANIFESTS] == [3, 3, 1, 1, 1] and len(DOCKERFILES) == 4


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_no_pod_has_more_rights_than_it_needs(path):
    assert [fault for pod in pods(resources(path)) for fault in faults(pod)] == []


@pytest.mark.parametrize("path", MANIFESTS, ids=lambda p: f"{p.parent.name}-{p.stem}")
def test_what_a_pod_reaches_and_who_reaches_it_is_said(path):
    found = resources(path)
    assert open_pods(found) == []
    without = [r for r in found if r["kind"] != "NetworkPolicy"]
    assert len(open_pods(without)) == len(list(pods(found)))
    for policy in (r["spec"] for r in found if r["kind"] == "NetworkPolicy"):
        for rule in (*policy["ingress"], *policy.get("egress", ())):
            assert rule.get("ports") or all(
                set(peer) == {"podSelector"} for peer in rule["from" if "from" in rule else "to"]
            )


@pytest.mark.parametrize("path", DOCKERFILES, ids=lambda p: p.parent.name)
def test_an_image_has_a_user_by_number(path):
    found = instructions(path)
    built = [None, *(rest.partition(" AS ")[2] for word, rest in found if word == "FROM")]
    outer = {rest.split("=")[1].split()[0] for word, rest in found if word == "COPY" and rest.startswith("--from=")}
    based = {rest.split()[0] for word, rest in found if word == "FROM"}
    for target in (t for t in built if t != "" and t not in outer | based):
        users = [rest for word, rest in last_stage(found, target) if word == "USER"]
        if (path.parent.name, target) in ROOT:
            assert users == []
        else:
            assert users and USER.fullmatch(users[-1]), target


def test_a_pod_runs_as_the_user_of_its_images():
    of_image = {
        path.parent.name: [rest for word, rest in last_stage(instructions(path)) if word == "USER"][-1]
        for path in DOCKERFILES
    }
    names = {"gistmill": "deploy", "gistmill-flink": "flink", "gistmill-serve": "serving", "gistmill-train": "training"}
    for path in MANIFESTS:
        for spec in (pod["spec"] for pod in pods(resources(path))):
            rights = spec["securityContext"]
            user = f"{rights['runAsUser']}:{rights['runAsGroup']}"
            for container in (*spec.get("initContainers", ()), *spec["containers"]):
                image = container["image"].rpartition("/")[2].partition(":")[0]
                assert of_image[names[image]] == user and rights["fsGroup"] == rights["runAsGroup"]


def test_where_beams_boot_program_writes_is_writable():
    """It writes options to its working directory, and makes a virtual environment for each worker unless it is told not to."""
    made = last_stage(instructions(DEPLOY / "Dockerfile"))
    assert [rest for word, rest in made if word == "WORKDIR"][-1] == "/tmp"
    assert ("ENV", "RUN_PYTHON_SDK_IN_DEFAULT_ENVIRONMENT=1") in made
    (pool,) = (
        c
        for pod in pods(resources(DEPLOY / "flink" / "kubernetes.yaml"))
        for c in pod["spec"]["containers"]
        if "--worker_pool" in c.get("args", ())
    )
    assert "workingDir" not in pool and "/tmp" in {m["mountPath"] for m in pool["volumeMounts"]}
