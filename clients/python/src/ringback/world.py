"""The handle of one world: what a test sees of it, and what it can make happen in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Literal, cast

import httpx

from .clock import Clock
from .control import READ_TIMEOUT, Control, given, http_client
from .durations import Duration, duration_text, instant_text, seconds_of
from .errors import RingbackError, VerificationFailed, error_of
from .keys import Keys
from .shapes import (
    CallingRules,
    Coverage,
    Delivery,
    DeliveryPlan,
    ErrorCode,
    Event,
    LeadSource,
    RawAnswer,
    RecordedRequest,
    RequestVerification,
    SignedSubscription,
    Timeline,
    WorldFault,
)
from .shapes import Scenario as ScenarioShape
from .simulate import Simulate
from .snapshot import Snapshot

if TYPE_CHECKING:
    from .receiver import Receiver


class World:
    """One organization with everything that belongs to it, selected by its API key."""

    def __init__(
        self, url: str, name: str, api_key: str, control_headers: Mapping[str, str], signing_secret: str
    ) -> None:
        self.url = url
        self.name = name
        self.api_key = api_key
        self.signing_secret = signing_secret
        """What its webhooks are signed with, unless a subscription has a secret of its own."""
        self.control = Control(url, control_headers)
        """Requests to the control API that have no method here."""
        self.api: httpx.Client = http_client(url, {"Authorization": f"Bearer {api_key}"})
        """An HTTP client of the platform's API, with the key of this world: `world.api.get("/v1/agents")`."""
        self.clock = Clock(self.control)
        self.simulate = Simulate(self.control)
        self.keys = Keys(self.control)

    def __repr__(self) -> str:
        return f"<World {self.name} at {self.url}>"

    def sleep(self, duration: Duration) -> None:
        """`clock.sleep`: put it in the place of `time.sleep` in the code under test."""
        self.clock.sleep(duration)

    # What happened, oldest first.

    def requests(
        self,
        *,
        method: str | None = None,
        path: str | None = None,
        operation: str | None = None,
        status: int | None = None,
        since: datetime | str | None = None,
    ) -> list[RecordedRequest]:
        """The requests to the platform's API."""
        after = None if since is None else instant_text(since)
        return self.control.all("/requests", method=method, path=path, operation=operation, status=status, since=after)

    def events(self, event_type: str | None = None, *, subject_id: str | None = None) -> list[Event]:
        """The events that were emitted, whether or not anyone has subscribed."""
        return self.control.all("/events", event_type=event_type, subject_id=subject_id)

    def deliveries(
        self, event_type: str | None = None, *, status: str | None = None, subscription_id: str | None = None
    ) -> list[Delivery]:
        """The webhook deliveries with their attempts."""
        return self.control.all("/deliveries", event_type=event_type, status=status, subscription_id=subscription_id)

    def redeliver(self, delivery_id: str) -> Delivery:
        return cast(Delivery, self.control.post(f"/deliveries/{delivery_id}/redeliver"))

    def timeline(self, subject_id: str) -> Timeline:
        """What led to a record, or to a request, and what followed from it."""
        return cast(Timeline, self.control.get("/timeline", subject_id=subject_id))

    def timeline_text(self, subject_id: str, form: Literal["text", "mermaid"] = "text") -> str:
        """The timeline as text, or as a Mermaid diagram."""
        return self.control.send("GET", "/timeline", params={"subject_id": subject_id, "format": form}).text

    def wait_for(
        self,
        event_type: str,
        *,
        subject_id: str | None = None,
        delivered: bool | None = None,
        since: datetime | str | None = None,
        timeout: Duration = "10s",
    ) -> Event:
        """The first event that matches, past events included; waits for it in real time.

        With `delivered`, each of its deliveries must have been accepted. Raises EventTimeout, which is a TimeoutError.
        A stopped clock does not move meanwhile: advance it first, with `clock.advance`.
        """
        params = {
            "event_type": event_type,
            "subject_id": subject_id,
            "delivered": delivered,
            "since": None if since is None else instant_text(since),
            "timeout": duration_text(timeout),
        }
        answer = self.control.send("GET", "/wait", params=params, within=seconds_of(timeout) + READ_TIMEOUT)
        return cast(Event, answer.json()["data"])

    def verify(
        self,
        *,
        method: str | None = None,
        path: str | None = None,
        operation: str | None = None,
        body: object = None,
        headers: Mapping[str, str] | None = None,
        exactly: int | None = None,
        at_least: int | None = None,
        at_most: int | None = None,
    ) -> int:
        """Counts the platform requests that match, and checks their number; without a number, there must be one.

        Returns their number; raises VerificationFailed, an AssertionError with the nearest misses.
        """
        match = given(method=method, path=path, operation=operation, body=body, headers=headers)
        counts = given(exactly=exactly, at_least=at_least, at_most=at_most)
        answer = self.control.send("POST", "/requests/verify", {"match": match, **counts}, also=(409,)).json()
        if "data" not in answer:
            # Also 409: the journal has dropped entries that the answer would depend on.
            raise RingbackError(f"{answer['error']['message']} {answer['error'].get('resolution_hint', '')}")
        result = cast(RequestVerification, answer["data"])
        if not result["passed"]:
            wanted = " and ".join(f"{name} {count}" for name, count in counts.items()) or "at least 1"
            raise VerificationFailed(f"{wanted} of {match}", result["actual"], result.get("misses", []))
        return result["actual"]

    def coverage(self, *, worlds: str | None = None, min: float | None = None) -> Coverage:
        """What its tests have met and what not; `worlds="test_*"` adds up several worlds, deleted ones included."""
        return cast(Coverage, self.control.get("/coverage", worlds=worlds, min=min))

    # What is to happen.

    def subscribe(
        self,
        target: str | Receiver,
        *event_types: str,
        plan: DeliveryPlan | None = None,
        signing_secret: str | None = None,
        campaign_id: str | None = None,
    ) -> list[SignedSubscription]:
        """Subscribes an address, or a receiver, to each of these types.

        A receiver is given a path for each type, because bodies do not say which type they are.
        """
        if not event_types:
            raise TypeError('subscribe takes event types: subscribe(receiver, "call_busy", "call_completed")')
        return [
            self._subscribe_one(
                target if isinstance(target, str) else target.url_of(event_type),
                event_type,
                given(plan=plan, signing_secret=signing_secret),
                given(campaign_id=campaign_id),
            )
            for event_type in event_types
        ]

    def _subscribe_one(
        self, url: str, event_type: str, changes: dict[str, object], more: dict[str, object]
    ) -> SignedSubscription:
        body = {"webhook_url": url, "event_type": event_type, **more}
        response = self.api.post("/api/v1/webhook_subscriptions", json=body)
        if response.status_code >= 400:
            raise error_of(response)
        path = f"/webhook-subscriptions/{response.json()['id']}"
        subscription = self.control.put(path, changes) if changes else self.control.get(path)
        return cast(SignedSubscription, subscription)

    def webhook_plan(self, plan: DeliveryPlan | None) -> None:
        """How the deliveries of every subscription without a plan of its own are sent; None as the platform does."""
        if plan is None:
            self.control.delete("/webhook-plan")
        else:
            self.control.put("/webhook-plan", plan)

    def play(self, kind: str, scenarios: str | Sequence[str]) -> None:
        """What requests of a kind play: one scenario from now on, or a list of which each takes the next.

        `play("call", "busy;ring=2s")`, `play("call", ["busy", "answered"])`.
        """
        use = scenarios if isinstance(scenarios, str) else list(scenarios)
        self.control.put(f"/active-scenarios/{kind}", {"use": use})

    def stop_playing(self, kind: str) -> None:
        """Magic numbers and the default scenario apply again."""
        self.control.delete(f"/active-scenarios/{kind}")

    def scenarios(self, kind: str | None = None) -> list[ScenarioShape]:
        return sorted(self.control.all("/scenarios", kind=kind), key=lambda each: str(each["name"]))

    def put_scenario(self, name: str, scenario: Mapping[str, object]) -> ScenarioShape:
        """Adds a scenario to this world, with the fields of a scenario file."""
        return cast(ScenarioShape, self.control.put(f"/scenarios/{name}", dict(scenario)))

    def destination_for(self, scenario: str, area_code: str = "212") -> str:
        """A number that plays a scenario when it is called or texted: `destination_for("busy")`."""
        numbers = {each["scenario"]: each["number"] for each in self.control.get("/catalog")["numbers"]}
        if scenario not in numbers:
            raise ValueError(f"{scenario!r} has no number; these have: {', '.join(sorted(numbers))}")
        return f"+1{area_code}55501{numbers[scenario]}"

    def fault(
        self,
        *,
        operation: str | None = None,
        method: str | None = None,
        path: str | None = None,
        error: ErrorCode | None = None,
        fault: Literal["reset", "empty", "truncate", "timeout"] | None = None,
        respond: RawAnswer | None = None,
        latency: str | None = None,
        drift: Sequence[Literal["extra_fields", "unknown_enum", "timestamps_offset"]] | None = None,
        when: Literal["before", "after"] | None = None,
        probability: float | None = None,
        nth: int | None = None,
        skip: int | None = None,
        times: int | None = None,
        ttl: str | None = None,
    ) -> WorldFault:
        """Lets requests of this world go wrong, without a header in the client: `fault(operation="dialCall",
        error="rate_limited", times=2)`."""
        fields = given(
            operation=operation,
            method=method,
            path=path,
            error=error,
            fault=fault,
            respond=respond,
            latency=latency,
            drift=drift,
            when=when,
            probability=probability,
            nth=nth,
            skip=skip,
            times=times,
            ttl=ttl,
        )
        return cast(WorldFault, self.control.put("/faults", fields))

    def clear_faults(self) -> None:
        self.control.delete("/faults")

    def emit(self, event_type: str, data: Mapping[str, object] | None = None) -> Event:
        """Emits an event by hand, about an existing record where it can."""
        body = {"event_type": event_type, **given(data=data)}
        return cast(Event, self.control.post("/events", body))

    def calling_rules(self, rules: Mapping[str, object] | None = None) -> CallingRules:
        """Whom this world may call, and when; replaces the rules if some are given."""
        path = "/calling-rules"
        return cast(CallingRules, self.control.get(path) if rules is None else self.control.put(path, rules))

    def verification_code(self, caller_id: str) -> str:
        """What the verification call of a caller ID would have spoken."""
        return str(self.control.get(f"/caller-ids/{caller_id}/verification-code")["verification_code"])

    def lead_sources(self) -> list[LeadSource]:
        return self.control.all("/lead-sources")

    def snapshot(self, name: str | None = None) -> Snapshot:
        """Keeps the world as it is now, to be restored later."""
        return Snapshot.create(self.control, name)

    def reset(self) -> None:
        """Returns the world to its fixture."""
        self.control.post("/reset")

    def delete(self) -> None:
        """Deletes the world from its server."""
        self.control.delete(f"/worlds/{self.name}")

    def close(self) -> None:
        """Closes the connections to the server; the world stays."""
        self.api.close()
        self.control.close()
