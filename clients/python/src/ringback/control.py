"""Requests to the control API of one world, over HTTP."""

from __future__ import annotations

import ipaddress
from collections.abc import Mapping
from typing import Any

import httpx

from .errors import ServerUnreachable, error_of

PAGE_SIZE = 1000
READ_TIMEOUT = 30.0


def http_client(url: str, headers: Mapping[str, str]) -> httpx.Client:
    """A client that asks a server on this machine directly, whatever proxy the environment names."""
    host = httpx.URL(url).host
    return httpx.Client(
        base_url=url,
        headers=dict(headers),
        timeout=READ_TIMEOUT,
        trust_env=not _is_near(host),
        # Shorter than a server keeps an idle connection: none is closed while a request is on its way.
        limits=httpx.Limits(keepalive_expiry=2),
    )


def given(**fields: object) -> dict[str, object]:
    """The fields that were given, since None stands for one that was not."""
    return {name: value for name, value in fields.items() if value is not None}


def _is_near(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".internal", ".local"))


class Control:
    """Sends requests with the credentials of one world, and raises errors that speak.

    Everything below `/_sandbox` can be reached with it: `world.control.put("/calling-rules", {"days": ["Monday"]})`.
    """

    def __init__(self, url: str, headers: Mapping[str, str]) -> None:
        self.url = url.rstrip("/")
        self._client = http_client(self.url, headers)

    def send(
        self,
        method: str,
        path: str,
        body: object = None,
        params: Mapping[str, object] | None = None,
        within: float = READ_TIMEOUT,
        also: tuple[int, ...] = (),
    ) -> httpx.Response:
        """One request; raises for an answer of 400 and above, unless its status is one of `also`."""
        given = {name: _text(value) for name, value in (params or {}).items() if value is not None}
        try:
            response = self._client.request(method, f"/_sandbox{path}", params=given, json=body, timeout=within)
        except httpx.TransportError as error:
            reason = str(error) or type(error).__name__
            raise ServerUnreachable(
                f"{method} {self.url}/_sandbox{path} has no answer: {reason}. Is a Ringback server running there?"
            ) from error
        if response.status_code >= 400 and response.status_code not in also:
            raise error_of(response)
        return response

    def get(self, path: str, /, **params: object) -> Any:
        """The `data` of an answer."""
        return self.send("GET", path, params=params).json()["data"]

    def put(self, path: str, body: object) -> Any:
        return self.send("PUT", path, body).json()["data"]

    def post(self, path: str, body: object = None) -> Any:
        response = self.send("POST", path, body)
        return response.json()["data"] if response.content else None

    def delete(self, path: str) -> None:
        self.send("DELETE", path)

    def all(self, path: str, /, **params: object) -> list[Any]:
        """Every item of a list that is answered newest first, from all its pages, oldest first."""
        items: list[Any] = []
        cursor: str | None = None
        while True:
            page = self.send("GET", path, params={**params, "page_size": PAGE_SIZE, "cursor": cursor}).json()
            items += page["data"]
            cursor = page["meta"]["cursor"]
            if cursor is None:
                return items[::-1]

    def close(self) -> None:
        self._client.close()


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
