"""A receiver of webhooks for tests: records raw bodies, checks signatures, and answers as it is told."""

from __future__ import annotations

import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from .durations import Duration, seconds_of
from .signature import SIGNATURE_HEADER, WORLD_SIGNING_SECRET, verify_signature


@dataclass(frozen=True)
class Received:
    """A request that came, with its body as the bytes that were sent."""

    method: str
    path: str
    headers: Mapping[str, str]
    """By name in lower case."""
    body: bytes
    signed: bool | None
    """Whether its signature is right; None if it carries none."""

    @property
    def event_type(self) -> str:
        """The last part of the path, which `World.subscribe` makes the type of the event."""
        return self.path.partition("?")[0].rstrip("/").rpartition("/")[2]

    def json(self) -> Any:
        return json.loads(self.body)

    def __repr__(self) -> str:
        signature = {True: ", signed", False: ", WRONG SIGNATURE", None: ""}[self.signed]
        return f"<{self.method} {self.path}{signature}: {self.body[:200].decode(errors='replace')}>"


@dataclass(frozen=True)
class Answer:
    """What the receiver answers; with `drop`, it closes the connection instead."""

    status: int = 200
    body: bytes | str = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: Duration = 0
    """Real time before it answers."""
    drop: bool = False


Match = str | Mapping[str, object] | Callable[[Received], bool]
"""An event type; fields that the JSON body must have; or a function."""


class Receiver:
    """Listens on a free port until it is closed.

    `host` is where it listens, `public_host` the name by which the server reaches it.
    """

    def __init__(
        self, *, secret: str = WORLD_SIGNING_SECRET, host: str = "127.0.0.1", public_host: str | None = None
    ) -> None:
        self.secret = secret
        """What signatures are checked with."""
        self._received: list[Received] = []
        self._taken: set[int] = set()
        self._script: deque[Answer] = deque()
        self._always = Answer()
        self._changed = threading.Condition()
        self._server = _Server((host, 0), _handler_for(self))
        self.port: int = self._server.server_port
        self.url = f"http://{public_host or host}:{self.port}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, args=(0.02,), name="ringback receiver", daemon=True
        )
        self._thread.start()

    def __enter__(self) -> Receiver:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def url_of(self, event_type: str) -> str:
        """The address for an event type: its last part says which type came."""
        return f"{self.url}/{event_type}"

    @property
    def received(self) -> list[Received]:
        """Everything that came, in order."""
        with self._changed:
            return list(self._received)

    def of(self, match: Match) -> list[Received]:
        """What came and matches, in order."""
        return [each for each in self.received if matches(each, match)]

    def next(self, match: Match | None = None, timeout: Duration = "5s") -> Received:
        """The first request that matches and was not returned before; waits for it on real time.

        `next("call_busy")`, `next({"id": call_id})`, `next(lambda got: got.signed is False)`. Raises TimeoutError
        with what came instead.
        """
        until = time.monotonic() + seconds_of(timeout)
        with self._changed:
            while True:
                for index, each in enumerate(self._received):
                    if index not in self._taken and (match is None or matches(each, match)):
                        self._taken.add(index)
                        return each
                left = until - time.monotonic()
                if left <= 0:
                    raise TimeoutError(self._nothing(match, timeout))
                self._changed.wait(left)

    def respond(self, *answers: int | Answer) -> None:
        """Answers the next requests so, in order, and then 200 again: `respond(500, 500, Answer(200, delay="2s"))`."""
        with self._changed:
            self._script = deque(_answer(each) for each in answers)

    def respond_always(self, answer: int | Answer) -> None:
        """Answers every request so that `respond` has no answer for."""
        with self._changed:
            self._always = _answer(answer)

    def clear(self) -> None:
        """Forgets what came and what to answer."""
        with self._changed:
            self._received.clear()
            self._taken.clear()
            self._script.clear()
            self._always = Answer()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _record(self, received: Received) -> Answer:
        with self._changed:
            self._received.append(received)
            self._changed.notify_all()
            return self._script.popleft() if self._script else self._always

    def _nothing(self, match: Match | None, timeout: Duration) -> str:
        wanted = "" if match is None else f" that matches {match!r}"
        came = [
            f"  {each!r}{' (returned before)' if n in self._taken else ''}" for n, each in enumerate(self._received)
        ]
        return "\n".join([f"no request{wanted} came to {self.url} within {timeout}; came:", *(came or ["  nothing"])])


def matches(received: Received, match: Match) -> bool:
    if isinstance(match, str):
        return received.event_type == match
    if callable(match):
        return match(received)
    try:
        body = received.json()
    except ValueError:
        return False
    return isinstance(body, dict) and all(name in body and body[name] == value for name, value in match.items())


def _answer(given: int | Answer) -> Answer:
    return Answer(given) if isinstance(given, int) else given


class _Server(ThreadingHTTPServer):
    # A handler that still sleeps must not hold up the end of a test.
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: object, client_address: object) -> None:
        """A sender that disconnects is not an error of the test."""


def _handler_for(receiver: Receiver) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _receive(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            signature = self.headers.get(SIGNATURE_HEADER)
            signed = None if signature is None else verify_signature(body, signature, receiver.secret)
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = receiver._record(Received(self.command, self.path, headers, body, signed))
            time.sleep(seconds_of(answer.delay))
            self.close_connection = True
            if not answer.drop:
                self._send(answer)

        def _send(self, answer: Answer) -> None:
            body = answer.body.encode() if isinstance(answer.body, str) else answer.body
            self.send_response(answer.status)
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = _receive

        def log_message(self, format: str, *args: object) -> None:
            pass

    return Handler
