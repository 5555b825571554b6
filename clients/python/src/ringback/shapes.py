# GENERATED from the schemas of the control API by `npm run generate`: what it answers, as typed dictionaries.
from typing import Any, Dict, List, Literal, TypedDict, Union

CallDirection = str
CallOutcome = Literal["answered", "busy", "no_answer", "voicemail", "failed", "canceled"]
CallStatus = Literal[
    "QUEUED",
    "RINGING",
    "IN_PROGRESS",
    "COMPLETED",
    "BUSY",
    "NO_ANSWER",
    "VOICEMAIL",
    "FAILED",
    "CANCELED",
]
DeliveryErrorClass = Literal[
    "dns",
    "blocked_address",
    "connect_refused",
    "connect_timeout",
    "tls",
    "reset",
    "headers_timeout",
    "body_timeout",
    "total_timeout",
    "http_status",
    "too_large",
    "shutdown",
    "queue_full",
    "dropped",
    "other",
]
DeliveryStatus = Literal["pending", "in_flight", "delivered", "failed", "dropped", "canceled"]
E164 = str
ErrorCategory = Literal[
    "invalid_request",
    "compliance_block",
    "account_limit",
    "unreachable",
    "voicemail",
    "provider_error",
]
ErrorCode = Literal[
    "destination_missing",
    "destination_invalid",
    "no_active_number",
    "call_id_not_verified",
    "destination_blocked",
    "dnc_suppressed",
    "recipient_opted_out",
    "contact_automation_paused",
    "no_consent",
    "outside_call_window",
    "day_not_allowed",
    "frequency_exceeded",
    "texting_not_ready",
    "content_policy_forbidden",
    "voice_usage_exhausted",
    "no_active_subscription",
    "no_number_available",
    "rate_limited",
    "busy",
    "no_answer",
    "number_unreachable",
    "call_declined",
    "carrier_rejected",
    "voicemail_reached",
    "room_creation_failed",
    "agent_dispatch_failed",
    "sip_gateway_failed",
    "provider_api_error",
    "internal_error",
    "validation_error",
    "unauthorized",
    "forbidden",
    "not_found",
    "idempotency_conflict",
    "scope_missing",
    "conflict",
    "method_not_allowed",
    "payload_too_large",
    "unsupported_media_type",
    "headers_too_large",
    "timeout",
]
EventType = Literal[
    "new_call",
    "call_completed",
    "call_no_answer",
    "call_voicemail",
    "call_busy",
    "call_failed",
    "contact_replied",
    "sms_sent",
    "sms_delivered",
    "sms_failed",
    "contact_created",
    "number_purchased",
    "number_released",
    "texting_registration_status_changed",
    "new_appointment",
    "workflow_contact_completed",
    "enterprise.status.updated",
    "phone_call.ended",
]
FailureCategory = Literal["unreachable", "voicemail"]
FailureCode = Literal[
    "busy",
    "no_answer",
    "number_unreachable",
    "call_declined",
    "carrier_rejected",
    "voicemail_reached",
]
MessageStatus = Literal["accepted", "sent", "delivered", "undelivered", "failed", "received"]
RefusalCode = Literal[
    "destination_missing",
    "destination_invalid",
    "no_active_number",
    "call_id_not_verified",
    "destination_blocked",
    "dnc_suppressed",
    "recipient_opted_out",
    "contact_automation_paused",
    "no_consent",
    "outside_call_window",
    "day_not_allowed",
    "frequency_exceeded",
    "texting_not_ready",
    "content_policy_forbidden",
    "voice_usage_exhausted",
    "no_active_subscription",
    "no_number_available",
    "rate_limited",
    "room_creation_failed",
    "agent_dispatch_failed",
    "sip_gateway_failed",
    "provider_api_error",
    "internal_error",
    "validation_error",
    "unauthorized",
    "forbidden",
    "not_found",
    "idempotency_conflict",
    "scope_missing",
]
Scope = str
SelectionSource = Literal["header", "active", "number", "named", "default", "rules"]
Timestamp = str
UnheardReason = Literal["none_of_that_type", "other_organization", "other_campaign"]


