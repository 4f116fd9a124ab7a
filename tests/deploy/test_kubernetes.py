"""deploy/flink/kubernetes.yaml: the schemas of Kubernetes, and what has to fit together."""

import re
from xml.etree import ElementTree

import yaml

from gistmill.pipelines.job import RunConfig
from gistmill.pipelines.options import parse
from gistmill.rules.recipes import RECIPES
from gistmill.transforms.steps.clean import MEMORY_LIMIT
from tests.deploy import manifests
from tests.deploy.manifests import FLINK
from tests.flink_cluster import JAVA_OPENS, JOB_SERVER, PROPERTIES, SERVICES, VERSIONS

MANIFEST = FLINK / "kubernetes.yaml"


def find(kind, name):
    return manifests.find(MANIFEST, kind, f"gistmill-{name}")


def pods():
    found = manifests.resources(MANIFEST)
    return {r["metadata"]["name"]: r["spec"]["template"] for r in found if "template" in r.get("spec", {})}


def containers(pod):
    return {c["name"]: c for c in [*pod["spec"]["containers"], *pod["spec"].get("initContainers", ())]}


def amount(text):
    """Bytes of a quantity of memory."""
    number, unit = re.fullmatch(r"(\d+)(Mi|Gi|m|g)", text).groups()
    return int(number) << {"m": 20, "g": 30}[unit[0].lower()]


def test_every_task_manager_has_a_worker_pool_of_its_own():
    pods_with_pool = [
        n for n, p in pods().items() if any("--worker_pool" in c.get("args", ()) for c in containers(p).values())
    ]
    assert pods_with_pool == ["gistmill-taskmanager"]
    task_manager = containers(pods()["gistmill-taskmanager"])
    assert set(task_manager) == {"configuration", "taskmanager", "worker-pool"}
    (port,) = task_manager["worker-pool"]["ports"]
    assert f"--environment_config=localhost:{port['containerPort']}" in driver()["args"]
    # no service leads to a pool
    assert find("Service", "jobmanager")["spec"]["selector"]["component"] != "taskmanager"


def driver():
    return containers(pods()["gistmill-discofuse"])["gistmill"]


def test_the_driver_runs_a_command_that_gistmill_reads():
    assert driver()["command"] == ["gistmill"]
    job, *arguments = driver()["args"]
    parsed = parse(RECIPES[job], arguments)
    assert parsed.config.of(RunConfig).resume
    server = containers(pods()["gistmill-discofuse"])["job-server"]
    port = next(a for a in server["command"] if a.startswith("--job-port=")).partition("=")[2]
    assert f"--job_endpoint=localhost:{port}" in parsed.beam
    assert "--environment_cache_millis=60000" in parsed.beam


def test_all_slots_are_used():
    flink = yaml.safe_load(find("ConfigMap", "flink")["data"]["properties"])
    slots = find("Deployment", "taskmanager")["spec"]["replicas"] * flink["taskmanager.numberOfTaskSlots"]
    assert f"--parallelism={slots}" in driver()["args"]


def test_flink_is_set_up_as_the_cluster_that_was_run():
    flink = yaml.safe_load(find("ConfigMap", "flink")["data"]["properties"])
    assert flink == PROPERTIES | {"jobmanager.rpc.address": find("Service", "jobmanager")["metadata"]["name"]}
    assert flink["classloader.resolve-order"] == "parent-first"
    served = {p["port"] for p in find("Service", "jobmanager")["spec"]["ports"]}
    assert served == {6123, flink["blob.server.port"], 8081}
    server = containers(pods()["gistmill-discofuse"])["job-server"]
    places = {"--flink-master=jobmanager:8081": "gistmill-jobmanager:8081", "--job-host=job-server": "localhost"}
    of_compose = [
        f"{w.partition('=')[0]}={places[w]}" if w in places else w for w in SERVICES["job-server"]["entrypoint"]
    ]
    assert server["command"] == of_compose and JOB_SERVER in of_compose
    assert server["env"][0]["value"].split() == JAVA_OPENS


def test_memory_is_requested_for_every_container():
    flink = yaml.safe_load(find("ConfigMap", "flink")["data"]["properties"])
    for pod in pods().values():
        for name, container in containers(pod).items():
            given = container["resources"]
            assert amount(given["requests"]["memory"]) <= amount(given["limits"]["memory"])
            assert given["requests"]["cpu"] and "cpu" not in given["limits"]
            if name in ("jobmanager", "taskmanager"):
                assert amount(given["limits"]["memory"]) == amount(flink[f"{name}.memory.process.size"])
    pool = containers(pods()["gistmill-taskmanager"])["worker-pool"]["resources"]
    assert amount(pool["limits"]["memory"]) > amount(pool["requests"]["memory"]) + MEMORY_LIMIT


def test_everything_that_stages_or_reads_mounts_the_shared_claim():
    for pod in pods().values():
        (volume,) = (v for v in pod["spec"]["volumes"] if "persistentVolumeClaim" in v)
        assert (
            volume["persistentVolumeClaim"]["claimName"] == find("PersistentVolumeClaim", "shared")["metadata"]["name"]
        )
        for name, container in containers(pod).items():
            shared = {"name": volume["name"], "mountPath": "/shared"}
            assert (shared in container["volumeMounts"]) == (name != "configuration")


def test_flinks_entry_point_can_write_its_configuration():
    """It adds FLINK_PROPERTIES to the files of the image, whose file system is read-only."""
    for name in ("jobmanager", "taskmanager"):
        pod = containers(pods()[f"gistmill-{name}"])
        *_, source, target = pod["configuration"]["command"]
        ((volume, place),) = ((m["name"], m["mountPath"]) for m in pod["configuration"]["volumeMounts"])
        assert target == place and pod["configuration"]["image"] == pod[name]["image"]
        assert {"name": volume, "mountPath": source.removesuffix("/.")} in pod[name]["volumeMounts"]
        assert "command" not in pod[name]  # the image's entry point runs


def test_images_are_of_the_versions_that_were_run():
    images = {c["image"].rpartition("/")[2] for p in pods().values() for c in containers(p).values()}
    assert images == {"gistmill:0.1.0", f"gistmill-flink:{VERSIONS['flink']['version']}"}
    dockerfile = (FLINK / "Dockerfile").read_text(encoding="utf-8")
    assert f"FROM flink:{VERSIONS['flink']['version']}-" in dockerfile
    (server,) = ElementTree.parse(FLINK / "pom.xml").iterfind(".//{*}dependency")
    named = [server.findtext(f"{{*}}{key}") for key in ("groupId", "artifactId", "version")]
    assert named == [VERSIONS["job_server"][key] for key in ("group", "artifact", "version")]
