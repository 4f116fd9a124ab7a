"""deploy/schedules: each file by the tool or schema of its scheduler, and the command that it runs."""

import ast
import configparser
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gistmill.deploy.dataflow.main import command_line
from gistmill.pipelines.options import parse
from gistmill.pipelines.rebuild.command import NOTHING_NEW_CODE, WRONG_CODE, main
from gistmill.pipelines.rebuild.corpus import read_corpus
from gistmill.rules.recipes import RECIPES
from tests.deploy.manifests import find, only_container
from tests.samples import NEWS

FOLDER = Path(__file__).parents[2] / "deploy" / "schedules"
EXAMPLE = FOLDER.parents[1] / "corpora" / "monthly.corpus.yaml"
MANIFEST = FOLDER / "kubernetes.yaml"


def pod():
    return find(MANIFEST, "CronJob")["spec"]["jobTemplate"]["spec"]["template"]


def unit(ending):
    made = configparser.ConfigParser(interpolation=None)
    made.optionxform = str
    made.read(FOLDER / f"gistmill-rebuild.{ending}")
    return made


def reads(command, folder):
    """The corpus file that `gistmill rebuild` of a command line names; its other arguments are understood."""
    program, job, corpus, *options = shlex.split(command)
    assert program.endswith("gistmill") and job == "rebuild" and corpus.endswith("corpus.yaml")
    example = EXAMPLE.read_text(encoding="utf-8").replace("/data/news/*.warc.gz", str(NEWS.path))
    (folder / EXAMPLE.name).write_text(example, encoding="utf-8")
    assert main([str(folder / EXAMPLE.name), *options, "--check"]) == 0
    return corpus


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd")
def test_systemd_accepts_the_units(tmp_path):
    for ending in ("service", "timer"):
        text = (FOLDER / f"gistmill-rebuild.{ending}").read_text(encoding="utf-8")
        (tmp_path / f"gistmill-rebuild.{ending}").write_text(re.sub(r"ExecStart=\S+", "ExecStart=/bin/true", text))

    def verified():
        paths = sorted(map(str, tmp_path.iterdir()))
        done = subprocess.run(["systemd-analyze", "verify", *paths], capture_output=True, text=True)
        return done.returncode, done.stderr

    assert verified() == (0, "")
    with (tmp_path / "gistmill-rebuild.timer").open("a") as file:
        file.write("[Timer]\nOnCalendar=sometimes\n")
    assert "sometimes" in verified()[1]


def test_systemd_runs_the_command_and_knows_its_codes(tmp_path):
    service = unit("service")["Service"]
    reads(service["ExecStart"], tmp_path)
    assert int(service["SuccessExitStatus"]) == NOTHING_NEW_CODE
    written = service["ReadWritePaths"].split()
    metrics = shlex.split(service["ExecStart"])[-1]
    assert any(metrics.startswith(f"{place}/") for place in written) and metrics.endswith(".prom")
    assert unit("timer")["Timer"]["Persistent"] == "true"


def test_the_pod_has_what_the_corpus_file_names(tmp_path):
    container = only_container(pod())
    (path,) = re.findall(r"rebuild (\S+)", container["command"][-1])
    mounts = {m["name"]: m["mountPath"] for m in container["volumeMounts"]}
    files = find(MANIFEST, "ConfigMap")["data"]
    assert path == f"{mounts['config']}/{next(iter(files))}"
    (tmp_path / "c.yaml").write_text(files["corpus.yaml"], encoding="utf-8")
    corpus = read_corpus(str(tmp_path / "c.yaml"))
    assert corpus.config.publish.startswith(f"{mounts['corpora']}/")
    assert str(corpus.run["workers"]) == container["resources"]["requests"]["cpu"]
    volumes = {v["name"]: v for v in pod()["spec"]["volumes"]}
    claim, config = (find(MANIFEST, kind)["metadata"]["name"] for kind in ("PersistentVolumeClaim", "ConfigMap"))
    assert volumes["corpora"]["persistentVolumeClaim"]["claimName"] == claim
    assert volumes["config"]["configMap"]["name"] == config
    assert find(MANIFEST, "CronJob")["spec"]["concurrencyPolicy"] == "Forbid"


def test_nothing_new_does_not_fail_the_pod(tmp_path):
    program = tmp_path / "gistmill"
    for code, seen in (0, True), (NOTHING_NEW_CODE, True), (1, False), (2, False), (143, False):
        program.write_text(f"#!/bin/sh\nexit {code}\n")
        program.chmod(0o755)
        done = subprocess.run(only_container(pod())["command"], env={"PATH": f"{tmp_path}:/usr/bin:/bin"})
        assert (done.returncode == 0) == seen, code