class Advance(TypedDict):
    """What happened while the clock was advanced."""

    now: str
    complete: bool
    steps: List["Step"]
    deliveries: List["Delivery"]
    totals: "AdvanceTotals"


class _AdvanceTotals(TypedDict):
    steps: int
    deliveries: int


class AdvanceTotals(_AdvanceTotals, total=False):
    """How much happened."""

    ticks: int


class AppliedFault(TypedDict):
    """A fault that happened to a request."""

    id: str
    effect: str


class Appointment(TypedDict):
    """A booking."""

    id: str
    title: Union[str, None]
    description: Union[str, None]
    contact_name: Union[str, None]
    contact_email: Union[str, None]
    start_time: Union[str, None]
    end_time: Union[str, None]
    timezone: Union[str, None]
    status: Union[str, None]
    event_type: Union[str, None]
    scheduling_option: Union[str, None]
    notes: Union[str, None]
    created_at: "Timestamp"


class AttemptInTimeline(TypedDict):
    """One attempt of a delivery."""

    number: int
    attempted_at: str
    offset_ms: float
    reason: Literal["event", "retry", "duplicate", "redelivery"]
    plan: List[str]
    signed_with: Union[Literal["world_secret", "own_secret", "wrong_secret", "none"], None]
    latency_ms: float
    status: Union[int, None]
    error_class: Union["DeliveryErrorClass", None]
    error: Union[str, None]
    hint: Union[str, None]


class Call(TypedDict):
    """A call. The fields about its end are null until then. If `call_fields` is set to `absent`, the last four are
    absent until then."""

    id: str
    status: "CallStatus"
    direction: "CallDirection"
    from_number: "E164"
    to_number: "E164"
    started_at: Union[str, None]
    ended_at: Union[str, None]
    duration_seconds: Union[int, None]
    phone_number_id: Union[str, None]
    has_recording: bool
    recording_url: Union[str, None]
    has_transcript: bool
    failure_code: Union["FailureCode", None]
    failure_category: Union["FailureCategory", None]
    call_outcome: Union["CallOutcome", None]
    disconnection_reason: Union[str, None]


# Whom a world may call, and when.
CallingRules = TypedDict(
    "CallingRules",
    {
        "do_not_call": List[str],
        "opted_out": List[str],
        "no_consent": List[str],
        "paused": List[str],
        "calls_per_day": Union[int, None],
        "days": List[Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]],
        "from": str,
        "until": str,
        "time_zone": str,
    },
)


class Catalog(TypedDict):
    """What this server knows."""

    scenarios: List["Scenario"]
    numbers: List["MagicNumber"]
    errors: List["ErrorEntry"]
    events: List["EventEntry"]
    scopes: List["Scope"]


class ChosenScenario(TypedDict):
    """The scenario that is played, and why."""

    name: str
    parameters: Dict[str, str]
    source: "SelectionSource"
    reason: str


class _Clock(TypedDict):
    mode: str
    speed: float
    now: str
    pending: int


class Clock(_Clock, total=False):
    """The clock of a world."""

    tick: "Tick"


class Contact(TypedDict):
    """A person that the organization speaks with."""

    id: str
    name: Union[str, None]
    phone_number: Union[str, None]
    email: Union[str, None]
    status: Union[str, None]
    source: Union[str, None]
    metadata: Union[Dict[str, Any], None]
    created_at: "Timestamp"
    updated_at: "Timestamp"


