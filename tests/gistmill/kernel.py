"""A kernel of Jupyter in a process of its own, as a notebook starts it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import time
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import psutil
from jupyter_client.manager import KernelManager

from gistmill.transforms.arithmetic import THREAD_CAPS, pins
from tests.pipelines.runners.harness import MARK, ROOT, marked

SECONDS = 300.0  # generous: the machine may be busy


@dataclass
class Answer:
    """What a cell shows below itself.

    Attributes:
        said: what was printed, to standard output and to standard error.
        shown: the outputs in their order; one that was replaced in place is there once.
        replaced: how often one was.
        error: the name and the message of the exception, None if there was none.
        traceback: what is shown of it.
    """

    said: dict[str, str] = field(default_factory=lambda: {"stdout": "", "stderr": ""})
    shown: list[dict[str, str]] = field(default_factory=list)
    replaced: int = 0
    error: tuple[str, str] | None = None
    traceback: str = ""

    @property
    def texts(self) -> list[str]:
        """The outputs as text. The cell must not have failed, nor said anything on standard error."""
        assert self.error is None, self.traceback
        assert not self.said["stderr"]
        return [data["text/plain"] for data in self.shown]


def environment(folder: Path) -> dict[str, str]:
    """The environment of a person's Python: without what the tests have settled for their own process."""
    settled = {*THREAD_CAPS, *pins().variables, "GRPC_ENABLE_FORK_SUPPORT"}
    kept = {name: value for name, value in os.environ.items() if name not in settled}
    (folder / "tmp").mkdir(exist_ok=True)
    own = {"PYTHONPATH": str(ROOT), "TMPDIR": str(folder / "tmp"), "IPYTHONDIR": str(folder / "ipython")}
    return {**kept, **own}


class Kernel:
    """A kernel whose working directory is ``folder``; a context manager that ends it, with all that it has started."""

    def __init__(self, folder: Path, python: str = sys.executable) -> None:
        self._folder, self._mark = folder, uuid.uuid4().hex
        self._manager = KernelManager()
        self._command = [python, "-m", "ipykernel_launcher", "-f", "{connection_file}"]

    def __enter__(self) -> Kernel:
        assert self._manager.kernel_spec is not None
        self._manager.kernel_spec.argv[:] = self._command
        self._manager.start_kernel(
            cwd=str(self._folder), env={**environment(self._folder), MARK: self._mark}, stderr=subprocess.DEVNULL
        )
        self._client = self._manager.client()
        self._client.start_channels()
        self._client.wait_for_ready(timeout=SECONDS)
        return self

    def __exit__(self, *exception: object) -> None:
        self._client.stop_channels()
        self.kill()
        for process in self.processes():
            process.kill()

    def run(self, code: str) -> Answer:
        """Runs a cell to its end."""
        return self.answer(self.begin(code))

    def begin(self, code: str) -> str:
        """Begins a cell; returns what ``answer`` takes."""
        return self._client.execute(code)

    def interrupt(self) -> None:
        """As the button of a notebook does."""
        self._manager.interrupt_kernel()

    def kill(self) -> None:
        """As when a notebook is closed in the middle of a cell."""
        self._manager.shutdown_kernel(now=True)

    def processes(self) -> list[psutil.Process]:
        """All processes that descend from the kernel, wherever they hang now; and itself, while it lives."""
        return marked(self._mark)

    def answer(self, cell: str) -> Answer:
        """Waits for the end of a cell."""
        places: dict[str, int] = {}
        answer, end = Answer(), time.monotonic() + SECONDS
        while True:
            message = self._client.get_iopub_msg(timeout=end - time.monotonic())
            kind, content = message["msg_type"], message["content"]
            if message["parent_header"].get("msg_id") != cell:
                continue
            if kind == "status" and content["execution_state"] == "idle":
                return answer
            place = content.get("transient", {}).get("display_id")
            if kind == "stream":
                answer.said[content["name"]] += content["text"]
            elif kind == "update_display_data":
                answer.replaced += 1
                answer.shown[places[place]] = content["data"]
            elif kind in ("display_data", "execute_result"):
                places[place] = len(answer.shown)
                answer.shown.append(content["data"])
            elif kind == "error":
                answer.error = content["ename"], content["evalue"]
                answer.traceback = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(content["traceback"]))


def python_without(package: str, folder: Path) -> str:
    """Makes a virtual environment in ``folder`` that has all packages of this one but one; returns its Python."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    (packages := folder / "packages").mkdir()
    for installed in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match(rf"{package}\b", installed.name):
            (packages / installed.name).symlink_to(installed)
    (own,) = (folder / "venv").glob("lib/python*/site-packages")
    # its .pth files count too: one of them finds the checkout
    (own / "borrowed.pth").write_text(f"import site; site.addsitedir({str(packages)!r})\n")
    return str(folder / "venv" / "bin" / "python")
