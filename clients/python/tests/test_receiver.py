import json
import threading
import time
from collections.abc import Iterator

import httpx
import pytest

from ringback import SIGNATURE_HEADER, WORLD_SIGNING_SECRET, Answer, Receiver
from ringback.signature import sign


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as receiver:
        yield receiver


def post(receiver: Receiver, event_type: str, body: bytes = b"{}", signature: str | None = None) -> httpx.Response:
    headers = {} if signature is None else {SIGNATURE_HEADER: signature}
    return httpx.post(receiver.url_of(event_type), content=body, headers=headers, trust_env=False)


def test_it_records_raw_bodies_and_checks_signatures(receiver: Receiver) -> None:
    body = b'{ "id" : "1" }'
    post(receiver, "number_purchased", body, sign(body, WORLD_SIGNING_SECRET))
    post(receiver, "number_purchased", body, sign(body, "other"))
    post(receiver, "call_busy", body)
    assert [(each.body, each.event_type, each.signed) for each in receiver.received] == [
        (body, "number_purchased", True),
        (body, "number_purchased", False),
        (body, "call_busy", None),
    ]


def test_next_returns_each_request_once_and_in_order(receiver: Receiver) -> None:
    for n in range(3):
        post(receiver, "call_busy" if n % 2 else "new_call", json.dumps({"n": n}).encode())
    assert receiver.next("call_busy").json() == {"n": 1}
    assert receiver.next().json() == {"n": 0}
    assert receiver.next({"n": 2}).event_type == "new_call"
    with pytest.raises(TimeoutError, match=r"no request that matches 'call_busy'.*(?s:.*)returned before"):
        receiver.next("call_busy", timeout="10ms")


def test_next_waits_for_what_comes_later(receiver: Receiver) -> None:
    later = threading.Timer(0.05, post, (receiver, "call_busy"))
    later.start()
    assert receiver.next(lambda got: got.method == "POST").event_type == "call_busy"
    later.join()


def test_it_answers_as_it_is_told(receiver: Receiver) -> None:
    receiver.respond(500, Answer(202, body="later", headers={"Retry-After": "1"}))
    answers = [post(receiver, "call_busy") for _ in range(3)]
    assert [each.status_code for each in answers] == [500, 202, 200]
    assert (answers[1].text, answers[1].headers["retry-after"]) == ("later", "1")
    receiver.respond_always(503)
    assert post(receiver, "call_busy").status_code == 503


def test_it_can_drop_a_connection_and_be_slow(receiver: Receiver) -> None:
    receiver.respond(Answer(drop=True), Answer(delay="50ms"))
    with pytest.raises(httpx.TransportError):
        post(receiver, "call_busy")
    began = time.monotonic()
    post(receiver, "call_busy")
    assert time.monotonic() - began >= 0.05
    assert len(receiver.received) == 2


def test_a_body_that_is_no_object_matches_no_fields(receiver: Receiver) -> None:
    post(receiver, "a", b"not json")
    post(receiver, "a", b"[1]")
    assert receiver.of({"id": "1"}) == []
    assert len(receiver.of("a")) == 2