class Coverage(TypedDict):
    """What the tests have met of the platform, and what not."""

    worlds: List[str]
    world_count: int
    worlds_forgotten: int
    requests: int
    replayed: int
    minimum: Union["CoverageMinimum", None]
    operations: "CoveredOperations"
    error_codes: "CoveredPart"
    event_types: "CoveredEvents"
    call_outcomes: "CoveredPart"
    receiver_answers: "CoveredPart"
    scenarios: "CoveredPart"
    record_statuses: "CoveredPart"
    faults: "CoveredPart"
    delivery_troubles: "CoveredPart"
    retries: Dict[str, Any]
    signatures: Dict[str, Any]
    duplicates: Dict[str, Any]


class CoverageMinimum(TypedDict):
    """Whether enough was met."""

    percent: float
    passed: bool
    judged: List[Literal["operations", "error_codes", "event_types", "call_outcomes", "receiver_answers"]]
    below: List[Literal["operations", "error_codes", "event_types", "call_outcomes", "receiver_answers"]]


class CoveredEvents(TypedDict):
    """The event types that a receiver has accepted, and those that none has."""

    total: int
    met: int
    percent: float
    counts: Dict[str, int]
    not_met: List[str]
    emitted: Dict[str, int]


class CoveredForgeries(TypedDict):
    """Deliveries whose signature is not right."""

    sent: int
    accepted: int


class CoveredOperation(TypedDict):
    """What an operation has answered."""

    requests: int
    statuses: Dict[str, int]
    error_codes: Dict[str, int]
    statuses_not_met: List[str]


class CoveredOperations(TypedDict):
    """The operations that were called, and those that were not."""

    total: int
    met: int
    percent: float
    counts: Dict[str, int]
    not_met: List[str]
    answers: Dict[str, "CoveredOperation"]


class CoveredPart(TypedDict):
    """What was met of one kind of thing, and what not."""

    total: int
    met: int
    percent: float
    counts: Dict[str, int]
    not_met: List[str]


class CoveredRetries(TypedDict):
    """Whether clients send requests again that have failed for a while."""

    expected: int
    seen: int


class CreatedKey(TypedDict):
    """An API key that has just been made."""

    id: str
    api_key: str
    scopes: List["Scope"]


class _CreatedWorld(TypedDict):
    name: str
    organization_id: str
    api_key: str
    signing_secret: str


class CreatedWorld(_CreatedWorld, total=False):
    """A world that has just been made."""

    control_key: str


class Delivery(TypedDict):
    """One event for one subscription, with its attempts."""

    id: str
    event_id: str
    event_type: "EventType"
    subscription_id: str
    url: str
    status: "DeliveryStatus"
    created_at: str
    body: str
    schema_violations: List[str]
    cause: str
    next_attempt_at: Union[str, None]
    held_by: Union[Literal["delay", "reorder", "paused", "retry"], None]
    attempts: List["DeliveryAttempt"]


class DeliveryAttempt(TypedDict):
    """One attempt to deliver an event."""

    number: int
    attempted_at: str
    reason: Literal["event", "retry", "duplicate", "redelivery"]
    plan: List[str]
    signed_with: Union[Literal["world_secret", "own_secret", "wrong_secret", "none"], None]
    latency_ms: float
    request: "SentMessage"
    response: Union["ReceivedMessage", None]
    error_class: Union["DeliveryErrorClass", None]
    error: Union[str, None]
    hint: Union[str, None]


class DeliveryInTimeline(TypedDict):
    """A delivery of a timeline."""

    event_type: "EventType"
    subscription_id: str
    url: str
    status: "DeliveryStatus"
    held_by: Union[Literal["delay", "reorder", "paused", "retry"], None]
    next_attempt_at: Union[str, None]
    attempts: List["AttemptInTimeline"]


class DeliveryPlan(TypedDict, total=False):
    """How deliveries are sent, and what goes wrong with them."""

    duplicate: float
    reorder: float
    drop: float
    tamper: float
    wrong_secret: float
    delay: str
    retries: Union[Literal["none", "short", "standard"], List[str]]
    timeout: Dict[str, Any]
    paused: bool


class DrawnBranch(TypedDict):
    """One of the timelines of a branch."""

    weight: float
    timeline: List["DrawnEntry"]


