"""Messages for those who call Gistmill from Python: they name arguments where those of the command name flags."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TypeVar

from gistmill.core.options import Option
from gistmill.pipelines.errors import JobFailed

Error = TypeVar("Error", bound=BaseException)
_FLAG = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z0-9-]*)(?: (?P<value>[\w-]+))?")


def naming_arguments(error: Error, options: Mapping[str, Option]) -> Error:
    """Returns an error of a job with the arguments of ``build`` in the place of its flags; those of Beam stay.

    Args:
        error: its texts are changed in place.
        options: of the job, by name.
    """
    error.args = tuple(in_python(a, options) if isinstance(a, str) else a for a in error.args)
    if isinstance(error, JobFailed):
        error.message = in_python(error.message, options)
    return error


def in_python(message: str, options: Mapping[str, Option]) -> str:
    """Returns a message with ``resume=True`` for ``--resume``, ``source='warc'`` for ``--source warc`` and
    ``min_words`` for ``--min-words``."""

    def argument(found: re.Match[str]) -> str:
        option, value = options.get(found["name"].replace("-", "_")), found["value"]
        if option is None:
            return found[0]
        if option.kind.is_switch:
            return found[0].replace(f"--{found['name']}", f"{option.name}=True")
        if value in option.kind.choices:
            return f"{option.name}={value!r}"
        return found[0].replace(f"--{found['name']}", option.name)

    return _FLAG.sub(argument, message)
