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
# Packages of the extra `train` that commands load. This module loads none, so that it can name missing ones.
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

    0: done; 1: it failed; 2: the command line or the configuration is wrong; 130 and 143: it was interrupted or
    terminated.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        width = max(map(len, COMMANDS))
        lines = "\n".join(f"  {name:<{width}}  {command.help}" for name, command in COMMANDS.items())
        print(
            "usage: gistmill-train COMMAND [options]\n\n"
            "Trains models on datasets that gistmill published, and shows what they learned.\n\n"
            f"commands:\n{lines}\n\n"
            "gistmill-train COMMAND --help explains a command.\n"
            "Exit codes: 0 done, 1 it failed, 2 the command line is wrong, 130 interrupted, 143 terminated."
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
        from gistmill.core.values import nearest  # which needs yaml

        hint = nearest(name, COMMANDS) or f"; there are {', '.join(COMMANDS)}"
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
        return _failed(name, f"needs the package {error.name}: {install_extra('train')}", 1)
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
    """The command itself: ``main`` on the process's arguments, then the end of the process."""
    # OpenMP reads it when torch loads. Threads that spin between two products would take the cores from other programs.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    sys.exit(main())


if __name__ == "__main__":
    run()
