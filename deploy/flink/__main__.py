"""The command ``python -m gistmill.deploy.flink up|submit|status|down``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from gistmill.deploy.flink.cluster import SUPERVISOR, Cluster, ClusterError
from gistmill.deploy.flink.install import Distribution, InstallError, default_home, install
from gistmill.deploy.flink.settings import Settings
from gistmill.deploy.flink.submit import jar_options, portable_options, submit, worker_command

_HELP = {
    "task_managers": "task managers to start",
    "slots": "slots of each task manager",
    "rest_port": "port of Flink's web page and REST API",
    "rpc_port": "port of the job manager",
    "job_port": "port of Beam's job server",
    "artifact_port": "port of the job server's artifact service",
    "job_manager_memory": "memory of the job manager's Java process",
    "task_manager_memory": "memory of each task manager's Java process; the Python workers come on top",
    "restarts": "how often a job is begun again after a failure",
}


def _places(**defaults: Path | None) -> argparse.ArgumentParser:
    """The options that stand before the action or after it. There they have no default, to hide none."""
    parser = argparse.ArgumentParser(add_help=False, argument_default=argparse.SUPPRESS)
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="configuration, logs and process numbers of the cluster (default: .flink)",
    )
    parser.add_argument(
        "--home",
        type=Path,
        metavar="DIR",
        help="where Flink and the job server are, or will be, installed (default: the user's cache)",
    )
    parser.set_defaults(**defaults)
    return parser


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gistmill.deploy.flink",
        description="Starts a Flink cluster with Beam's job server on this machine, submits gistmill jobs to it or to "
        "another one, and ends it.",
        epilog="Example: python -m gistmill.deploy.flink up && python -m gistmill.deploy.flink submit discofuse "
        "--input DUMP.xml.bz2 --output out/corpus && python -m gistmill.deploy.flink down",
        parents=[_places(state=Path(".flink"), home=None)],
    )
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    up = actions.add_parser(
        "up",
        help="start the cluster and the job server, or what has died of them; what is missing is downloaded first",
        parents=[_places()],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    for field in fields(Settings):
        up.add_argument(
            f"--{field.name.replace('_', '-')}", type=type(field.default), default=field.default, help=_HELP[field.name]
        )
    job = actions.add_parser(
        "submit",
        help="run a gistmill job on the cluster",
        parents=[_places()],
        usage="python -m gistmill.deploy.flink submit [--job-endpoint HOST:PORT | --flink-job-server-jar JAR] "
        "[--flink-master HOST:PORT] [--parallelism N] [--worker PATH] [--state DIR] JOB ...",
    )
    job.add_argument("--job-endpoint", metavar="HOST:PORT", help="job server of another cluster")
    job.add_argument(
        "--flink-master",
        metavar="HOST:PORT",
        help="REST address of another cluster: needed if it has no job server, else for Ctrl-C to cancel the job",
    )
    job.add_argument(
        "--flink-job-server-jar",
        metavar="JAR",
        help="job server for --flink-master: of the Beam release and Flink version that run there",
    )
    job.add_argument("--parallelism", type=int, help="slots to use (default: all of the cluster that `up` started)")
    job.add_argument("--worker", help="path of gistmill-worker on the task managers (default: that of this machine)")
    job.add_argument(
        "job", nargs=argparse.REMAINDER, metavar="JOB ...", help="the job and its options, as for gistmill"
    )
    actions.add_parser("status", help="say what runs", parents=[_places()])
    actions.add_parser("down", help="end what `up` started, and nothing else", parents=[_places()])
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command; returns 0 done, 1 failed, 2 wrong command line."""
    arguments = _parser().parse_args(argv)
    try:
        return _ACTIONS[arguments.action](arguments)
    except (ClusterError, InstallError, FileNotFoundError) as error:
        print(f"gistmill.deploy.flink {arguments.action}: {error}", file=sys.stderr)
        return 1


def _cluster(arguments: argparse.Namespace) -> Cluster:
    return Cluster(arguments.state.resolve(), Distribution(arguments.home or default_home()))


def _up(arguments: argparse.Namespace) -> int:
    distribution = install((arguments.home or default_home()).resolve())
    settings = Settings(**{f.name: getattr(arguments, f.name) for f in fields(Settings)})
    cluster = Cluster(arguments.state.resolve(), distribution)
    mended = bool(cluster.processes())
    started = cluster.up(settings)
    if mended:
        print(f"started again: {', '.join([*started, SUPERVISOR])}")
    print(
        f"Flink: http://127.0.0.1:{settings.rest_port}  job server: 127.0.0.1:{settings.job_port}  "
        f"logs: {arguments.state / 'log'}"
    )
    return 0


def _submit(arguments: argparse.Namespace) -> int:
    job = arguments.job[1:] if arguments.job[:1] == ["--"] else arguments.job
    if not job:
        return _refuse("name a job, for instance: submit discofuse --input ... --output ...")
    endpoint, master, jar = arguments.job_endpoint, arguments.flink_master, arguments.flink_job_server_jar
    if endpoint is None and (master is None) != (jar is None) or endpoint and jar:
        return _refuse("name --flink-master and --flink-job-server-jar, or --job-endpoint")
    parallelism: int = arguments.parallelism or 1
    worker: str = arguments.worker or worker_command()
    if endpoint and master is None:
        _say("without --flink-master nobody can tell whether slots are missing, and Ctrl-C does not cancel the job")
    if jar:
        return submit(job, jar_options(flink_master=master, jar=jar, parallelism=parallelism, worker=worker))
    if endpoint is None:
        settings = _cluster(arguments).settings
        endpoint, master = f"127.0.0.1:{settings.job_port}", f"http://127.0.0.1:{settings.rest_port}"
        parallelism = arguments.parallelism or settings.task_managers * settings.slots
    options = portable_options(job_endpoint=endpoint, flink_master=master, parallelism=parallelism, worker=worker)
    return submit(job, options)


def _say(line: str) -> None:
    print(f"gistmill.deploy.flink submit: {line}", file=sys.stderr)


def _refuse(line: str) -> int:
    _say(line)
    return 2


def _status(arguments: argparse.Namespace) -> int:
    cluster = _cluster(arguments)
    for process in cluster.processes():
        print(f"{process.name}  process {process.pid}  {process.log}")
    if missing := cluster.missing():
        print(f"{', '.join(missing)}  ended")
    if not cluster.supervised():
        print(f"{SUPERVISOR}  ended; nothing is started again but by `up`")
    overview = cluster.rest("/overview")
    print(
        f"{overview['taskmanagers']} task managers, {overview['slots-available']} of {overview['slots-total']} slots "
        f"free, {overview['jobs-running']} jobs running"
    )
    return 0


def _down(arguments: argparse.Namespace) -> int:
    stopped = _cluster(arguments).down()
    print(", ".join(p.name for p in stopped) + " ended" if stopped else "nothing was running")
    return 0


_ACTIONS = {"up": _up, "submit": _submit, "status": _status, "down": _down}


if __name__ == "__main__":
    sys.exit(main())
