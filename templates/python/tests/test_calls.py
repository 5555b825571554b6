"""Examples of tests with Ringback: each has a world of its own, and a clock that stands until the test moves it.

Put your code in the place of `dial`: give it `ringback.url` as the address of the platform, and `ringback.api_key`.
"""

import pytest
from ringback import Receiver, World


def dial(ringback: World, to_number: str = "+12125550147") -> str:
    body = {"from_number": "+14155550190", "to_number": to_number}
    response = ringback.api.post("/v1/calls/dial", json=body)
    response.raise_for_status()
    return str(response.json()["call_id"])


@pytest.mark.parametrize(
    ("scenario", "status"),
    [("answered", "COMPLETED"), ("busy", "BUSY"), ("no_answer", "NO_ANSWER"), ("quick_answer", "COMPLETED")],
)
def test_a_webhook_says_how_a_call_ended(
    ringback: World, ringback_receiver: Receiver, scenario: str, status: str
) -> None:
    ringback.subscribe(ringback_receiver, "call_completed")
    ringback.play("call", scenario)
    call_id = dial(ringback)
    # Returns when the call has ended and its webhook was answered: nothing sleeps.
    ringback.clock.until_idle()
    event = ringback_receiver.next("call_completed").json()
    assert (event["id"], event["status"]) == (call_id, status)


def test_a_webhook_that_failed_comes_again(ringback: World, ringback_receiver: Receiver) -> None:
    ringback.subscribe(ringback_receiver, "call_busy", plan={"retries": "short"})
    ringback_receiver.respond(500, 500)
    dial(ringback, ringback.destination_for("busy"))
    ringback.clock.until_idle()
    assert len(ringback_receiver.of("call_busy")) == 3


def test_a_person_who_may_not_be_called_is_refused(ringback: World) -> None:
    ringback.calling_rules({"do_not_call": ["+12125550148"]})
    body = {"from_number": "+14155550190", "to_number": "+12125550148"}
    response = ringback.api.post("/v1/calls/dial", json=body)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "dnc_suppressed")
    ringback.verify(operation="dialCall", exactly=1)
