"""``gistmill serve``: the command."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from pathlib import Path

from gistmill import ConfigError
from gistmill.core.extras import install_extra
from gistmill.core.options import FlagsError, OptionError, Parser, add_options, from_flags, options_of
from gistmill.core.values import nearest
from gistmill.serving.config import API_KEY, ServingConfig

_DESCRIPTION = f"""\
Serves splitting, fusion, propositions and summaries over HTTP: POST /v1/split, /v1/fuse, /v1/propositions, /v1/resolve,
/v1/summarize. GET /openapi.json describes them; /healthz, /readyz and /metrics are for operators. If the environment
variable {API_KEY} is set, clients of /v1 must send its value as Authorization: Bearer KEY. After SIGTERM, the server
answers its open requests and stops.
"""
_EPILOG = """\
examples:
  gistmill serve
  gistmill serve --host 0.0.0.0 --port 80 --workers 4 --fusion out/tagger-onnx --summarizer out/leads-ct2
  curl localhost:8000/v1/split --json '{"pairs": [{"first": "It rained, so we left."}]}'

exit codes: 0 stopped by SIGTERM or SIGINT; 1 the workers died on startup; 2 invalid command line or model.
docs/serving.md explains requests, responses, limits and deployment.
"""


def main(argv: Sequence[str]) -> int:
    """Serves until SIGTERM or SIGINT; returns the exit code.

    Raises:
        ConfigError: the command line is invalid, a package is missing, a model is unusable, or the port is in use.
    """
    config = arguments_of(argv)
    for name, folder in (("--fusion", config.fusion), ("--summarizer", config.summarizer)):
        if folder is not None and not Path(folder).is_dir():
            raise ConfigError(f"{name} {folder} is not a folder")
    for package in ("fastapi", "httptools", "pydantic", "starlette", "uvicorn"):
        if importlib.util.find_spec(package) is None:
            raise ConfigError(f"the package {package} is required: {install_extra('serve')}")
    from gistmill.serving.middleware import log_as_json
    from gistmill.serving.supervisor import Supervisor

    supervisor = Supervisor(config)
    log_as_json(texts=config.log_texts)
    return supervisor.run()


def arguments_of(argv: Sequence[str]) -> ServingConfig:
    """Parses a command line into options.

    Raises:
        ConfigError: the command line is invalid.
    """
    known = {option.name: option for option in options_of(ServingConfig)}
    parser = Parser(prog="gistmill serve", description=_DESCRIPTION, epilog=_EPILOG)
    add_options(parser, known.values())
    try:
        flags, rest = parser.parse_known_args(list(argv))
        if rest:
            raise FlagsError(f"unknown option {rest[0]}{nearest(rest[0], [option.flag for option in known.values()])}")
        return ServingConfig.from_values(from_flags(flags, known))
    except FlagsError as error:
        raise ConfigError(str(error)) from None
    except OptionError as error:
        raise ConfigError(f"{known[error.name].flag}: {error.problem}" if error.name else error.problem) from None
