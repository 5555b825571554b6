"""The handle of a world, against the built server."""

import asyncio
import threading
import time
from datetime import timedelta

import pytest

from ringback import (
    ApiError,
    EventTimeout,
    Receiver,
    RingbackError,
    Server,
    ServerNotReady,
    ServerUnreachable,
    VerificationFailed,
    World,
    connect,
)

FROM = "+14155550190"


def dial(world: World, scenario: str = "busy") -> str:
    body = {"from_number": FROM, "to_number": world.destination_for(scenario)}
    response = world.api.post("/v1/calls/dial", json=body)
    assert response.status_code == 202, response.text
    return str(response.json()["call_id"])


def test_the_receiver_gets_a_call_when_the_clock_has_moved(ringback: World, ringback_receiver: Receiver) -> None:
    ringback.subscribe(ringback_receiver, "call_busy", "phone_call.ended")
    call_id = dial(ringback)
    assert ringback_receiver.received == []
    steps = ringback.clock.advance("10s")["steps"]
    assert [step["to"] for step in steps] == ["BUSY"]
    got = ringback_receiver.next("call_busy")
    assert (got.json()["id"], got.signed) == (call_id, None)
    assert [each["event_type"] for each in ringback.events()] == [
        "new_call",
        "call_completed",
        "call_busy",
        "phone_call.ended",
    ]
    assert [each["status"] for each in ringback.deliveries()] == ["delivered", "delivered"]
    assert [each["operation"] for each in ringback.requests()][-1] == "dialCall"
    assert ringback.wait_for("call_busy", subject_id=call_id)["payload"]["failure_code"] == "busy"
    assert "QUEUED -> BUSY" in ringback.timeline_text(call_id)
    assert ringback.timeline(call_id)["status"] == "BUSY"


def test_signed_events_are_verified_with_the_secret_of_the_subscription(
    ringback: World, ringback_receiver: Receiver
) -> None:
    ringback.subscribe(ringback_receiver, "number_purchased")
    ringback.emit("number_purchased")
    ringback.clock.advance("1s")
    assert ringback_receiver.next("number_purchased").signed is True
    ringback_receiver.secret = "mine"
    ringback.subscribe(ringback_receiver, "number_released", signing_secret="mine")
    ringback.emit("number_released")
    ringback.clock.advance("1s")
    assert ringback_receiver.next("number_released").signed is True


def test_a_plan_and_the_answers_of_the_receiver_make_retries(ringback: World, ringback_receiver: Receiver) -> None:
    ringback.subscribe(ringback_receiver, "call_busy", plan={"retries": ["5s", "5s"]})
    ringback_receiver.respond(500, 500)
    dial(ringback)
    ringback.clock.until_idle()
    [delivery] = ringback.deliveries("call_busy")
    assert [each["response"] and each["response"].get("status") for each in delivery["attempts"]] == [500, 500, 200]


def test_time_is_moved_by_durations_and_to_instants(ringback: World) -> None:
    start = ringback.clock.now()
    ringback.clock.advance(timedelta(minutes=1))
    ringback.clock.advance(to=start + timedelta(hours=1))
    assert ringback.clock.now() - start == timedelta(hours=1)
    with pytest.raises(TypeError, match="a duration or an instant"):
        ringback.clock.advance()


def test_sleep_advances_a_stopped_clock_and_shortens_a_scaled_one(ringback: World) -> None:
    start = ringback.clock.now()
    began = time.monotonic()
    ringback.sleep(3600)
    ringback.sleep(0.0001)
    assert ringback.clock.now() - start == timedelta(hours=1, milliseconds=1)
    ringback.clock.set("1000x")
    ringback.sleep(60)
    assert time.monotonic() - began < 30
    with pytest.raises(ValueError, match="negative"):
        ringback.sleep(-1)


def test_threads_that_sleep_at_once_wake_when_their_time_has_come(ringback: World) -> None:
    start = ringback.clock.now()
    sleepers = [threading.Thread(target=ringback.sleep, args=(seconds,)) for seconds in (10, 20, 30, 40)]
    for each in sleepers:
        each.start()
    for each in sleepers:
        each.join()
    assert timedelta(seconds=40) <= ringback.clock.now() - start <= timedelta(seconds=100)


def test_an_event_loop_advances_in_a_thread(ringback: World, ringback_receiver: Receiver) -> None:
    async def scene() -> str:
        await asyncio.to_thread(ringback.subscribe, ringback_receiver, "call_busy")
        await asyncio.to_thread(dial, ringback)
        await asyncio.to_thread(ringback.clock.advance, "10s")
        got = await asyncio.to_thread(ringback_receiver.next, "call_busy")
        return str(got.json()["status"])

    assert asyncio.run(scene()) == "BUSY"


def test_what_calls_play_is_chosen_once_or_by_a_list(ringback: World) -> None:
    def outcome() -> str:
        call_id = dial(ringback, "answered")
        ringback.clock.until_idle()
        return str(ringback.api.get(f"/v1/calls/{call_id}").json()["data"]["status"])

    ringback.play("call", ["busy", "no_answer"])
    assert [outcome() for _ in range(3)] == ["BUSY", "NO_ANSWER", "COMPLETED"]
    ringback.play("call", "voicemail")
    assert [outcome() for _ in range(2)] == ["VOICEMAIL", "VOICEMAIL"]
    ringback.stop_playing("call")
    assert outcome() == "COMPLETED"
    ringback.put_scenario("my_busy", {"kind": "call", "summary": "Busy at once.", "extends": "busy"})
    assert "my_busy" in [each["name"] for each in ringback.scenarios("call")]


