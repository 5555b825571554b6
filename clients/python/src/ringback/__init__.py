"""Test against Ringback, a sandbox of the Voice Platform API.

`connect(url, key=...)` is a handle of a world of a server that runs, `start_server()` starts one, `Receiver` receives
webhooks, and `verify_signature` checks them. With pytest, the fixtures `ringback`, `ringback_receiver` and
`ringback_server` are there as soon as the package is installed.
"""

from . import shapes
from .clock import Clock
from .durations import Duration
from .errors import (
    AdvanceIncomplete,
    ApiError,
    EventTimeout,
    RingbackError,
    ServerNotReady,
    ServerUnreachable,
    VerificationFailed,
)
from .launch import Launch, start_server
from .receiver import Answer, Received, Receiver
from .server import Server, connect
from .signature import SIGNATURE_HEADER, WORLD_SIGNING_SECRET, verify_signature
from .snapshot import Snapshot
from .world import World

__all__ = [
    "SIGNATURE_HEADER",
    "WORLD_SIGNING_SECRET",
    "AdvanceIncomplete",
    "Answer",
    "ApiError",
    "Clock",
    "Duration",
    "EventTimeout",
    "Launch",
    "Received",
    "Receiver",
    "RingbackError",
    "Server",
    "ServerNotReady",
    "ServerUnreachable",
    "Snapshot",
    "VerificationFailed",
    "World",
    "connect",
    "shapes",
    "start_server",
    "verify_signature",
]