def test_the_launch_has_the_form_of_the_service_and_a_command_that_is_read():
    from google.cloud.dataflow_v1beta3 import LaunchFlexTemplateRequest
    from google.protobuf import json_format

    body = json.loads((FOLDER / "flex-template.json").read_text(encoding="utf-8"))
    message = json_format.ParseDict(body, LaunchFlexTemplateRequest.pb()())
    assert message.launch_parameter.environment.max_workers == 50
    with pytest.raises(json_format.ParseError):
        json_format.ParseDict({"launchParameters": {}}, LaunchFlexTemplateRequest.pb()())
    parameters = body["launchParameter"]["parameters"]
    job, *arguments = command_line([f"--{name}={value}" for name, value in parameters.items()], {})
    assert parse(RECIPES[job], arguments).config.to_values()["overwrite"] is True


def test_the_dag_runs_the_command_and_knows_its_codes(tmp_path):
    module = ast.parse((FOLDER / "airflow_dag.py").read_text(encoding="utf-8"))
    constants = {n.targets[0].id: n.value.value for n in module.body if isinstance(n, ast.Assign)}
    assert constants["NOTHING_NEW"] == NOTHING_NEW_CODE
    (call,) = (n for n in ast.walk(module) if isinstance(n, ast.Call) and getattr(n.func, "id", "") == "BashOperator")
    command = next(k.value for k in call.keywords if k.arg == "bash_command")
    parts = (p.value if isinstance(p, ast.Constant) else constants["CORPUS"] for p in command.values)
    assert reads("".join(parts), tmp_path)


def test_the_asset_knows_the_codes_of_the_command():
    text = (FOLDER / "dagster_job.py").read_text(encoding="utf-8")
    assert f"WRONG, NOTHING_NEW = {WRONG_CODE}, {NOTHING_NEW_CODE}\n" in text
    assert 'subprocess.run(["gistmill", "rebuild", CORPUS]' in text


AIRFLOW = """
import json, runpy, sys
from airflow.exceptions import AirflowException, AirflowSkipException
dag = runpy.run_path(sys.argv[1])["dag"]
(task,) = dag.tasks
print(json.dumps([dag.dag_id, dag.schedule, dag.catchup, list(task.skip_on_exit_code), task.bash_command]))
try:
    task.execute({})
    print("success")
except AirflowSkipException:
    print("skipped")
except AirflowException:
    print("failed")
"""
DAGSTER = """
import runpy, sys
defs = runpy.run_path(sys.argv[1])["defs"]
assert [each.cron_schedule for each in defs.schedules] == ["0 3 * * *"]
job = defs.resolve_job_def("gistmill_rebuild")
done = job.execute_in_process(raise_on_error=False)
rows = [event.materialization.metadata["rebuild"].data["rows"] for event in done.get_asset_materialization_events()]
print(rows or ("skipped" if done.success else "failed"))
"""


@pytest.fixture(scope="module")
def schedulers(tmp_path_factory):
    """A Python with Airflow and Dagster."""
    python = tmp_path_factory.mktemp("schedulers") / "bin" / "python"
    subprocess.run([sys.executable, "-m", "venv", python.parents[1]], check=True)
    packages = "apache-airflow==3.3.2", "dagster"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-compile", *packages], check=True)
    return python


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("file", "code", "published"),
    [("airflow_dag.py", AIRFLOW, "success"), ("dagster_job.py", DAGSTER, "[{'plain': {'default': 3}}]")],
)
def test_a_real_scheduler_rebuilds_skips_and_fails(file, code, published, schedulers, tmp_path):
    (tmp_path / "texts").mkdir()
    for number in range(3):
        text = f"The council met on Monday number {number}. It talked of the bridge, which was built in 1901."
        (tmp_path / "texts" / f"{number}.txt").write_text(text)
    corpus = tmp_path / "own.corpus.yaml"
    reads_texts = f"sources: {{texts: {{source: text, input: {tmp_path}/texts}}}}\nrecipes: {{plain: {{recipe: articles, reads: texts}}}}"
    corpus.write_text(f"publish: {tmp_path}/corpora\n{reads_texts}\n")
    program = tmp_path / "bin" / "gistmill"  # the real command, in its own environment, with the file of the test
    program.parent.mkdir()
    own = os.environ.get("PYTHONPATH", "")
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{own}" exec {sys.executable} -m gistmill "$1" {corpus}\n')
    program.chmod(0o755)
    environment = {
        **os.environ, "PATH": f"{program.parent}:/usr/bin:/bin", "PYTHONPATH": "", "AIRFLOW_HOME": str(tmp_path / "home"),
        "DAGSTER_HOME": "",
    }  # fmt: skip

    def said():
        command = [schedulers, "-c", code, FOLDER / file]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()

    first = said()
    assert first[-1] == published
    if file == "airflow_dag.py":
        name, schedule, catchup, skipped, command = next(json.loads(line) for line in first if line.startswith("["))
        assert (name, schedule, catchup, skipped) == ("gistmill_rebuild", "0 3 * * *", False, [NOTHING_NEW_CODE])
        reads(command, tmp_path)
    assert said()[-1] == "skipped"
    program.write_text("#!/bin/sh\nexit 2\n")  # not retried
    assert said()[-1] == "failed"