class DrawnEntry(TypedDict, total=False):
    """A step of a timeline with what follows from it, or a branch."""

    after: str
    trigger: str
    to: str
    events: List["EventType"]
    branch: List["DrawnBranch"]


class _EntryInTimeline(TypedDict):
    id: str
    kind: Literal["request", "step", "event", "delivery"]
    at: str
    offset_ms: float
    depth: int
    cause: Union[str, None]
    subject: Union["Subject", None]


class EntryInTimeline(_EntryInTimeline, total=False):
    """One entry of a timeline."""

    request: "RequestInTimeline"
    step: "StepInTimeline"
    event: "EventInTimeline"
    delivery: "DeliveryInTimeline"


class _ErrorDetail(TypedDict):
    code: "ErrorCode"
    message: str


class ErrorDetail(_ErrorDetail, total=False):
    """An error."""

    resolution_hint: str
    fields: Dict[str, str]
    doc_url: str
    category: "ErrorCategory"


class ErrorEntry(TypedDict):
    """An error code of the platform."""

    code: "ErrorCode"
    status: Union[int, None]
    category: Union["ErrorCategory", None]
    retryable: bool
    meaning: str
    synchronous: bool


class Event(TypedDict):
    """An event that was emitted."""

    id: str
    event_type: "EventType"
    created_at: str
    subject: Union["Subject", None]
    payload: Dict[str, Any]
    body: str
    headers: Dict[str, str]
    schema_violations: List[str]
    deliveries: int
    unheard: List["UnheardReason"]
    cause: Union[str, None]


class EventEntry(TypedDict):
    """An event type."""

    event_type: "EventType"
    family: Literal["call", "message", "number_lifecycle", "resource"]
    signed: bool
    fires_when: str
    schema: str


class EventInTimeline(TypedDict):
    """An event of a timeline."""

    event_type: "EventType"
    deliveries: int
    unheard: List[Literal["none_of_that_type", "other_organization", "other_campaign"]]
    schema_violations: List[str]


class Expectation(TypedDict, total=False):
    """What a scenario says that happens."""

    refused: List["ExpectedRefusal"]
    statuses: List[str]
    events: List["EventType"]
    record: Dict[str, Any]


class ExpectedRefusal(TypedDict):
    """A refusal that a scenario expects of itself."""

    status: int
    code: "RefusalCode"


class FaultToSet(TypedDict, total=False):
    """Which requests it meets, and what happens to them."""

    operation: str
    method: str
    path: str
    error: Literal[
        "destination_missing",
        "destination_invalid",
        "no_active_number",
        "call_id_not_verified",
        "destination_blocked",
        "dnc_suppressed",
        "recipient_opted_out",
        "contact_automation_paused",
        "no_consent",
        "outside_call_window",
        "day_not_allowed",
        "frequency_exceeded",
        "texting_not_ready",
        "content_policy_forbidden",
        "voice_usage_exhausted",
        "no_active_subscription",
        "no_number_available",
        "rate_limited",
        "room_creation_failed",
        "agent_dispatch_failed",
        "sip_gateway_failed",
        "provider_api_error",
        "internal_error",
        "validation_error",
        "unauthorized",
        "forbidden",
        "not_found",
        "idempotency_conflict",
        "scope_missing",
    ]
    fault: Literal["reset", "empty", "truncate", "timeout"]
    respond: "RawAnswer"
    drift: List[Literal["extra_fields", "unknown_enum", "timestamps_offset"]]
    latency: str
    when: Literal["before", "after"]
    probability: float
    nth: int
    skip: int
    times: int
    ttl: str


class Health(TypedDict):
    """That the server is alive, and what it has used of its memory."""

    status: Literal["ok", "ready", "not_ready"]
    version: str
    uptime_seconds: int
    store: Dict[str, Any]
    log_lines_dropped: int
    memory: Dict[str, Any]


