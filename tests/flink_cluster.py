"""A real Flink cluster on this machine with Beam's job server, for the tests marked ``flink``: its programs are downloaded
once and compared with deploy/flink/versions.toml."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from gistmill.published.files import cache
from tests.dumps import pages, write_multistream
from tests.stores import free_port

DEPLOY = Path(__file__).parents[1] / "deploy" / "flink"
VERSIONS = tomllib.loads((DEPLOY / "versions.toml").read_text(encoding="utf-8"))
NEEDS_FLINK = [
    pytest.mark.waits,
    pytest.mark.slow,
    pytest.mark.flink,
    pytest.mark.skipif(not (shutil.which("java") and shutil.which("mvn")), reason="needs Java and Maven"),
]
# The cluster has the settings of compose.yaml, except for addresses and ports.
SERVICES = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))["services"]
PROPERTIES = yaml.safe_load(SERVICES["jobmanager"]["environment"]["FLINK_PROPERTIES"])
JAVA_OPENS = SERVICES["job-server"]["environment"]["JDK_JAVA_OPTIONS"].split()
JOB_SERVER = "org.apache.beam.runners.flink.FlinkJobServerDriver"
# The first compiler is enough for so little Java: up to the end of a small job, all processes together took 27 s of
# processor time in place of 66 s.
_JAVA_LIGHT = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
_JOB_MANAGER = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
_TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
_LOGGING = """\
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
"""


def installed() -> Path:
    """Returns the folder with Flink and the job server; downloads by pip and Maven what is missing."""
    home = cache(f"flink-{VERSIONS['flink']['version']}-beam-{VERSIONS['job_server']['version']}")
    home.mkdir(parents=True, exist_ok=True)
    for name, install in (("flink", _install_flink), ("beam", _install_job_server)):
        if not (home / name).is_dir():
            with tempfile.TemporaryDirectory(prefix=f".{name}-", dir=home) as folder:
                (Path(folder) / "made").mkdir()
                install(Path(folder) / "made")
                (Path(folder) / "made").rename(home / name)
    return home


def _install_flink(target: Path) -> None:
    """The source archive of the PyPI package holds Flink's jars."""
    wanted = VERSIONS["flink"]
    requirement = target.parent / "requirements.txt"
    requirement.write_text(f"{wanted['package']}=={wanted['version']} --hash=sha256:{wanted['sha256']}\n", "utf-8")
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes"]
    pip += ["--no-build-isolation", "--dest", str(target.parent), "--requirement", str(requirement)]
    subprocess.run(pip, check=True)
    (archive,) = target.parent.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        tar.extractall(target.parent, filter="data")
    (deps,) = target.parent.glob("*/deps")
    for name in ("lib", "bin", "plugins"):
        shutil.move(deps / name, target / name)


def _install_job_server(target: Path) -> None:
    maven = ["mvn", "--quiet", "--batch-mode", "--file", str(DEPLOY / "pom.xml"), "dependency:copy-dependencies"]
    subprocess.run([*maven, "-DincludeScope=runtime", f"-DoutputDirectory={target}"], check=True)
    found = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in target.glob("*.jar")}
    assert found == VERSIONS["job_server"]["jars"]


