"""Starts a server for a test run: one for all the processes of it, which stops when the run ends."""

from __future__ import annotations

import contextlib
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .errors import ServerNotReady
from .server import Server

KEEPER = Path(__file__).with_name("_keeper.py")
START_SECONDS = 60.0
STOP_SECONDS = 20.0
_POLL = 0.02
_TOKEN = "RINGBACK_CONTROL_TOKEN"


@dataclass(frozen=True)
class Launch:
    """How a server is started: by a command of this machine, or as a container of an image."""

    command: Sequence[str] = ()
    """Such as `["node", "dist/main.js"]`; `npx ringback` of this project by default."""
    image: str | None = None
    arguments: Sequence[str] = ()
    """Further flags of `serve`, such as `["--scenarios", "ringback/scenarios"]`."""
    folder: str | None = None
    """Where it is started, which relative paths of it are about."""
    token: str | None = None
    """The control token that the server is to have."""
    start_seconds: float = START_SECONDS


class Run:
    """A test run in its first process: servers that are started in its folder stop when this ends.

    The keeper of a server holds a connection to this socket, which breaks with `close()` and with the process.
    """

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="ringback-"))
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.address: tuple[str, int] = self._socket.getsockname()[:2]
        if hasattr(os, "register_at_fork"):
            # A child that outlives this process must not look like it.
            os.register_at_fork(after_in_child=self._socket.close)

    def close(self) -> None:
        """Stops what was started, and returns when it has stopped."""
        self._socket.close()
        until = time.monotonic() + STOP_SECONDS
        started = (self.folder / "claimed").exists()
        while started and self.folder.exists() and time.monotonic() < until:
            time.sleep(_POLL)
        shutil.rmtree(self.folder, ignore_errors=True)


def server_of_run(folder: Path, owner: tuple[str, int], launch: Launch) -> Server:
    """The server of a run: the first process that asks starts it, and the others wait for it."""
    argv, container = _command_line(launch)
    try:
        # Whoever makes this file is the first.
        (folder / "claimed").touch(exist_ok=False)
    except FileExistsError:
        pass
    else:
        _start_keeper(folder, owner, argv, container, launch)
    found = _wait_for(folder / "server.json", launch.start_seconds + STOP_SECONDS)
    if "error" in found:
        raise ServerNotReady(_why_not(argv, found["error"], found["output"]))
    server = Server(found["url"], _token_of(launch))
    server.receiver_host = "host.docker.internal" if container else None
    server.wait_until_ready()
    return server


@contextlib.contextmanager
def start_server(launch: Launch | None = None) -> Iterator[Server]:
    """A server for the time of a `with` block, on a free port."""
    run = Run()
    try:
        server = server_of_run(run.folder, run.address, launch or Launch())
        try:
            yield server
        finally:
            server.close()
    finally:
        run.close()


def _command_line(launch: Launch) -> tuple[list[str], str | None]:
    """The command, and the name of the container if it is one."""
    settings = ["--clock", "manual", *launch.arguments]
    if launch.image is not None:
        name = f"ringback-{uuid.uuid4().hex[:12]}"
        run = ["docker", "run", "--rm", "--init", "--name", name, "--publish", "127.0.0.1:0:4747"]
        hosts = ["--add-host", "host.docker.internal:host-gateway"]
        token = ["--env", _TOKEN] if _token_of(launch) else []
        return [*run, *hosts, *token, launch.image, "serve", "--port", "4747", *settings], name
    command = list(launch.command) or ["npx", "--no", "ringback"]
    return [*command, "serve", "--port", "0", *settings], None


def _token_of(launch: Launch) -> str | None:
    return launch.token or os.environ.get(_TOKEN)


def _start_keeper(folder: Path, owner: tuple[str, int], argv: list[str], container: str | None, launch: Launch) -> None:
    task = {
        "command": argv,
        "container": container,
        "folder": str(folder),
        "owner": owner,
        "place": launch.folder,
        "timeout": launch.start_seconds,
    }
    keeper = subprocess.Popen(
        [sys.executable, "-I", str(KEEPER), json.dumps(task)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ | ({_TOKEN: launch.token} if launch.token else {}),
        start_new_session=True,
    )
    # It outlives a worker that starts it, which must not warn of a process that it leaves.
    keeper.returncode = 0


def _wait_for(file: Path, seconds: float) -> Any:
    until = time.monotonic() + seconds
    while not file.exists():
        if time.monotonic() > until:
            raise ServerNotReady(f"the server of this test run was not started within {seconds:g} s")
        time.sleep(_POLL)
    return json.loads(file.read_text())


def _why_not(argv: Sequence[str], what: str, output: Sequence[str]) -> str:
    said = "\n".join(f"  {line}" for line in output) or "  (no output)"
    return (
        f"the server {what}: {shlex.join(argv)}\n{said}\n"
        "Name a server by --ringback-url or RINGBACK_URL, a command by --ringback-command, or an image by "
        "--ringback-image; without any of them, `npx ringback` of this project "
        "is started, which `npm install --save-dev ringback` installs."
    )
