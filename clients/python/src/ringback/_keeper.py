"""The process that runs a server for a test run, and stops it when the run has ended, however it ends.

It is started by `launch.py` as a file of its own, and holds a connection to the process that owns the server: when that
closes it, is interrupted or killed, the connection breaks. So neither a worker that ends early takes the server from
the others, nor does a server stay behind. It imports nothing but the standard library, to start at once.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from typing import IO, Any

STOP_SECONDS = 10.0
KEPT_LINES = 60
POLL = 0.02


class Keeper:
    def __init__(self, task: dict[str, Any]) -> None:
        self.command: list[str] = task["command"]
        self.folder = Path(task["folder"])
        self.container: str | None = task["container"]
        self.place: str | None = task["place"]
        self.timeout: float = task["timeout"]
        self.lines: deque[str] = deque(maxlen=KEPT_LINES)
        self.url: str | None = None
        self.over = threading.Event()
        self.owner = socket.create_connection((task["owner"][0], task["owner"][1]))

    def run(self) -> None:
        for each in (signal.SIGTERM, signal.SIGINT, getattr(signal, "SIGHUP", signal.SIGTERM)):
            signal.signal(each, lambda *_: self.over.set())
        threading.Thread(target=self.watch_owner, daemon=True).start()
        try:
            self.serve()
        finally:
            # Why a server did not start, or where one was that has ended, is there to read until the run ends. The
            # owner waits until the folder is gone; one that was killed cannot remove it.
            self.over.wait()
            shutil.rmtree(self.folder, ignore_errors=True)

    def watch_owner(self) -> None:
        with contextlib.suppress(OSError):
            self.owner.settimeout(None)
            self.owner.recv(1)
        self.over.set()

    def serve(self) -> None:
        try:
            process = subprocess.Popen(
                self.command,
                cwd=self.place,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                errors="replace",
                # A group of its own: npx has a shell and a server below it, and Ctrl-C is not for them.
                start_new_session=True,
            )
        except OSError as error:
            self.fail(f"cannot be run: {error}")
            return
        readers = [self.read(stream) for stream in (process.stdout, process.stderr) if stream]
        try:
            if self.becomes_ready(process, readers):
                self.write("server.json", {"url": self.address()})
                while not self.over.wait(POLL * 10) and process.poll() is None:
                    pass
        finally:
            self.stop(process, readers)

    def read(self, stream: IO[str]) -> threading.Thread:
        """Reads for as long as the server writes, so that it never waits for a full pipe."""

        def lines() -> None:
            for line in stream:
                self.lines.append(line.rstrip("\n"))
                with contextlib.suppress(ValueError):
                    record = json.loads(line)
                    if isinstance(record, dict) and record.get("msg") == "ready":
                        self.url = record["url"]

        thread = threading.Thread(target=lines, daemon=True)
        thread.start()
        return thread

    def becomes_ready(self, process: subprocess.Popen[str], readers: list[threading.Thread]) -> bool:
        until = time.monotonic() + self.timeout
        while self.url is None:
            if process.poll() is not None:
                for reader in readers:
                    reader.join(1)
                self.fail(f"ended with exit code {process.returncode} before it was ready")
                return False
            if time.monotonic() > until:
                self.fail(f"was not ready within {self.timeout:g} s")
                return False
            if self.over.wait(POLL):
                return False
        return True

    def address(self) -> str:
        """That of a container is where its port is published."""
        if self.container is None:
            return str(self.url)
        published = subprocess.run(
            [self.command[0], "port", self.container, "4747/tcp"], capture_output=True, text=True, check=True
        )
        return f"http://{published.stdout.splitlines()[0].strip()}"

    def fail(self, what: str) -> None:
        self.write("server.json", {"error": what, "output": list(self.lines)})

    def write(self, name: str, content: object) -> None:
        """In one step, since others look for the file."""
        with contextlib.suppress(OSError):
            part = self.folder / f"{name}.part"
            part.write_text(json.dumps(content))
            os.replace(part, self.folder / name)

    def stop(self, process: subprocess.Popen[str], readers: list[threading.Thread]) -> None:
        self.signal(process, signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        while time.monotonic() < until and self.is_running(process, readers):
            time.sleep(POLL)
        self.signal(process, getattr(signal, "SIGKILL", signal.SIGTERM))
        if self.container is not None:
            subprocess.run([self.command[0], "rm", "--force", self.container], capture_output=True, check=False)

    def is_running(self, process: subprocess.Popen[str], readers: list[threading.Thread]) -> bool:
        """Whether anything is left that can write: npx may end before the server below it."""
        return process.poll() is None or any(reader.is_alive() for reader in readers)

    def signal(self, process: subprocess.Popen[str], which: int) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, which)
            else:
                process.send_signal(which)


if __name__ == "__main__":
    Keeper(json.loads(sys.argv[1])).run()
