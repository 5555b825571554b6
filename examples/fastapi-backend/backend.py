"""A backend that calls people to remind them of an appointment, and hears by webhook how it went."""

import hashlib
import hmac
import json
import time
import uuid
from typing import Any

import httpx
from fastapi import FastAPI, HTTPException, Request

FROM_NUMBER = "+14155550190"
ATTEMPTS = 3


def create_app(api_url: str, api_key: str, signing_secret: str) -> FastAPI:
    app = FastAPI()
    api = httpx.Client(base_url=api_url, headers={"Authorization": f"Bearer {api_key}"}, trust_env=False)
    reminders: dict[str, str] = {}
    numbers: list[str] = []

    @app.post("/reminders", status_code=201)
    def remind(reminder: dict[str, Any]) -> dict[str, str]:
        response = dial(api, reminder["phone_number"])
        if response.status_code >= 400:
            raise HTTPException(422, response.json()["error"]["code"])
        call_id = response.json()["call_id"]
        reminders[call_id] = "calling"
        return {"id": call_id}

    @app.get("/reminders/{call_id}")
    def outcome(call_id: str) -> dict[str, str]:
        return {"outcome": reminders[call_id]}

    @app.get("/numbers")
    def known_numbers() -> list[str]:
        return numbers

    @app.post("/webhooks/call_completed")
    def call_completed(event: dict[str, Any]) -> None:
        reminders[event["id"]] = "reached" if event["status"] == "COMPLETED" else "call again"

    @app.post("/webhooks/number_purchased")
    async def number_purchased(request: Request) -> None:
        # The signature is that of the raw bytes, so they are parsed only after it was checked.
        body = await request.body()
        expected = hmac.new(signing_secret.encode(), body, hashlib.sha256).hexdigest()
        given = request.headers.get("X-service-Signature-256", "")
        # Of bytes: text that is not ASCII would be an error.
        if not hmac.compare_digest(expected.encode(), given.encode()):
            raise HTTPException(401)
        numbers.append(json.loads(body)["payload"]["phone_number"])

    return app


def dial(api: httpx.Client, to: str) -> httpx.Response:
    """Waits as long as the platform asks; the idempotency key keeps a person from being called twice."""
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    for _ in range(ATTEMPTS):
        body = {"from_number": FROM_NUMBER, "to_number": to}
        response = api.post("/v1/calls/dial", json=body, headers=headers)
        if response.status_code not in (429, 502):
            break
        time.sleep(int(response.headers.get("Retry-After", 1)))
    return response
