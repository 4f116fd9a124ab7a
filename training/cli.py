"""The command line: ``gistmill-train COMMAND [options]``."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import FrameType

from gistmill.core.extras import install_extra
from gistmill.core.text_output import say
from gistmill.training.commands import COMMANDS, Command
from gistmill.training.errors import SettingsError, TrainingError

INTERRUPTED, TERMINATED = 130, 143
# Packages from the extra `train`. This module imports none of them, so it can report which one is missing.
PACKAGES = (
    "accelerate",
    "ctranslate2",
    "google",  # .protobuf
    "google_crc32c",
    "huggingface_hub",
    "icu4py",
    "lemminflect",
    "numpy",
    "onnx",
    "pyarrow",
    "pydantic",
    "safetensors",
    "stopwordsiso",
    "tokenizers",
    "torch",
    "transformers",
    "typing_extensions",
    "yaml",
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs a command and returns the exit code.

    0: success; 1: failure; 2: invalid command line or configuration; 130: interrupted; 143: terminated.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS))
        lines = "\n".join(f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items())
        print(
            "usage: gistmill-train COMMAND [options]\n\n"
            "Trains models on datasets published by gistmill, and evaluates them.\n\n"
            f"commands:\n{lines}\n\n"
            "Run gistmill-train COMMAND --help for help on a command.\n"
            "Exit codes: 0 success, 1 failure, 2 invalid command line, 130 interrupted, 143 terminated."
        )
        return 0 if arguments else 2
    if arguments[0] == "--version":
        try:
            print(f"gistmill-train {version('gistmill')}")
        except PackageNotFoundError:
            print("gistmill-train (not installed)")
        return 0
    name, *rest = arguments
    if name not in COMMANDS:
        from gistmill.core.values import nearest  # imported late because it needs yaml

        hint = nearest(name, COMMANDS) or f"; the commands are {', '.join(COMMANDS)}"
        say(f"gistmill-train: unknown command {name!r}{hint}")
        return 2
    try:
        return _run(COMMANDS[name], rest)
    except KeyboardInterrupt:
        return _failed(name, "interrupted", INTERRUPTED)
    except SettingsError as error:
        return _failed(name, str(error), 2)
    except TrainingError as error:
        return _failed(name, str(error), 1)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in PACKAGES:
            raise
        return _failed(name, f"the package {error.name} is missing: {install_extra('train')}", 1)
    except OSError as error:
        return _failed(name, f"{error.filename}: {error.strerror}" if error.filename else str(error), 1)


def _run(command: Command, arguments: Sequence[str]) -> int:
    from gistmill.training.settings import dump, read_settings

    settings, print_config = read_settings(command, arguments)
    if print_config:
        print(dump(settings), end="")
        return 0
    module = command.load()
    single = getattr(module, "CONFIG", None)
    signal.signal(signal.SIGTERM, _terminate)
    code: int = module.run(settings if single is None else settings.of(single))
    return code


def _terminate(number: int, frame: FrameType | None) -> None:
    raise SystemExit(TERMINATED)


def _failed(name: str, message: str, code: int) -> int:
    say(f"gistmill-train {name}: {message}")
    return code


def run() -> None:
    """Runs ``main`` on the process's arguments and exits with its exit code."""
    # OpenMP reads this when torch is imported. Threads that spin while idle would slow down other programs.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    sys.exit(main())


if __name__ == "__main__":
    run()