class Cluster:
    """A job manager, two task managers with a slot each, and a job server, at free ports; all files are in ``state``."""

    def __init__(self, state: Path, *, restarts: int = 10) -> None:
        self.state = state
        self.home = installed()
        self.rest_port, self.rpc_port, self.job_port, self.artifact_port = (free_port() for _ in range(4))
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        for folder in ("conf", "log", "tmp"):
            (state / folder).mkdir(parents=True)
        (state / "conf" / "log4j.properties").write_text(_LOGGING, "utf-8")
        config = "".join(f"{key}: {value}\n" for key, value in self._config(restarts).items())
        (state / "conf" / "config.yaml").write_text(config, "utf-8")

    def _config(self, restarts: int) -> Mapping[str, object]:
        loopback = ("jobmanager.rpc.address", "jobmanager.bind-host", "taskmanager.host", "taskmanager.bind-host")
        return {
            **{key: value for key, value in PROPERTIES.items() if key != "blob.server.port"},
            **dict.fromkeys((*loopback, "rest.address", "rest.bind-address"), "127.0.0.1"),
            **dict.fromkeys(("io.tmp.dirs", "blob.storage.directory"), self.state / "tmp"),
            "jobmanager.rpc.port": self.rpc_port,
            "rest.port": self.rest_port,
            "restart-strategy.fixed-delay.attempts": restarts,
            # a task manager that was killed is missed after ten seconds, not after fifty
            "heartbeat.interval": 2000,
            "heartbeat.timeout": 10000,
        }

    @property
    def jars(self) -> list[Path]:
        """The jars of all processes. Beam's are among them: loaded for each job, they would make Flink start the Python
        workers again with every stage."""
        return [*sorted((self.home / "flink" / "lib").glob("*.jar")), *sorted((self.home / "beam").glob("*.jar"))]

    def start(self, name: str) -> None:
        """Starts the process of this name; it has a process group of its own, which its workers are in too."""
        conf = self.state / "conf"
        if name == "job-server":
            jvm = ["-Xmx512m"]
            main = [JOB_SERVER, f"--flink-master=127.0.0.1:{self.rest_port}", "--job-host=127.0.0.1"]
            main += [f"--job-port={self.job_port}", f"--artifact-port={self.artifact_port}", "--expansion-port=-1"]
            main += [f"--artifacts-dir={self.state / 'tmp'}", f"--flink-conf-dir={conf}"]
        elif name == "job-manager":
            jvm, dynamic = self._memory("GET_JM_RESOURCE_PARAMS")
            main = [_JOB_MANAGER, "--configDir", str(conf), *dynamic]
        else:
            jvm, dynamic = self._memory("GET_TM_RESOURCE_PARAMS")
            main = [_TASK_MANAGER, "--configDir", str(conf), *dynamic]
            main += ["-D", f"taskmanager.resource-id={name}-{time.time_ns()}"]
        command = ["java", *_JAVA_LIGHT, *jvm, *JAVA_OPENS, f"-Dlog4j.configurationFile={conf / 'log4j.properties'}"]
        command += ["-cp", os.pathsep.join(map(str, self.jars)), *main]
        folders = {"FLINK_PLUGINS_DIR": str(self.home / "flink" / "plugins"), "FLINK_CONF_DIR": str(conf)}
        with (self.state / "log" / f"{name}.log").open("ab") as log:
            self._processes[name] = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **folders},
                start_new_session=True,
            )

    def _memory(self, question: str) -> tuple[list[str], list[str]]:
        """Flink's own computation of a process's memory: JVM options, and settings for its command line."""
        utils = self.home / "flink" / "bin" / "bash-java-utils.jar"
        command = ["java", "-cp", os.pathsep.join(map(str, [utils, *self.jars]))]
        command += [
            "org.apache.flink.runtime.util.bash.BashJavaUtils",
            question,
            "--configDir",
            str(self.state / "conf"),
        ]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        answers = (line.partition("BASH_JAVA_UTILS_EXEC_RESULT:") for line in done.stdout.splitlines())
        jvm, dynamic = (answer.split() for _, mark, answer in answers if mark)
        return jvm, dynamic

    def wait(self) -> None:
        """Waits until both task managers are registered and the job server answers."""
        until = time.monotonic() + 120
        while not self._ready():
            assert [name for name, p in self._processes.items() if p.poll() is not None] == [], self.state / "log"
            assert time.monotonic() < until, self.state / "log"
            time.sleep(0.3)

    def _ready(self) -> bool:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.job_port)):
            return len(self.rest("/taskmanagers")["taskmanagers"]) == 2
        return False

    def kill(self, name: str) -> None:
        """Kills a process, as a machine is lost: with the workers that it has started."""
        process = self._processes.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Ends everything that was started."""
        for process in reversed(self._processes.values()):
            process.terminate()
        for name, process in list(self._processes.items()):
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(15)
            with contextlib.suppress(ProcessLookupError):
                self.kill(name)

    def rest(self, path: str) -> Any:
        """Asks Flink's REST API; ``path`` begins with a slash."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.rest_port}{path}", timeout=10) as answer:
            return json.load(answer)

    def jobs(self) -> list[dict[str, Any]]:
        """Returns all jobs that the cluster knows, the last started at the end."""
        return sorted(self.rest("/jobs/overview")["jobs"], key=lambda j: j["start-time"])

    def last_job(self) -> dict[str, Any]:
        """Returns what Flink tells of the job that was started last."""
        return self.rest(f"/jobs/{self.jobs()[-1]['jid']}")

    def reads(self, before: set[str]) -> bool:
        """Whether a job that is not among ``before`` has come so far that its workers run."""
        for job in self.jobs():
            if job["jid"] not in before and job["state"] == "RUNNING":
                parts = [v for v in self.rest(f"/jobs/{job['jid']}")["vertices"] if "Read" in v["name"]]
                return any(v["status"] == "RUNNING" and v["duration"] > 3000 for v in parts)
        return False

    @property
    def environment(self) -> dict[str, str]:
        """What deploy/flink/submit is told of the cluster; ``gistmill`` is that of this environment."""
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        places = {"JOB_ENDPOINT": f"127.0.0.1:{self.job_port}", "FLINK_MASTER": f"127.0.0.1:{self.rest_port}"}
        return {**os.environ, "PATH": path, "PARALLELISM": "2", **places}


@contextmanager
def started(state: Path, *, restarts: int = 10) -> Iterator[Cluster]:
    """A cluster of two task managers, which is stopped in the end."""
    cluster = Cluster(state, restarts=restarts)
    try:
        for name in ("job-manager", "task-manager-1", "task-manager-2", "job-server"):
            cluster.start(name)
        cluster.wait()
        yield cluster
    finally:
        cluster.stop()


def submitted(job: str, source: object, output: object, *options: str) -> Sequence[str]:
    """Returns what a user types to run a job on the cluster; ``source`` is None for a job that reads nothing."""
    read = [] if source is None else ["--input", str(source)]
    return [str(DEPLOY / "submit"), job, *read, "--output", str(output), *options]


def forty_articles(path: Path, *, padding: int = 0) -> Path:
    """Writes a dump of forty articles, half a minute of work for two; with ``padding`` one has as many words more."""
    articles = set(sorted((p for p in pages() if b"<redirect" not in p), key=len)[20:60])
    chosen = [p for p in pages() if p in articles]
    if padding:
        chosen[7] = chosen[7].replace(b"</text>", b"&lt;!--" + b" padding" * padding + b"--&gt;</text>")
    return write_multistream(path, chosen, pages_per_stream=2, index=False)  # one stream of so few would be one range
