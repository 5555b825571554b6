"""A running server, and the worlds on it."""

from __future__ import annotations

import contextlib
import re
import time
from collections.abc import Mapping
from typing import cast

from .control import Control, given
from .durations import Duration, seconds_of
from .errors import ApiError, RingbackError, ServerNotReady, ServerUnreachable
from .shapes import Coverage, CreatedWorld, Health
from .shapes import World as WorldShape
from .signature import WORLD_SIGNING_SECRET
from .world import World

_TEST_KEY = re.compile(r"svc_test_([A-Za-z0-9_-]{1,64})(\..*)?")
_WORLD = re.compile(r"[A-Za-z0-9_-]{1,64}")
_BUNDLED = re.compile(r"svc_sandbox_(demo|hipaa|regulated|other)")
_POLL = 0.05


class Server:
    """A server at an address; `token` is its control token, if it has one."""

    def __init__(self, url: str, token: str | None = None) -> None:
        self.url = url.rstrip("/")
        self.token = token or None
        self.receiver_host: str | None = None
        """The name by which the server reaches this machine, if that is not 127.0.0.1."""
        self._control = Control(self.url, _bearer(self.token))

    def __repr__(self) -> str:
        return f"<Server at {self.url}>"

    def health(self) -> Health:
        return cast(Health, self._control.get("/health"))

    def wait_until_ready(self, timeout: Duration = "30s") -> None:
        """Returns as soon as the server serves requests; raises ServerNotReady if it does not in time."""
        until = time.monotonic() + seconds_of(timeout)
        while True:
            try:
                self._control.send("GET", "/ready", within=5)
                return
            except RingbackError as error:
                # Another service at this address does not become a sandbox by waiting.
                waits = isinstance(error, ServerUnreachable) or (isinstance(error, ApiError) and error.status == 503)
                if not waits or time.monotonic() > until:
                    raise ServerNotReady(f"{self.url} is not ready: {error}") from error
            time.sleep(_POLL)

    def world(self, name: str, *, key: str | None = None) -> World:
        """A handle of a world: one that exists, or that its key `svc_test_<name>` makes on first use."""
        if not _WORLD.fullmatch(name):
            raise ValueError(f"{name!r} names no world: a name has 1 to 64 of A-Z, a-z, 0-9, _ and -")
        api_key = key or f"svc_test_{name}"
        control = _bearer(self.token) | {"X-Sandbox-World": name} if self.token else _bearer(api_key)
        return World(self.url, name.lower(), api_key, control, WORLD_SIGNING_SECRET)

    def create_world(
        self,
        name: str | None = None,
        *,
        clock: str | None = None,
        fixtures: str | None = None,
        assumptions: Mapping[str, str | float] | None = None,
    ) -> World:
        """Makes a world, which stays until it is deleted. A name that is taken is an ApiError, `conflict`."""
        fields = given(name=name, clock=clock, fixtures=fixtures, assumptions=assumptions)
        made = cast(CreatedWorld, self._control.post("/worlds", fields))
        key = made["api_key"]
        return World(self.url, made["name"], key, _bearer(made.get("control_key", key)), made["signing_secret"])

    def worlds(self) -> list[WorldShape]:
        return self._control.all("/worlds")

    def delete_world(self, name: str) -> None:
        """Deletes a world if there is one."""
        world = self.world(name)
        try:
            with contextlib.suppress(ApiError):
                world.delete()
        finally:
            world.close()

    def coverage(self, worlds: str = "*", *, min: float | None = None) -> Coverage:
        """What the tests of all these worlds together have met, those of worlds that are gone too."""
        return cast(Coverage, self._control.get("/coverage", worlds=worlds, min=min))

    def close(self) -> None:
        """Closes the connections to the server; the server runs on."""
        self._control.close()


def connect(url: str, *, key: str | None = None, token: str | None = None, world: str | None = None) -> World:
    """A handle of a world of a server that runs elsewhere: that of a key, or one by name."""
    server = Server(url, token)
    try:
        return server.world(world or _world_of(key), key=key)
    finally:
        server.close()


def _world_of(key: str | None) -> str:
    if key is None:
        return "default"
    if found := _TEST_KEY.fullmatch(key) or _BUNDLED.fullmatch(key):
        return found[1]
    return "default"


def _bearer(credential: str | None) -> dict[str, str]:
    return {} if credential is None else {"Authorization": f"Bearer {credential}"}
