"""The program started by the Flex Template launcher: it turns the parameters into gistmill's command line.

The launcher passes every parameter as ``--name=value``, along with Beam's own options. A parameter left blank may have
an empty value. Parameter names use underscores; a switch is true or false.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence

from gistmill.pipelines import cli  # first, because it sets up the arithmetic before NumPy is loaded
from gistmill.pipelines.job import job_options
from gistmill.pipelines.runners.exits import run_and_leave
from gistmill.rules.recipes import RECIPES

JOB = "gistmill_job"  # names like job_name and job_id are Dataflow's own
DEFAULT_JOB = "discofuse"
# The image built from deploy/Dockerfile sets this to its own name, if it was given one.
IMAGE = "GISTMILL_IMAGE"


def command_line(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str]:
    """Converts the launcher's arguments to gistmill's."""
    given = [a for a in arguments if not a.endswith("=")]
    job = next((a.partition("=")[2] for a in reversed(given) if a.startswith(f"--{JOB}=")), DEFAULT_JOB)
    if job not in RECIPES:
        return [job]  # gistmill then lists the jobs
    known = job_options(RECIPES[job])
    line = [job]
    for argument in given:
        name, _, value = argument.removeprefix("--").partition("=")
        if name == JOB:
            continue
        option = known.get(name)
        if option is None:
            line.append(argument)
        elif not option.kind.is_switch:
            line.append(f"{option.flag}={value}")
        elif value.lower() in ("true", "false"):
            line.append(option.flag if value.lower() == "true" else f"--no-{option.flag[2:]}")
        else:
            line.append(f"{option.flag}={value}")  # gistmill rejects it
    if environment.get(IMAGE) and not any(a.startswith("--sdk_container_image=") for a in line):
        line.append(f"--sdk_container_image={environment[IMAGE]}")
    return line


if __name__ == "__main__":
    run_and_leave(lambda: cli.main(command_line(sys.argv[1:], os.environ)))
