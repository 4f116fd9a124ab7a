"""Runs a command as a container of a pod would: a user without rights and without a name, no file system that can be
written but the volumes. Needs root, for the namespaces; what runs in it has none."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

AVAILABLE = os.geteuid() == 0 and all(map(shutil.which, ("unshare", "setpriv", "chroot", "findmnt")))
PROJECT = Path(__file__).parents[2]


def jailed(
    command: Sequence[str | os.PathLike[str]],
    *,
    spec: Mapping[str, Any],
    container: Mapping[str, Any],
    root: Path,
    claims: Mapping[str, Path],
    environment: Mapping[str, str],
    timeout: float = 500,
) -> subprocess.CompletedProcess[str]:
    """Runs a command with this machine's files in the place of the image's.

    Args:
        command: what the container runs.
        spec: of the pod, for its user and its volumes.
        container: for its mounts and its rights.
        root: an empty folder, where the file system of the container is put together.
        claims: a folder for each volume that is not an emptyDir, by the volume's name.
        environment: the variables that the container has.
        timeout: seconds.
    """
    rights, own = spec["securityContext"], container["securityContext"]
    assert own["capabilities"] == {"drop": ["ALL"]} and own["allowPrivilegeEscalation"] is False
    volumes = {v["name"]: v for v in spec["volumes"]}
    lines = ["set -e", "mount --make-rprivate /", f"mount -t tmpfs -o mode=755 tmpfs {root}"]
    for place in (p for p in Path("/").iterdir() if p.is_dir()):
        if place.is_symlink():
            lines.append(f"ln -s {place.readlink()} {root}{place}")
        else:
            lines.append(f"mkdir {root}{place} && mount --rbind {place} {root}{place}")
    lines += _visible(root, (sys.base_prefix, sys.prefix, str(PROJECT)))
    for mount in container["volumeMounts"]:
        lines.append(f"mkdir -p {root}{mount['mountPath']}")
    if own["readOnlyRootFilesystem"]:
        lines.append(
            f"findmnt --raw --noheadings --output TARGET --submounts {root} | while read -r place; do"
            ' mount -o remount,bind,ro "$place" 2>/dev/null || true; done'
        )
    for mount in container["volumeMounts"]:
        at, name = f"{root}{mount['mountPath']}", mount["name"]
        if "emptyDir" in volumes[name]:
            owner = f"uid={rights['runAsUser']},gid={rights['fsGroup']},mode=2770"
            lines.append(f"mount -t tmpfs -o {owner} tmpfs {at}")
        else:
            lines += [f"mount --bind {claims[name]} {at}"]
            lines += [f"mount -o remount,bind,{'ro' if mount.get('readOnly') else 'rw'} {at}"]
    user = f"--reuid {rights['runAsUser']} --regid {rights['runAsGroup']} --groups {rights['fsGroup']}"
    dropped = "--bounding-set=-all --inh-caps=-all --ambient-caps=-all --no-new-privs"
    lines.append(
        f"exec {shutil.which('chroot')} {root} setpriv {user} {dropped} -- {shlex.join(str(word) for word in command)}"
    )
    return subprocess.run(
        ["unshare", "--mount", "--ipc", "bash", "-c", "\n".join(lines)],
        env=dict(environment),
        capture_output=True,
        text=True,
        timeout=timeout,
        start_new_session=True,  # a command may end its process group
    )


def _visible(root: Path, wanted: Iterable[str]) -> list[str]:
    """Commands that let anybody see some folders, though they lie in one that is its owner's alone, such as /root."""
    lines, opened = [], set()
    for place in dict.fromkeys(map(Path, wanted)):
        closed = next((p for p in reversed(place.parents) if not p.stat().st_mode & 0o001), None)
        if closed is None:
            continue
        if closed not in opened:
            lines.append(f"mount -t tmpfs -o mode=755 tmpfs {root}{closed}")
            opened.add(closed)
        lines += [f"mkdir -p {root}{place}", f"mount --rbind {place} {root}{place}"]
    return lines
