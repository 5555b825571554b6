"""What a world has seen, as text for the report of a failed test."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .errors import RingbackError
from .receiver import Receiver
from .shapes import Delivery, RecordedRequest
from .world import World

LINES = 50
TIMELINES = 5


def report_of(world: World) -> str:
    """Its requests, deliveries and timelines; what cannot be read says why."""
    try:
        requests = world.requests()
        deliveries = world.deliveries()
        subjects = [event["subject"] for event in world.events()]
        ids = list(dict.fromkeys(subject["id"] for subject in subjects if subject is not None))
        timelines = [world.timeline_text(each).rstrip() for each in ids[-TIMELINES:]]
        now = world.clock.state()["now"]
    except RingbackError as error:
        return f"world {world.name} at {world.url}: {error}"
    left_out = len(ids) - len(timelines)
    parts = [
        f"world {world.name} at {world.url}, key {world.api_key}, its time {now}",
        _section("requests", map(_request, requests)),
        _section("deliveries", map(_delivery, deliveries)),
        *[f"timeline of {text}" for text in timelines],
        *([f"({left_out} more records have a timeline)"] if left_out > 0 else []),
    ]
    return "\n\n".join(parts)


def report_of_receiver(receiver: Receiver) -> str:
    return _section(f"received at {receiver.url}", map(repr, receiver.received))


def _section(name: str, lines: Iterable[str]) -> str:
    every = list(lines)
    shown: Sequence[str] = every[-LINES:]
    left_out = len(every) - len(shown)
    head = [f"{name}: none"] if not every else [f"{name}:"]
    return "\n".join([*head, *([f"  ({left_out} earlier)"] if left_out else []), *(f"  {line}" for line in shown)])


def _request(request: RecordedRequest) -> str:
    query = f"?{request['query']}" if request["query"] else ""
    error = f" {request['error_code']}" if request["error_code"] else ""
    scenario = request["scenario"]
    played = f", {scenario['name']}" if scenario else ""
    return f"{request['at']}  {request['method']} {request['path']}{query} -> {request['status']}{error}{played}"


def _delivery(delivery: Delivery) -> str:
    attempts = delivery["attempts"]
    last = attempts[-1] if attempts else None
    response = last["response"] if last else None
    answer = f", answered {response['status']}" if response and "status" in response else ""
    error = f", {last['error_class']}: {last['error']}" if last and last["error_class"] else ""
    held = f", held by {delivery['held_by']}" if delivery["held_by"] else ""
    return (
        f"{delivery['created_at']}  {delivery['event_type']} to {delivery['url']}: {delivery['status']}"
        f"{answer}{error}{held}"
    )
