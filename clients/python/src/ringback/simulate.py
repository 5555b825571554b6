"""The outside world: someone calls or texts, a contact is created, an appointment is booked."""

from __future__ import annotations

from typing import Any, cast

from .control import Control, given
from .shapes import Appointment, Call, Contact, Message


class Simulate:
    """What the outside world does to a world; each method returns the record that it creates."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def inbound_call(
        self,
        *,
        to_number: str | None = None,
        from_number: str | None = None,
        agent_id: str | None = None,
        scenario: str | None = None,
    ) -> Call:
        fields = given(to_number=to_number, from_number=from_number, agent_id=agent_id, scenario=scenario)
        return cast(Call, self._control.post("/simulate/inbound-call", fields))

    def inbound_sms(
        self,
        *,
        in_reply_to: str | None = None,
        to_number: str | None = None,
        from_number: str | None = None,
        body: str | None = None,
    ) -> Message:
        fields = given(in_reply_to=in_reply_to, to_number=to_number, from_number=from_number, body=body)
        return cast(Message, self._control.post("/simulate/inbound-sms", fields))

    def new_contact(self, **fields: Any) -> Contact:
        return cast(Contact, self._control.post("/simulate/new-contact", fields))

    def new_appointment(self, **fields: Any) -> Appointment:
        return cast(Appointment, self._control.post("/simulate/new-appointment", fields))
