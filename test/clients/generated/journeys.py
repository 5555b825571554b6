"""The main journeys with clients that openapi-python-client generates from the contract and from the control API's document.

docs/clients.md has the commands. RINGBACK_URL and RINGBACK_KEY say where and as whom, RECEIVER_URL what takes webhooks.
"""

import json
import os
import uuid

from ringback_control import AuthenticatedClient as ControlClient
from ringback_control.api.clock import advance_clock, set_clock
from ringback_control.api.deliveries import list_deliveries
from ringback_control.api.events import wait_for_event
from ringback_control.api.worlds import reset_world
from ringback_control.models import (
    AdvanceClockRequest,
    AdvanceResponse,
    DeliveryPage,
    EventResponse,
    EventType as WaitedType,
    SetClockRequest,
)
from voice_platform import AuthenticatedClient
from voice_platform.api.caller_trust import create_enterprise, get_enterprise, sign_and_submit_enterprise
from voice_platform.api.calls import dial_call, get_call, get_call_transcript, list_calls
from voice_platform.api.phone_numbers import create_phone_number, get_phone_number, list_available_phone_numbers
from voice_platform.api.sms import get_message, send_message
from voice_platform.api.webhook_subscriptions import create_webhook_subscription
from voice_platform.models import (
    AvailablePhoneNumberPage,
    CallEvent,
    CallPage,
    CallResponse,
    CallStatus,
    DialAccepted,
    DialRequest,
    EnterpriseRequest,
    EnterpriseResponse,
    EnterpriseSignature,
    EnterpriseSignatureConfirmCarrierCommit as Commit,
    EnterpriseStatus,
    ErrorCode,
    ErrorEnvelope,
    EventType,
    FailureCode,
    MessageRequest,
    MessageResponse,
    MessageStatus,
    NumberLifecycleEvent,
    PhoneNumberRequest,
    PhoneNumberResponse,
    TranscriptResponse,
    WebhookSubscription,
    WebhookSubscriptionRequest,
)

URL = os.environ["RINGBACK_URL"]
KEY = os.environ["RINGBACK_KEY"]
FROM = "+14155550190"  # owned by every world, verified and approved for texting

platform = AuthenticatedClient(base_url=URL, token=KEY)
control = ControlClient(base_url=URL, token=KEY)


def advance(body: AdvanceClockRequest) -> None:
    answer = advance_clock.sync(client=control, body=body)
    assert isinstance(answer, AdvanceResponse) and answer.data.complete


def subscribe(event_type: EventType) -> None:
    body = WebhookSubscriptionRequest(webhook_url=os.environ["RECEIVER_URL"], event_type=event_type)
    assert isinstance(create_webhook_subscription.sync(client=platform, body=body), WebhookSubscription)


def told(event_type: str) -> str:
    """The body of the newest delivery of that type, which the receiver has taken."""
    page = list_deliveries.sync(client=control, event_type=WaitedType(event_type))
    assert isinstance(page, DeliveryPage) and page.data[0].status == "delivered"
    return page.data[0].body


def dial(to: str) -> str:
    accepted = dial_call.sync(client=platform, body=DialRequest(from_number=FROM, to_number=to))
    assert isinstance(accepted, DialAccepted)
    return accepted.call_id


def calls() -> str:
    subscribe(EventType.CALL_BUSY)
    busy = dial("+12125550101")
    advance(AdvanceClockRequest(by="10s"))
    event = wait_for_event.sync(client=control, event_type=WaitedType.CALL_BUSY, call_id=busy)
    assert isinstance(event, EventResponse) and event.data.payload["id"] == busy
    body = CallEvent.from_dict(json.loads(told("call_busy")))
    assert body.id == busy and body.failure_code is FailureCode.BUSY
    call = get_call.sync(id=busy, client=platform)
    assert isinstance(call, CallResponse) and call.data.status is CallStatus.BUSY

    answered = dial("+12125550100")
    advance(AdvanceClockRequest(until="idle"))
    call = get_call.sync(id=answered, client=platform)
    assert isinstance(call, CallResponse) and call.data.status is CallStatus.COMPLETED
    assert call.data.started_at and call.data.ended_at and call.data.ended_at > call.data.started_at
    spoken = get_call_transcript.sync(id=answered, client=platform)
    assert isinstance(spoken, TranscriptResponse)
    assert {turn.role for turn in spoken.data.structured_transcript} == {"agent", "user"}
    return "one busy, as the webhook told; one answered, with its transcript"


