"""A Flink session cluster on this machine, with Beam's job server: one job manager, some task managers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from deploy.flink.install import Distribution
from deploy.flink.processes import Process, Processes

START_SECONDS = 120.0
_JAVA_OPENS = (
    *(
        f"--add-exports={name}=ALL-UNNAMED"
        for name in ("java.base/sun.net.util", "java.security.jgss/sun.security.krb5")
    ),
    *(
        f"--add-opens=java.base/{name}=ALL-UNNAMED"
        for name in """
        java.lang java.lang.invoke java.lang.reflect java.net java.io java.nio java.text java.time java.util
        java.util.concurrent java.util.concurrent.atomic java.util.concurrent.locks sun.nio.ch
        """.split()
    ),
)
_ENTRY = "org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint"
_TASK_MANAGER = "org.apache.flink.runtime.taskexecutor.TaskManagerRunner"
_JOB_SERVER = "org.apache.beam.runners.flink.FlinkJobServerDriver"
_JAVA_UTILS = "org.apache.flink.runtime.util.bash.BashJavaUtils"
_RESULT = "BASH_JAVA_UTILS_EXEC_RESULT:"
_LOGGING = """\
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
"""


class ClusterError(RuntimeError):
    """The cluster cannot be started or reached; the text is one line for the user."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings of a cluster. Memory in Flink's notation ("1200m"): of the Java processes alone, the Python
    workers come on top.
    """

    task_managers: int = 2
    slots: int = 1
    rest_port: int = 8081
    rpc_port: int = 6123
    job_port: int = 8099
    artifact_port: int = 8098
    job_manager_memory: str = "1200m"
    task_manager_memory: str = "1728m"
    restarts: int = 10


class Cluster:
    """The cluster whose configuration, logs and process numbers lie in the folder ``state``; its programs are those of
    ``distribution``."""

    def __init__(self, state: Path, distribution: Distribution) -> None:
        self.state = state
        self.distribution = distribution
        self._processes = Processes(state / "processes.json")

    @property
    def settings(self) -> Settings:
        """The settings of the running cluster.

        Raises:
            ClusterError: none was started here.
        """
        try:
            return Settings(**json.loads((self.state / "settings.json").read_text("utf-8")))
        except FileNotFoundError:
            raise ClusterError(f"no cluster was started in {self.state}; `up` starts one") from None

    def processes(self) -> list[Process]:
        """The processes that live."""
        return [p for p in self._processes.all() if p.lives()]

    def up(self, settings: Settings) -> None:
        """Starts everything and waits until all task managers are registered and the job server answers.

        Raises:
            ClusterError: it runs already, a port is taken, or something did not come up; what was started is ended.
        """
        if alive := self.processes():
            raise ClusterError(f"a cluster runs already in {self.state} ({len(alive)} processes); `down` ends it")
        for name in ("rest_port", "rpc_port", "job_port", "artifact_port"):
            _check_free(getattr(settings, name), name)
        for folder in ("conf", "log", "tmp"):
            (self.state / folder).mkdir(parents=True, exist_ok=True)
        conf = self.state / "conf"
        (conf / "config.yaml").write_text(_config(settings, self.state), "utf-8")
        (conf / "log4j.properties").write_text(_LOGGING, "utf-8")
        (self.state / "settings.json").write_text(json.dumps(asdict(settings)), "utf-8")
        try:
            self._start_job_manager()
            for number in range(1, settings.task_managers + 1):
                self.start_task_manager(number)
            self._start_job_server(settings)
            self._wait(settings)
        except BaseException:
            self.down()
            raise

    def down(self) -> list[Process]:
        """Ends what ``up`` started, and nothing else; returns what was still alive."""
        return self._processes.stop()

    def rest(self, path: str) -> Any:
        """Asks Flink's REST API; ``path`` begins with a slash.

        Raises:
            ClusterError: no answer.
        """
        url = f"http://127.0.0.1:{self.settings.rest_port}{path}"
        try:
            with _OPENER.open(url, timeout=10) as answer:
                return json.load(answer)
        except (OSError, ValueError) as error:
            raise ClusterError(f"{url} does not answer: {error}") from None

    def start_task_manager(self, number: int) -> Process:
        """Starts (or starts again) the task manager of this number."""
        jvm, dynamic = self._resources("GET_TM_RESOURCE_PARAMS")
        arguments = [*dynamic, "-D", f"taskmanager.resource-id=task-manager-{number}-{time.time_ns()}"]
        return self._java(f"task-manager-{number}", [*jvm, *_JAVA_OPENS], _TASK_MANAGER, arguments)

    def _start_job_manager(self) -> None:
        jvm, dynamic = self._resources("GET_JM_RESOURCE_PARAMS")
        self._java("job-manager", [*jvm, *_JAVA_OPENS], _ENTRY, dynamic)

    def _java(self, name: str, jvm: Sequence[str], main: str, arguments: Sequence[str]) -> Process:
        conf = self.state / "conf"
        command = ["java", *jvm, f"-Dlog4j.configurationFile={conf / 'log4j.properties'}"]
        command += ["-cp", self.distribution.cluster_classpath(), main, "--configDir", str(conf), *arguments]
        return self._processes.start(
            name, command, log=self.state / "log" / f"{name}.log", environment=self._environment()
        )

    def _start_job_server(self, settings: Settings) -> None:
        command = ["java", "-Xmx512m", *_JAVA_OPENS]
        command += [f"-Dlog4j.configurationFile={self.state / 'conf' / 'log4j.properties'}"]
        command += ["-cp", self.distribution.job_server_classpath(), _JOB_SERVER]
        command += [f"--flink-master=127.0.0.1:{settings.rest_port}", "--job-host=127.0.0.1"]
        command += [f"--job-port={settings.job_port}", f"--artifact-port={settings.artifact_port}"]
        command += ["--expansion-port=-1", f"--artifacts-dir={self.state / 'tmp'}"]
        command += [f"--flink-conf-dir={self.state / 'conf'}"]
        log = self.state / "log" / "job-server.log"
        self._processes.start("job-server", command, log=log, environment=self._environment())

    def _environment(self) -> dict[str, str]:
        plugins = {"FLINK_PLUGINS_DIR": str(self.distribution.plugins), "FLINK_CONF_DIR": str(self.state / "conf")}
        return {**os.environ, **plugins}

    def _resources(self, question: str) -> tuple[list[str], list[str]]:
        """Flink's own computation of a process's memory: JVM options, and settings for its command line."""
        classpath = os.pathsep.join(map(str, [self.distribution.java_utils, *self.distribution.flink]))
        command = ["java", "-cp", classpath, _JAVA_UTILS, question, "--configDir", str(self.state / "conf")]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise ClusterError("java is not installed; Flink needs Java 11 or 17") from None
        lines = [line.removeprefix(_RESULT) for line in done.stdout.splitlines() if line.startswith(_RESULT)]
        if len(lines) != 2:
            raise ClusterError(f"Flink cannot settle its memory: {(done.stderr or done.stdout).strip()[-300:]}")
        return lines[0].split(), lines[1].split()

    def _wait(self, settings: Settings) -> None:
        until = time.monotonic() + START_SECONDS
        while True:
            if dead := [p for p in self._processes.all() if not p.lives()]:
                raise ClusterError(f"{dead[0].name} ended; its log is {dead[0].log}")
            ready = self._registered() == settings.task_managers and not _is_free(settings.job_port)
            if ready:
                return
            if time.monotonic() > until:
                raise ClusterError(f"the cluster was not ready after {START_SECONDS:.0f} s; logs: {self.state / 'log'}")
            time.sleep(0.3)

    def _registered(self) -> int:
        try:
            return len(self.rest("/taskmanagers")["taskmanagers"])
        except ClusterError:
            return 0


def _config(settings: Settings, state: Path) -> str:
    values: Mapping[str, object] = {
        "jobmanager.rpc.address": "127.0.0.1",
        "jobmanager.rpc.port": settings.rpc_port,
        "jobmanager.bind-host": "127.0.0.1",
        "jobmanager.memory.process.size": settings.job_manager_memory,
        "taskmanager.host": "127.0.0.1",
        "taskmanager.bind-host": "127.0.0.1",
        "taskmanager.memory.process.size": settings.task_manager_memory,
        "taskmanager.numberOfTaskSlots": settings.slots,
        "rest.address": "127.0.0.1",
        "rest.bind-address": "127.0.0.1",
        "rest.port": settings.rest_port,
        "parallelism.default": settings.task_managers * settings.slots,
        "classloader.resolve-order": "parent-first",
        "restart-strategy.type": "fixed-delay",
        "restart-strategy.fixed-delay.attempts": settings.restarts,
        "restart-strategy.fixed-delay.delay": "1 s",
        # a task manager that was killed is missed after ten seconds, not after fifty
        "heartbeat.interval": 2000,
        "heartbeat.timeout": 10000,
        "io.tmp.dirs": state / "tmp",
        "blob.storage.directory": state / "tmp",
    }
    return "".join(f"{key}: {value}\n" for key, value in values.items())


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _check_free(port: int, name: str) -> None:
    if not _is_free(port):
        raise ClusterError(f"port {port} is taken; choose another one with --{name.replace('_', '-')}")


# Flink is on this machine: a proxy meant for the internet must not stand in the way.
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))