def test_requests_meet_faults_and_are_verified(ringback: World) -> None:
    ringback.fault(operation="listAgents", error="rate_limited", times=1)
    assert [ringback.api.get("/v1/agents").status_code for _ in range(2)] == [429, 200]
    ringback.fault(path="/v1/**", respond={"status": 502, "body": "<html>"})
    assert ringback.api.get("/v1/agents").text == "<html>"
    ringback.clear_faults()
    assert ringback.verify(operation="listAgents", exactly=3) == 3
    with pytest.raises(VerificationFailed, match=r"expected exactly 1 of .*, but 3 matched"):
        ringback.verify(operation="listAgents", exactly=1)
    with pytest.raises(AssertionError, match=r"near miss: GET /v1/agents .*method"):
        ringback.verify(path="/v1/agents", method="POST")


def test_the_outside_world_acts(ringback: World) -> None:
    assert ringback.simulate.inbound_call(scenario="no_answer")["direction"] == "inbound"
    assert ringback.simulate.inbound_sms(body="Hello")["body"] == "Hello"
    assert ringback.simulate.new_contact(name="Ada", phone_number=None)["phone_number"] is None
    assert ringback.simulate.new_appointment(title="Check-up")["title"] == "Check-up"


def test_keys_snapshots_rules_and_coverage(ringback: World) -> None:
    key = ringback.keys.create(scopes=["calls:read"])
    assert key["scopes"] == ["calls:read"]
    assert key["id"] in [each["id"] for each in ringback.keys.list()]
    ringback.keys.revoke(key["id"])
    before = ringback.snapshot("before")
    dial(ringback)
    before.restore()
    assert ringback.events() == []
    before.delete()
    ringback.calling_rules({"do_not_call": ["+12125550101"]})
    body = {"from_number": FROM, "to_number": "+12125550101"}
    assert ringback.api.post("/v1/calls/dial", json=body).json()["error"]["code"] == "dnc_suppressed"
    assert "dnc_suppressed" in str(ringback.coverage()["error_codes"])
    assert ringback.lead_sources()[0]["url_token"] == f"lead_{ringback.name}"
    ringback.reset()
    assert ringback.requests() == []


def test_lists_are_whole_and_oldest_first(ringback: World) -> None:
    for _ in range(3):
        ringback.api.get("/v1/agents")
    all_pages = ringback.control.all("/requests")
    assert [each["id"] for each in all_pages] == [each["id"] for each in ringback.requests()]
    assert all_pages[0]["id"] < all_pages[-1]["id"] or len({each["id"] for each in all_pages}) == 3


def test_an_event_that_does_not_happen_is_a_timeout(ringback: World) -> None:
    with pytest.raises(TimeoutError) as caught:
        ringback.wait_for("call_busy", timeout="20ms")
    assert isinstance(caught.value, EventTimeout)
    assert caught.value.code == "timeout"


def test_errors_say_what_was_wrong(ringback: World, ringback_server: Server) -> None:
    with pytest.raises(ApiError, match=r"PUT .*/clock was answered 400 validation_error: (?s:.*)mode ") as caught:
        ringback.clock.set("fast")
    assert (caught.value.code, "mode" in caught.value.fields) == ("validation_error", True)
    with pytest.raises(ApiError, match="401 unauthorized"):
        connect(ringback_server.url, key="svc_wrong").events()
    with pytest.raises(ValueError, match="names no world"):
        ringback_server.world("a b")
    with pytest.raises(ValueError, match="has no number"):
        ringback.destination_for("buzy")
    with pytest.raises(ApiError, match="validation_error"):
        ringback.subscribe("http://127.0.0.1:9/", "call_bizzy")


def test_an_address_where_nothing_or_something_else_answers_is_named() -> None:
    with Receiver() as other:
        other.respond_always(404)
        with pytest.raises(RingbackError, match="not by a Ringback server"):
            Server(other.url).health()
        nobody = other.url
    with pytest.raises(ServerUnreachable, match=r"has no answer: .*Is a Ringback server running there"):
        Server(nobody).health()
    with pytest.raises(ServerNotReady, match="is not ready"):
        Server(nobody).wait_until_ready("10ms")


def test_connect_is_the_same_handle_by_a_key(ringback: World, ringback_server: Server) -> None:
    same = connect(ringback_server.url, key=f"{ringback.api_key}.other")
    assert same.name == ringback.name
    assert same.clock.now() == ringback.clock.now()
    assert connect(ringback_server.url, key="svc_sandbox_demo").name == "demo"
    same.close()


def test_worlds_are_made_listed_and_deleted(ringback_server: Server) -> None:
    made = ringback_server.create_world("made-by-hand", clock="instant", fixtures="regulated")
    assert made.clock.state()["mode"] == "instant"
    assert "made-by-hand" in [each["name"] for each in ringback_server.worlds()]
    made.api.get("/v1/agents")
    ringback_server.delete_world("made-by-hand")
    ringback_server.delete_world("made-by-hand")
    assert "made-by-hand" not in [each["name"] for each in ringback_server.worlds()]
    assert ringback_server.coverage("made-*")["world_count"] >= 1
    assert ringback_server.health()["status"] == "ok"
    made.close()
