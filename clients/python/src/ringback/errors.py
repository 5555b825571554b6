"""What can go wrong, in words that say what to do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import httpx

from .shapes import ErrorDetail, NearMiss


class RingbackError(Exception):
    """Whatever this package raises about a sandbox."""


class ServerUnreachable(RingbackError):
    """Nothing answers at the address."""


class ServerNotReady(RingbackError):
    """A server was started, and did not become ready."""


class ApiError(RingbackError):
    """An answer with an error; `code` is what to branch on."""

    def __init__(self, request: str, status: int, error: ErrorDetail) -> None:
        self.status = status
        self.code: str = error.get("code", "unknown")
        self.message = error.get("message", "")
        self.resolution_hint = error.get("resolution_hint")
        self.fields: dict[str, str] = error.get("fields", {})
        wrong = "; ".join(f"{name} {what}" for name, what in self.fields.items())
        parts = [
            f"{request} was answered {status} {self.code}: {self.message}",
            wrong,
            self.resolution_hint or "",
        ]
        super().__init__("\n  ".join(part for part in parts if part))


class EventTimeout(ApiError, TimeoutError):
    """An event that was waited for has not happened in time."""


class AdvanceIncomplete(RingbackError):
    """The clock did not get as far as asked within the time limit of an advance."""


class VerificationFailed(RingbackError, AssertionError):
    """Other requests were made than expected; `misses` has the nearest of those that do not match."""

    def __init__(self, expected: str, actual: int, misses: Sequence[NearMiss]) -> None:
        self.actual = actual
        self.misses = list(misses)
        super().__init__("\n".join([f"expected {expected}, but {actual} matched", *map(_miss, misses)]))


def _miss(miss: NearMiss) -> str:
    differences = "; ".join(
        f"{each['field']} is {each.get('actual')!r}, expected {each.get('expected')!r}" for each in miss["differences"]
    )
    return f"  near miss: {miss['method']} {miss['path']} ({differences})"


def error_of(response: httpx.Response) -> ApiError | RingbackError:
    """The error that an answer has in its envelope."""
    request = f"{response.request.method} {response.request.url}"
    try:
        body: Any = response.json()
    except ValueError:
        body = None
    error = body.get("error") if isinstance(body, dict) else None
    if not isinstance(error, dict):
        start = response.text[:200]
        return RingbackError(f"{request} was answered {response.status_code}, and not by a Ringback server: {start!r}")
    kind = EventTimeout if error.get("code") == "timeout" else ApiError
    return kind(request, response.status_code, cast(ErrorDetail, error))