def numbers() -> str:
    subscribe(EventType.NUMBER_PURCHASED)
    offers = list_available_phone_numbers.sync(client=platform, area_code="212")
    assert isinstance(offers, AvailablePhoneNumberPage)
    body = PhoneNumberRequest(phone_number=offers.data[0].phone_number, name="New York")
    bought = create_phone_number.sync(client=platform, body=body)
    assert isinstance(bought, PhoneNumberResponse) and not bought.data.is_active
    advance(AdvanceClockRequest(by="8s"))
    bought = get_phone_number.sync(id=str(bought.data.id), client=platform)
    assert isinstance(bought, PhoneNumberResponse) and bought.data.is_active
    event = NumberLifecycleEvent.from_dict(json.loads(told("number_purchased")))
    assert event.payload.phone_number == bought.data.phone_number

    text = MessageRequest(from_number=FROM, to_number="+12125550140", body="See you tomorrow.")
    message = send_message.sync(client=platform, body=text)
    assert isinstance(message, MessageResponse)
    advance(AdvanceClockRequest(until="idle"))
    message = get_message.sync(id=message.data.id, client=platform)
    assert isinstance(message, MessageResponse) and message.data.status is MessageStatus.DELIVERED
    return "a number bought, as the webhook told; a message delivered"


def enterprise() -> str:
    details = EnterpriseRequest(legal_name="Harbor Street Dental, Inc.", ein="12-3456789")
    draft = create_enterprise.sync(client=platform, body=details)
    assert isinstance(draft, EnterpriseResponse) and draft.data.status is EnterpriseStatus.DRAFT
    signature = EnterpriseSignature(
        signer_full_name="Robin Ashdown",
        signer_email="robin@harborstreet.example",
        signer_title="Owner",
        consent_acknowledged_at="2026-01-05T14:59:00Z",
        confirm_carrier_commit=Commit.I_UNDERSTAND_THIS_SUBMITS_TO_THE_CARRIER,
    )
    signed = sign_and_submit_enterprise.sync(client=platform, body=signature)
    assert isinstance(signed, EnterpriseResponse) and signed.data.status is EnterpriseStatus.PENDING_VETTING
    advance(AdvanceClockRequest(until="idle"))
    vetted = get_enterprise.sync(client=platform)
    assert isinstance(vetted, EnterpriseResponse) and vetted.data.status is EnterpriseStatus.APPROVED
    return "signed, submitted and approved"


def pages() -> str:
    seen: list[str] = []
    cursor: str | None = ""
    while cursor is not None:
        page = list_calls.sync(client=platform, page_size=2, **({"cursor": cursor} if cursor else {}))
        assert isinstance(page, CallPage)
        seen += [call.id for call in page.data]
        cursor = page.meta.cursor
    assert len(seen) == len(set(seen)) > 2
    return "every call once, over several pages"


def errors() -> str:
    def expect(status: int, code: ErrorCode, answer: object, got: int) -> ErrorEnvelope:
        assert isinstance(answer, ErrorEnvelope), answer
        assert (got, answer.error.code) == (status, code), answer
        return answer

    body = DialRequest(from_number=FROM, to_number="call me")
    bad = dial_call.sync_detailed(client=platform, body=body)
    fields = expect(400, ErrorCode.DESTINATION_INVALID, bad.parsed, bad.status_code).error.fields
    assert fields and "to_number" in fields.additional_properties
    stranger = AuthenticatedClient(base_url=URL, token="svc_sandbox_revoked")
    refused = get_call.sync_detailed(id="nowhere", client=stranger)
    expect(401, ErrorCode.UNAUTHORIZED, refused.parsed, refused.status_code)
    unknown = get_call.sync_detailed(id="nowhere", client=platform)
    expect(404, ErrorCode.NOT_FOUND, unknown.parsed, unknown.status_code)

    key = str(uuid.uuid4())
    body = DialRequest(from_number=FROM, to_number="+12125550100")
    first = dial_call.sync_detailed(client=platform, body=body, idempotency_key=key)
    again = dial_call.sync_detailed(client=platform, body=body, idempotency_key=key)
    assert first.content == again.content and again.headers["Idempotency-Replayed"] == "true"
    other = DialRequest(from_number=FROM, to_number="+12125550101")
    conflict = dial_call.sync_detailed(client=platform, body=other, idempotency_key=key)
    expect(409, ErrorCode.IDEMPOTENCY_CONFLICT, conflict.parsed, conflict.status_code)
    limited = dial_call.sync_detailed(client=platform.with_headers({"X-Sandbox-Error": "rate_limited"}), body=other)
    expect(429, ErrorCode.RATE_LIMITED, limited.parsed, limited.status_code)
    assert limited.headers["Retry-After"]
    return "400 with its fields, 401, 404, a replay, 409 and 429"


assert reset_world.sync_detailed(client=control).status_code == 204
set_clock.sync(client=control, body=SetClockRequest(mode="manual"))
for journey in (calls, numbers, enterprise, pages, errors):
    print(f"{journey.__name__}: {journey()}")
