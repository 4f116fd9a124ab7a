"""The command line: what it explains, what it refuses, and that it loads no torch for that."""

import json
import os
import subprocess
import sys

import pytest
import yaml

from gistmill.training.cli import main, run
from gistmill.training.commands import COMMANDS
from gistmill.training.config import OptimisationConfig
from gistmill.training.data.config import DataConfig
from gistmill.training.errors import SettingsError
from gistmill.training.settings import dump, read_settings
from tests.environments import needs_package

NEEDED = ("--model", "tiny", "--datasets", "d", "--output", "o")


def read(*argv, command="fit"):
    return read_settings(COMMANDS[command], argv)[0]


def test_a_flag_beats_the_file_and_the_file_a_default(tmp_path):
    file = tmp_path / "c.yaml"
    file.write_text("model: tiny\ndatasets: [d]\noutput: o\nlearning-rate: 2e-4\nsteps: 7\n")
    optimisation = read("--config", str(file), "--steps", "9").of(OptimisationConfig)
    assert (optimisation.steps, optimisation.learning_rate, optimisation.optimizer) == (9, 2e-4, "adamw")


def test_what_is_wrong_is_named():
    for argv, message in [
        (["--step", "3"], "unknown option --step; did you mean --steps"),
        (["--steps", "0"], "--steps: expected a whole number of at least 1, not '0'"),
        (["--optimizer", "adamm"], "--optimizer: expected one of .*did you mean adam"),
        (["--warmup-steps", "9", "--steps", "5"], "warmup_steps: 9 is greater than steps \\(5\\)"),
        (["--phrases", "3"], "--phrases has no effect with this model"),
        (["stray"], "unexpected argument 'stray'"),
        (["--config", "missing.yaml"], "missing.yaml: No such file"),
        (["--objective", "uda"], "objective uda requires unlabelled and pseudo_labels"),
        (["--hold-out", "1"], "--hold-out: expected a number between 0 and 1"),
        (["--steps"], "--steps: expected one argument"),
    ]:
        with pytest.raises(SettingsError, match=message):
            read(*NEEDED, *argv)


def test_what_is_wrong_in_the_file_is_named(tmp_path):
    file = tmp_path / "c.yaml"
    for text, message in {
        "step: 3": "unknown key 'step' in .*did you mean steps",
        "- a": "must contain a mapping",
        "a: [": "is not YAML",
        "\x00": "is not YAML",
        "steps: true": "steps in .*whole number",
    }.items():
        file.write_text(text)
        with pytest.raises(SettingsError, match=message):
            read(*NEEDED, "--config", str(file))
    for missing in ("model", "datasets", "output"):
        given = [a for name in ("model", "datasets", "output") if name != missing for a in (f"--{name}", "tiny")]
        with pytest.raises(SettingsError, match=f"--{missing} is required"):
            read(*given)


def test_what_is_printed_reads_back_the_same(tmp_path, capsys):
    argv = [*NEEDED[:2], "--datasets", "a@1,b@3", "--output", "o", "--betas", "0.9,0.98"]
    assert main(["fit", *argv, "--print-config"]) == 0
    file = tmp_path / "c.yaml"
    file.write_text(capsys.readouterr().out)
    settings = read(*argv)
    assert read("--config", str(file)) == settings
    assert settings.of(DataConfig).datasets == ({"place": "a", "weight": 1.0}, {"place": "b", "weight": 3.0})
    assert yaml.safe_load(dump(settings))["betas"] == [0.9, 0.98]


def test_overview(capsys):
    for argv, code, text in (["--help"], 0, "commands:"), ([], 2, "commands:"), (["--version"], 0, "gistmill-train"):
        assert main(argv) == code
        assert text in capsys.readouterr().out
    assert main(["fitt"]) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "did you mean fit?" in error


def test_help_teaches_with_examples(capsys):
    for name, command in COMMANDS.items():
        with pytest.raises(SystemExit, match="^0$"):
            main([name, "--help"])
        shown = capsys.readouterr().out
        assert f"gistmill-train {command.examples[0]}" in shown and "--print-config" in shown


@pytest.mark.parametrize(("given", "expected"), [(None, "PASSIVE"), ("ACTIVE", "ACTIVE")])
def test_threads_sleep_while_they_wait_unless_the_user_says_otherwise(given, expected, monkeypatch, capsys):
    monkeypatch.setattr(os, "environ", dict(os.environ))
    monkeypatch.setattr(sys, "argv", ["gistmill-train", "--version"])
    os.environ.pop("OMP_WAIT_POLICY", None)
    if given is not None:
        os.environ["OMP_WAIT_POLICY"] = given
    with pytest.raises(SystemExit, match="^0$"):
        run()
    assert os.environ["OMP_WAIT_POLICY"] == expected


def test_help_loads_no_torch():
    code = (
        "import json, sys\nfrom gistmill.training.cli import main\n"
        "try:\n    main(['fit', '--help'])\nexcept SystemExit:\n    pass\n"
        "print(json.dumps(sorted({n.split('.')[0] for n in sys.modules})), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not set(json.loads(done.stderr)) & {"torch", "transformers", "tokenizers", "apache_beam"}


@needs_package("torch")
def test_a_dataset_that_is_not_there_is_one_clear_line(tmp_path, capsys):
    argv = ["fit", "--model", "tiny-pointer", "--datasets", str(tmp_path / "none"), "--output", str(tmp_path / "o")]
    assert main(argv) == 2
    error = capsys.readouterr().err
    assert error.count("\n") == 1 and "none" in error