class Key(TypedDict):
    """An API key, without its plaintext."""

    id: str
    scopes: List["Scope"]
    is_demo: bool
    requests_per_minute: int
    revoked: bool
    created_at: str
    organization_id: str


class LeadSource(TypedDict):
    """A source of leads."""

    id: str
    name: str
    url_token: str
    source_secret: str
    organization_id: str
    created_at: str
    rotated_at: Union[str, None]


class MagicNumber(TypedDict):
    """A phone number that plays a scenario."""

    number: str
    scenario: str
    kind: str


class Message(TypedDict):
    """The fields of the SMS events, the body, and how it is split into segments."""

    id: str
    phone_number: str
    from_number: str
    direction: "CallDirection"
    status: "MessageStatus"
    contact_token: Union[str, None]
    provider_id: Union[str, None]
    error_message: Union[str, None]
    channel: Literal["sms"]
    created_at: "Timestamp"
    body: str
    encoding: str
    segments: int


class NearMiss(TypedDict):
    """A request that nearly matches."""

    id: str
    at: str
    method: str
    path: str
    operation: Union[str, None]
    status: int
    differences: List["RequestDifference"]


class OutrankedScenario(TypedDict):
    """A scenario that another one outranked, or that could not be played."""

    source: "SelectionSource"
    name: str
    reason: str


class _RawAnswer(TypedDict):
    status: int


class RawAnswer(_RawAnswer, total=False):
    """A gateway's answer."""

    headers: Dict[str, Union[str, float]]
    body: Any
    content_type: str


class ReceivedMessage(TypedDict):
    """A receiver's response."""

    status: int
    headers: Union[Dict[str, str], None]
    body: Union[str, None]


class RecordedMessage(TypedDict):
    """A request or a response as it was sent."""

    headers: Dict[str, str]
    body: str
    body_bytes: int
    body_sha256: str


class _RecordedRequest(TypedDict):
    id: str
    at: str
    method: str
    path: str
    query: str
    operation: Union[str, None]
    key_id: Union[str, None]
    status: int
    error_code: Union[str, None]
    duration_ms: float
    replayed: bool
    fault: Union[str, None]
    scenario: Union["ScenarioSelection", None]
    request: "RecordedMessage"
    response: "RecordedMessage"


class RecordedRequest(_RecordedRequest, total=False):
    """A request to the platform and its response."""

    faults: List["AppliedFault"]


class _Refusal(TypedDict):
    code: "RefusalCode"


class Refusal(_Refusal, total=False):
    """An error response that the scenario gives instead of running the operation."""

    times: int
    fields: Dict[str, str]


class _RequestDifference(TypedDict):
    field: str
    expected: Any


class RequestDifference(_RequestDifference, total=False):
    """What sets a request apart from the expected one."""

    actual: Any


class RequestInTimeline(TypedDict):
    """A request of a timeline; `GET /_sandbox/requests/{id}` has its bodies."""

    method: str
    path: str
    operation: Union[str, None]
    status: int
    error_code: Union[str, None]
    duration_ms: float
    replayed: bool
    fault: Union[str, None]
    faults: List["AppliedFault"]
    control_headers: Dict[str, str]
    choice: Union["ShownSelection", None]


class _RequestVerification(TypedDict):
    passed: bool
    actual: int


class RequestVerification(_RequestVerification, total=False):
    """Whether requests were made as expected."""

    misses: List["NearMiss"]


class _Scenario(TypedDict):
    name: str
    origin: Literal["bundled", "folder", "world"]
    error: Union[str, None]


class Scenario(_Scenario, total=False):
    """A scenario. One whose file was never valid has only `name`, `origin` and `error`."""

    kind: str
    summary: str
    extends: str
    default: bool
    numbers: List[str]
    parameters: Dict[str, str]
    refuse: List["Refusal"]
    timeline: List["TimelineEntry"]
    choices: Dict[str, List["TimelineEntry"]]
    transcript: List["TranscriptLine"]
    expect: "Expectation"
    source: str
    drawing: "ScenarioDrawing"


