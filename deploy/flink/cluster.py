"""A Flink session cluster on this machine, with Beam's job server: one job manager, some task managers."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from gistmill.deploy.flink.install import Distribution
from gistmill.deploy.flink.processes import Process, Processes
from gistmill.deploy.flink.settings import LOGGING, Settings, flink_config
from gistmill.pipelines.web import ask_near
from gistmill.published.caches import check_owner
from gistmill.published.locks import take

START_SECONDS = 120.0
JOB_MANAGER, JOB_SERVER, SUPERVISOR = "job-manager", "job-server", "supervisor"
# Java passes names and counts on, and much of its time goes into compiling: the first compiler is enough. Up to the end
# of a first small job, all processes together took 27 s of processor time in place of 66 s.
_JAVA_LIGHT = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
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


class ClusterError(RuntimeError):
    """The cluster cannot be started or reached; the text is one line for the user."""


class Cluster:
    """The cluster whose configuration, logs and process numbers lie in the folder ``state``; its programs are those of
    ``distribution``.

    Raises:
        ClusterError: another user could have put something into the folder.
    """

    def __init__(self, state: Path, distribution: Distribution) -> None:
        try:
            check_owner(state)  # what it says is run, and the processes that it names are ended
        except PermissionError as error:
            raise ClusterError(f"{error} by --state") from None
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

    def noted(self) -> list[Process]:
        """The processes that were started and not ended by ``down``, dead or alive."""
        return self._processes.all()

    def processes(self) -> list[Process]:
        """The processes that live."""
        return [p for p in self.noted() if p.lives()]

    def supervised(self) -> bool:
        """Whether the supervisor lives."""
        return any(p.name == SUPERVISOR for p in self.processes())

    def missing(self) -> list[str]:
        """The names of the processes that the cluster should have and that do not live, its supervisor apart."""
        alive = {p.name for p in self.processes()}
        managers = [f"task-manager-{number}" for number in range(1, self.settings.task_managers + 1)]
        return [name for name in (JOB_MANAGER, *managers, JOB_SERVER) if name not in alive]

    def up(self, settings: Settings) -> list[str]:
        """Starts everything, or what is missing of a cluster that has lost its supervisor, and waits until all task
        managers are registered and the job server answers. From then on the supervisor starts again what dies.

        Returns:
            The names of what was started, without the supervisor.

        Raises:
            ClusterError: it runs already, a port is taken, or something did not come up; a new cluster is ended.
        """
        self.state.mkdir(mode=0o700, parents=True, exist_ok=True)
        with self._alone():
            alive = self.processes()
            if self.supervised():
                raise ClusterError(f"a cluster runs already in {self.state} ({len(alive)} processes); `down` ends it")
            if alive:
                self._check_settings(settings)
            else:
                self.down()  # what a cluster that has died has left
                self._prepare(settings)
            missing = self.missing()
            try:
                for name in missing:
                    self.start(name)
                self._wait(settings)
                self._start_supervisor()
            except BaseException:
                if not alive:
                    self.down()
                raise
            return missing

    def down(self) -> list[Process]:
        """Ends what ``up`` started, and nothing else; returns what was still alive."""
        return [*self._processes.stop(SUPERVISOR), *self._processes.stop()]

    def start(self, name: str) -> Process:
        """Starts the process of this name, which is not alive.

        Raises:
            ClusterError: Java is missing, or Flink's settings do not fit.
        """
        if name == JOB_MANAGER:
            return self._start_job_manager()
        if name == JOB_SERVER:
            return self._start_job_server()
        return self._start_task_manager(name)

    def rest(self, path: str) -> Any:
        """Asks Flink's REST API; ``path`` begins with a slash.

        Raises:
            ClusterError: no answer.
        """
        url = f"http://127.0.0.1:{self.settings.rest_port}{path}"
        try:
            return json.loads(ask_near("GET", url, seconds=10))
        except OSError as error:
            raise ClusterError(str(error)) from None
        except ValueError as error:
            raise ClusterError(f"{url} gives no JSON: {error}") from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        lock = take(self.state / "lock")
        if lock is None:
            raise ClusterError(f"another command is starting the cluster in {self.state}")
        try:
            yield
        finally:
            os.close(lock)

    def _check_settings(self, settings: Settings) -> None:
        there = asdict(self.settings)
        others = [f"--{k.replace('_', '-')} {there[k]}" for k, v in asdict(settings).items() if there[k] != v]
        if others:
            raise ClusterError(
                f"the cluster in {self.state} has {', '.join(others)}; say the same, or end it by `down`"
            )

    def _prepare(self, settings: Settings) -> None:
        for name in ("rest_port", "rpc_port", "job_port", "artifact_port"):
            _check_free(getattr(settings, name), name)
        for folder in ("conf", "log", "tmp"):
            (self.state / folder).mkdir(exist_ok=True)
        (self.state / "conf" / "config.yaml").write_text(flink_config(settings, self.state), "utf-8")
        (self.state / "conf" / "log4j.properties").write_text(LOGGING, "utf-8")
        (self.state / "settings.json").write_text(json.dumps(asdict(settings)), "utf-8")

    def _start_supervisor(self) -> None:
        command = [
            sys.executable,
            "-m",
            "gistmill.deploy.flink.supervisor",
            str(self.state),
            str(self.distribution.home),
        ]
        self._processes.start(SUPERVISOR, command, log=self.state / "log" / "supervisor.log", environment=os.environ)

    def _start_task_manager(self, name: str) -> Process:
        jvm, dynamic = self._resources("GET_TM_RESOURCE_PARAMS")
        arguments = [*dynamic, "-D", f"taskmanager.resource-id={name}-{time.time_ns()}"]
        return self._java(name, [*jvm, *_JAVA_OPENS], _TASK_MANAGER, arguments)

    def _start_job_manager(self) -> Process:
        jvm, dynamic = self._resources("GET_JM_RESOURCE_PARAMS")
        return self._java(JOB_MANAGER, [*jvm, *_JAVA_OPENS], _ENTRY, dynamic)

    def _java(self, name: str, jvm: Sequence[str], main: str, arguments: Sequence[str]) -> Process:
        conf = self.state / "conf"
        command = ["java", *_JAVA_LIGHT, *jvm, f"-Dlog4j.configurationFile={conf / 'log4j.properties'}"]
        command += ["-cp", self.distribution.classpath(), main, "--configDir", str(conf), *arguments]
        return self._processes.start(
            name, command, log=self.state / "log" / f"{name}.log", environment=self._environment()
        )

    def _start_job_server(self) -> Process:
        settings = self.settings
        command = ["java", *_JAVA_LIGHT, "-Xmx512m", *_JAVA_OPENS]
        command += [f"-Dlog4j.configurationFile={self.state / 'conf' / 'log4j.properties'}"]
        command += ["-cp", self.distribution.classpath(), _JOB_SERVER]
        command += [f"--flink-master=127.0.0.1:{settings.rest_port}", "--job-host=127.0.0.1"]
        command += [f"--job-port={settings.job_port}", f"--artifact-port={settings.artifact_port}"]
        command += ["--expansion-port=-1", f"--artifacts-dir={self.state / 'tmp'}"]
        command += [f"--flink-conf-dir={self.state / 'conf'}"]
        log = self.state / "log" / f"{JOB_SERVER}.log"
        return self._processes.start(JOB_SERVER, command, log=log, environment=self._environment())

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
            if dead := [p for p in self.noted() if not p.lives() and p.name != SUPERVISOR]:
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


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _check_free(port: int, name: str) -> None:
    if not _is_free(port):
        raise ClusterError(f"port {port} is taken; choose another one with --{name.replace('_', '-')}")
