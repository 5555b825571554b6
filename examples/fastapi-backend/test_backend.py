import backend as backend_module
import httpx
import pytest
from ringback import World


def remind(backend: httpx.Client, ringback: World, scenario: str) -> httpx.Response:
    return backend.post("/reminders", json={"phone_number": ringback.destination_for(scenario)})


@pytest.mark.parametrize(
    ("scenario", "outcome"),
    [("answered", "reached"), ("busy", "call again"), ("voicemail", "call again")],
)
def test_knows_how_a_call_went(backend: httpx.Client, ringback: World, scenario: str, outcome: str) -> None:
    ringback.subscribe(f"{backend.base_url}/webhooks/call_completed", "call_completed")
    reminder = remind(backend, ringback, scenario).json()["id"]
    assert backend.get(f"/reminders/{reminder}").json() == {"outcome": "calling"}
    # Returns when the call has ended and the webhook was answered.
    ringback.clock.until_idle()
    assert backend.get(f"/reminders/{reminder}").json() == {"outcome": outcome}


def test_waits_as_long_as_it_is_asked_to(
    backend: httpx.Client, ringback: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    waited = []
    monkeypatch.setattr(backend_module.time, "sleep", lambda s: (waited.append(s), ringback.sleep(s)))
    answer = {"status": 429, "headers": {"Retry-After": "30"}}
    ringback.fault(operation="dialCall", respond=answer, times=2)
    assert remind(backend, ringback, "answered").status_code == 201
    assert waited == [30, 30]
    ringback.verify(operation="dialCall", exactly=3)


def test_says_why_a_person_may_not_be_called(backend: httpx.Client, ringback: World) -> None:
    response = remind(backend, ringback, "dnc_suppressed")
    assert (response.status_code, response.json()["detail"]) == (422, "dnc_suppressed")


def test_believes_a_signature_and_refuses_a_forged_one(backend: httpx.Client, ringback: World) -> None:
    hook = f"{backend.base_url}/webhooks/number_purchased"
    [subscription] = ringback.subscribe(hook, "number_purchased")
    ringback.emit("number_purchased")
    ringback.clock.until_idle()
    assert len(backend.get("/numbers").json()) == 1

    ringback.control.put(f"/webhook-subscriptions/{subscription['id']}", {"plan": {"tamper": 1}})
    ringback.emit("number_purchased")
    ringback.clock.until_idle()
    assert [each["status"] for each in ringback.deliveries()] == ["delivered", "failed"]
    assert len(backend.get("/numbers").json()) == 1