class ScenarioDrawing(TypedDict):
    """What the steps of a scenario lead to."""

    begins: Dict[str, Any]
    timeline: List["DrawnEntry"]
    choices: Dict[str, List["DrawnEntry"]]


class ScenarioSelection(TypedDict):
    """The scenario that is played, and why."""

    name: str
    parameters: Dict[str, str]
    source: "SelectionSource"
    outranked: List["OutrankedScenario"]


class SentMessage(TypedDict):
    """The request of an attempt."""

    headers: Dict[str, str]
    body: str


class ShownSelection(TypedDict):
    """Which scenario was chosen, and why."""

    winner: "ChosenScenario"
    losers: List["OutrankedScenario"]


class _SignedSubscription(TypedDict):
    id: str
    webhook_url: str
    event_type: "EventType"
    signing_secret: Union[str, None]
    plan: Union["DeliveryPlan", None]


class SignedSubscription(_SignedSubscription, total=False):
    """A webhook subscription with its signing secret and its plan."""

    workflow_id: str
    campaign_id: str


class Snapshot(TypedDict):
    """A world as it stood."""

    name: str
    created_at: str
    clock: str
    records: int
    tasks: int
    entries: int
    bytes: int


_Step = TypedDict(
    "_Step",
    {
        "id": str,
        "at": str,
        "subject": "Subject",
        "trigger": str,
        "from": Union[str, None],
        "to": Union[str, None],
        "cause": Union[str, None],
    },
)


class Step(_Step, total=False):
    """A status change of a record."""

    scenario: "ScenarioSelection"
    error: str


# A status change of a timeline.
StepInTimeline = TypedDict(
    "StepInTimeline",
    {
        "trigger": str,
        "from": Union[str, None],
        "to": Union[str, None],
        "error": Union[str, None],
        "choice": Union["ShownSelection", None],
    },
)


class Subject(TypedDict):
    """The record that something is about."""

    table: str
    id: str


class Tick(TypedDict):
    """POSTs at regular instants of the world's time."""

    every: str
    url: str
    next_at: str
    sent: int
    skipped: int


class Timeline(TypedDict):
    """What happened to a record: requests, steps, events and deliveries, each with its cause."""

    subject: "Subject"
    status: Union[str, None]
    began_at: Union[str, None]
    now: str
    choice: Union["ShownSelection", None]
    entries: List["EntryInTimeline"]


class TimelineBranch(TypedDict):
    """One of the timelines of a branch."""

    weight: float
    timeline: List["TimelineEntry"]


# A step of a timeline (`after`, `trigger`, `with`), or a branch (`branch`), which ends it.
TimelineEntry = TypedDict(
    "TimelineEntry",
    {
        "after": str,
        "trigger": str,
        "with": Dict[str, Any],
        "branch": List["TimelineBranch"],
    },
    total=False,
)


class TranscriptLine(TypedDict):
    """A line spoken on a call."""

    role: Literal["agent", "user"]
    text: str
    interrupted: bool


class _World(TypedDict):
    name: str
    organization_id: str
    origin: Literal["bundled", "posted", "auto"]
    fixture: str
    clock: str


class World(_World, total=False):
    """A world."""

    problem: str


class _WorldFault(TypedDict):
    id: str
    when: Literal["before", "after"]
    probability: float
    created_at: str
    expires_at: Union[str, None]
    matched: int
    applied: int


class WorldFault(_WorldFault, total=False):
    """A fault of a world, and what it has done."""

    operation: str
    method: str
    path: str
    error: "ErrorCode"
    fault: Literal["reset", "empty", "truncate", "timeout"]
    respond: "RawAnswer"
    drift: List[Literal["extra_fields", "unknown_enum", "timestamps_offset"]]
    latency: str
    nth: int
    skip: int
    times: int
    ttl: str
