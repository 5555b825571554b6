"""The main journeys of the Voice Platform API against a sandbox, with Python's standard library alone (3.9 or newer).

    npm start                          # in one terminal
    python3 test/clients/journeys.py   # in another

RINGBACK_URL and RINGBACK_KEY say where and as whom; the world of that key is reset first. Its clock stands, so that
nothing here sleeps: `advance` answers when everything up to then has happened and each webhook has been attempted.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import sys
import threading
import uuid
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.request import Request, urlopen

URL = os.environ.get("RINGBACK_URL", "http://127.0.0.1:4747")
BEARER = {"Authorization": "Bearer " + os.environ.get("RINGBACK_KEY", "svc_test_python")}
SIGNING_SECRET = b"sandbox_signing_secret"
FROM = "+14155550190"  # owned by every world, verified and approved for texting


# --- the platform


def send(method, path, body=None, headers=BEARER):
    """One request; answers status, headers and the JSON of the body, errors included."""
    data = None if body is None else json.dumps(body).encode()
    request = Request(URL + path, data, {"Content-Type": "application/json", **headers}, method=method)
    try:
        with urlopen(request) as answer:
            return answer.status, answer.headers, json.loads(answer.read() or "null")
    except HTTPError as error:
        return error.code, error.headers, json.loads(error.read())


def succeed(method, path, body=None, headers=BEARER):
    status, _, answer = send(method, path, body, headers)
    if status >= 300:
        sys.exit(f"{method} {path} was answered {status}: {answer}")
    return answer


def get(path):
    return succeed("GET", path)["data"]


def post(path, body=None, headers=BEARER):
    """What was made: under `data`, save for a dial and a subscription, which are flat."""
    answer = succeed("POST", path, body, headers)
    return answer.get("data", answer)


def advance(**until):
    """Moves the clock `by="30s"`, `to` an instant, or `until="idle"`."""
    post("/_sandbox/clock/advance", until)


def check(what, got, wanted):
    if got != wanted:
        sys.exit(f"{what}: expected {wanted!r}, got {got!r}")


# --- the receiver of webhooks

received = defaultdict(list)  # event type -> (raw body, signature) in the order in which they came


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        raw = self.rfile.read(int(self.headers["Content-Length"]))
        received[self.path.strip("/")].append((raw, self.headers.get("X-service-Signature-256")))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_):
        pass


def subscribe(receiver, *event_types):
    """The path of the URL says which event type it is, since the bodies of most do not."""
    for event_type in event_types:
        url = f"http://127.0.0.1:{receiver.server_port}/{event_type}"
        post("/api/v1/webhook_subscriptions", {"webhook_url": url, "event_type": event_type})


def told(event_type):
    return [json.loads(raw) for raw, _ in received[event_type]]


def is_signed(raw, signature):
    expected = hmac.new(SIGNING_SECRET, raw, hashlib.sha256).hexdigest()
    # Of bytes: text that is not ASCII would be an error.
    return hmac.compare_digest(expected.encode(), (signature or "").encode())


# --- the journeys


def calls(receiver):
    subscribe(receiver, "call_busy")
    busy = post("/v1/calls/dial", {"from_number": FROM, "to_number": "+12125550101"})["call_id"]
    advance(by="10s")
    check("the webhook", [(event["id"], event["failure_code"]) for event in told("call_busy")], [(busy, "busy")])
    call = get(f"/v1/calls/{busy}")
    check("the busy call", (call["status"], call["failure_code"]), ("BUSY", "busy"))

    answered = post("/v1/calls/dial", {"from_number": FROM, "to_number": "+12125550100"})["call_id"]
    advance(until="idle")
    call = get(f"/v1/calls/{answered}")
    check("the answered call", (call["status"], call["call_outcome"]), ("COMPLETED", "answered"))
    spoken = get(f"/v1/calls/{answered}/transcript")["structured_transcript"]
    check("who speaks", {turn["role"] for turn in spoken}, {"agent", "user"})
    with urlopen(call["recording_url"]) as recording:
        check("the recording", recording.read(4), b"RIFF")
    return "one busy, as the webhook told; one answered, with transcript and recording"


def texting(receiver):
    subscribe(receiver, "number_purchased", "texting_registration_status_changed", "sms_delivered", "contact_replied")
    offer = get("/v1/phone-numbers/available?area_code=212")[0]["phone_number"]
    number = post("/v1/phone-numbers", {"phone_number": offer, "name": "New York"})
    check("a number just ordered is active", number["is_active"], False)
    advance(by="8s")
    check("the number is active", get(f"/v1/phone-numbers/{number['id']}")["is_active"], True)
    [(raw, signature)] = received["number_purchased"]
    check("the signature", is_signed(raw, signature), True)
    check("the signature of other bytes", is_signed(raw + b" ", signature), False)
    check("the number purchased", json.loads(raw)["payload"]["phone_number"], offer)

    post("/v1/brand", {"legal_name": "Harbor Street Dental, Inc.", "ein": "12-3456789"})
    advance(by="60s")
    check("the brand", get("/v1/brand")["status"], "approved")
    post("/v1/brand/campaigns", {"use_case": "customer_care", "phone_numbers": [offer]})
    advance(by="60s")
    check("the campaign", get("/v1/brand/campaigns")[0]["status"], "approved")
    enabled = [event["texting_enabled_numbers"] for event in told("texting_registration_status_changed")]
    check("the numbers that may text", enabled[-1], [offer])

    text = {"from_number": offer, "to_number": "+12125550147", "body": "Your appointment is tomorrow at ten."}
    message = post("/v1/sms/send", text, {**BEARER, "X-Sandbox-Scenario": "sms_reply;text=See you then."})
    advance(until="idle")
    check("the message", get(f"/v1/sms/{message['id']}")["status"], "delivered")
    check("the messages delivered", [event["id"] for event in told("sms_delivered")], [message["id"]])
    reply = get("/v1/sms")[0]
    check("the reply", (reply["direction"], reply["body"]), ("inbound", "See you then."))
    check("the replies", [event["id"] for event in told("contact_replied")], [reply["id"]])
    return "number bought, as a signed webhook told; registered; message delivered and answered"


def black_square():
    """A BMP as a logo has to be: 256 by 256 pixels, one bit each; the file's header, the image's, two colours, the rows."""
    pixels = bytes(256 * 256 // 8)
    colours = bytes([0, 0, 0, 0, 255, 255, 255, 0])
    image = struct.pack("<IiiHHIIiiII", 40, 256, 256, 1, 1, 0, len(pixels), 0, 0, 2, 0) + colours
    start = 14 + len(image)
    return struct.pack("<2sIII", b"BM", start + len(pixels), 0, start) + image + pixels


def caller_identity(receiver):
    subscribe(receiver, "enterprise.status.updated")
    enterprise = post("/v1/caller-trust/enterprise", {"legal_name": "Harbor Street Dental, Inc.", "ein": "12-3456789"})
    check("the enterprise", enterprise["status"], "DRAFT")
    upload = {
        "filename": "logo.bmp",
        "content_type": "image/bmp",
        "content_base64": base64.b64encode(black_square()).decode(),
    }
    document = post("/v1/caller-trust/documents", upload)["document_id"]
    advance(by="5s")
    check("the logo", get(f"/v1/caller-trust/documents/{document}")["status"], "verified")
    signature = {
        "signer_full_name": "Robin Ashdown",
        "signer_email": "robin@harborstreet.example",
        "signer_title": "Owner",
        "consent_acknowledged_at": "2026-01-05T14:59:00Z",
        "confirm_carrier_commit": "I understand this submits to the carrier",
    }
    submitted = post("/v1/caller-trust/enterprise/sign-and-submit", signature)
    check("the enterprise", submitted["status"], "PENDING_VETTING")
    advance(by="40s")
    check("the enterprise", get("/v1/caller-trust/enterprise")["status"], "APPROVED")
    check("what was told of it", told("enterprise.status.updated")[-1]["status"], "APPROVED")

    identity = {"display_name": "Harbor Dental", "call_reasons": ["Appointment reminder"], "logo_document_id": document}
    post("/v1/caller-trust/display-identities", identity)
    advance(by="60s")
    check("the display identity", get("/v1/caller-trust/display-identities")[0]["status"], "approved")
    caller_id = next(each for each in get("/v1/caller-ids") if each["phone_number"] == FROM)
    shown = (caller_id["rcd_display_name"], caller_id["rcd_status"])
    check("what the caller ID shows", shown, ("Harbor Dental", "approved"))
    return "enterprise signed, submitted and approved; its name shows on the caller ID"


def campaign(receiver):
    contacts = []
    for area_code in range(220, 223):
        for ending in ("00", "01", "02", "03"):  # answered, busy, no answer, voicemail
            contact = {"phone_number": f"+1{area_code}55501{ending}"}
            contacts.append(post("/_sandbox/simulate/new-contact", contact)["id"])
    agent = get("/v1/agents")[-1]["id"]
    subscribe(receiver, "workflow_contact_completed")
    job = post("/v1/jobs", {"agent_id": agent, "contact_ids": contacts, "concurrency": 2})["id"]
    advance(by="15s")
    check("the job", post(f"/v1/jobs/{job}/pause")["status"], "paused")
    advance(by="1h")
    progress = get(f"/v1/jobs/{job}")["progress"]
    check("calls of a paused job", progress["in_progress"], 0)
    check("a paused job has some left", 0 < progress["pending"] < len(contacts), True)
    post(f"/v1/jobs/{job}/resume")
    advance(until="idle")
    job = get(f"/v1/jobs/{job}")
    check("the job", job["status"], "completed")
    outcomes = {outcome: count for outcome, count in job["progress"]["outcomes"].items() if count > 0}
    check("the outcomes", outcomes, {"answered": 3, "busy": 3, "no_answer": 3, "voicemail": 3})
    completed = [event["contact_id"] for event in told("workflow_contact_completed")]
    check("the contacts told of", sorted(completed), sorted(contacts))
    return "12 contacts called, two at a time, paused once"


def lead(receiver):
    subscribe(receiver, "contact_created")
    source = get("/_sandbox/lead-sources")[0]
    person = {"name": "Lena Marlowe", "phone_number": "+14155550179", "metadata": {"page": "/book"}}
    contact = post(f"/v1/leads/{source['url_token']}", person, {"X-Source-Secret": source["source_secret"]})
    advance(by="0s")
    check("the contact told of", told("contact_created")[-1], contact)
    agent = get("/v1/agents")[-1]
    call = post("/v1/calls", {"agent_id": agent["id"], "to_number": contact["phone_number"]})["call_id"]
    advance(until="idle")
    check("the call", get(f"/v1/calls/{call}")["status"], "COMPLETED")
    check("it greets", agent["greeting"] in get(f"/v1/calls/{call}/transcript")["transcript"], True)
    return "it became a contact, and the agent called"


def errors(_):
    status, _, answer = send("POST", "/v1/sms/send", {"to_number": "call me"})
    error = answer["error"]
    check("a bad body", (status, error["code"]), (400, "validation_error"))
    check("its fields", sorted(error["fields"]), ["body", "to_number"])
    status, _, answer = send("GET", "/v1/calls/nowhere")
    check("an unknown call", (status, answer["error"]["code"]), (404, "not_found"))

    once = {**BEARER, "Idempotency-Key": str(uuid.uuid4())}
    dial = {"from_number": FROM, "to_number": "+12125550100"}
    _, _, first = send("POST", "/v1/calls/dial", dial, once)
    status, headers, second = send("POST", "/v1/calls/dial", dial, once)
    check("the repetition", (status, second, headers["Idempotency-Replayed"]), (202, first, "true"))
    status, _, answer = send("POST", "/v1/calls/dial", {**dial, "to_number": "+12125550101"}, once)
    check("another body", (status, answer["error"]["code"]), (409, "idempotency_conflict"))
    return "400 with its fields, 404, a replay, and idempotency_conflict"


def main():
    receiver = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
    threading.Thread(target=receiver.serve_forever, daemon=True).start()
    succeed("POST", "/_sandbox/reset")
    succeed("PUT", "/_sandbox/clock", {"mode": "manual"})
    for journey in (calls, texting, caller_identity, campaign, lead, errors):
        print(f"{journey.__name__.replace('_', ' ')}: {journey(receiver)}")
    receiver.shutdown()


main()
