"""What the tests on a Flink cluster share: articles to work on, the command as a user types it, and what Flink tells of a
job."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from gistmill.deploy.flink.cluster import Cluster
from gistmill.deploy.flink.install import default_home, install
from gistmill.deploy.flink.settings import Settings
from tests.dumps import pages, write_multistream
from tests.stores import free_port


def started_cluster(state: Path, *, restarts: int = Settings().restarts) -> Cluster:
    """Returns a cluster of two task managers, at ports that are free."""
    made = Cluster(state, install(default_home()))
    made.up(settings_at_free_ports(restarts=restarts))
    return made


def settings_at_free_ports(*, restarts: int = Settings().restarts) -> Settings:
    """Two task managers."""
    return Settings(
        task_managers=2,
        restarts=restarts,
        rest_port=free_port(),
        rpc_port=free_port(),
        job_port=free_port(),
        artifact_port=free_port(),
    )


def forty_articles(path: Path, *, padding: int = 0) -> Path:
    """Writes a dump of forty articles, half a minute of work for two; with ``padding`` one has as many words more."""
    articles = set(sorted((p for p in pages() if b"<redirect" not in p), key=len)[20:60])
    chosen = [p for p in pages() if p in articles]
    if padding:
        chosen[7] = chosen[7].replace(b"</text>", b"&lt;!--" + b" padding" * padding + b"--&gt;</text>")
    return write_multistream(path, chosen, pages_per_stream=2, index=False)  # one stream of so few would be one range


def command(cluster: Cluster, job: str, source: object, output: object, *options: str, before=()) -> list[str]:
    """Returns what a user types to run a job on the cluster; ``source`` is None for a job that reads nothing."""
    own = [sys.executable, "-m", "gistmill.deploy.flink", "submit", "--state", str(cluster.state), *before]
    return [*own, job, *([] if source is None else ["--input", str(source)]), "--output", str(output), *options]


def kill(cluster: Cluster, name: str) -> None:
    """Kills a process of the cluster, and leaves what it has started."""
    (victim,) = [p for p in cluster.processes() if p.name == name]
    os.kill(victim.pid, signal.SIGKILL)


def jobs(cluster: Cluster) -> list[dict]:
    """Returns all jobs that the cluster knows, the last started at the end."""
    return sorted(cluster.rest("/jobs/overview")["jobs"], key=lambda j: j["start-time"])


def last_job(cluster: Cluster) -> dict:
    """Returns what Flink tells of the job that was started last."""
    return cluster.rest(f"/jobs/{jobs(cluster)[-1]['jid']}")


def reads(cluster: Cluster, before: set[str]) -> bool:
    """Whether a job that is not among ``before`` has come so far that its workers run."""
    for job in jobs(cluster):
        if job["jid"] not in before and job["state"] == "RUNNING":
            vertices = cluster.rest(f"/jobs/{job['jid']}")["vertices"]
            running = [v for v in vertices if "Read" in v["name"] and v["status"] == "RUNNING" and v["duration"] > 3000]
            return bool(running)
    return False
