"""The settings of a cluster, and Flink's configuration files that are made of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

LOGGING = """\
rootLogger.level = INFO
rootLogger.appenderRef.console.ref = Console
appender.console.name = Console
appender.console.type = CONSOLE
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %d{HH:mm:ss,SSS} %-5p %c{1} - %m%n
"""


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


def flink_config(settings: Settings, state: Path) -> str:
    """Returns Flink's configuration of a cluster with its temporary files in the folder ``state``."""
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
