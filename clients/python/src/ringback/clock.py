"""The clock of a world."""

from __future__ import annotations

import math
import time
from datetime import datetime, timedelta
from typing import cast

from .control import READ_TIMEOUT, Control
from .durations import Duration, duration_text, instant_of, instant_text, seconds_of
from .errors import AdvanceIncomplete, ApiError
from .shapes import Advance, Tick
from .shapes import Clock as ClockState

_POLL = 0.005


class Clock:
    """Moves the time of one world; other worlds are unaffected."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def state(self) -> ClockState:
        """Mode, speed, time, and how much is pending."""
        return cast(ClockState, self._control.get("/clock"))

    def now(self) -> datetime:
        return instant_of(self.state()["now"])

    def advance(
        self, by: Duration | None = None, *, to: datetime | str | None = None, timeout: Duration = "30s"
    ) -> Advance:
        """Runs everything up to then, and returns when each webhook of that time has been attempted.

        `timeout` is real time; raises AdvanceIncomplete if it is not enough.
        """
        if (by is None) == (to is None):
            raise TypeError('advance takes a duration or an instant: advance("30s") or advance(to=...)')
        until = {"by": duration_text(by)} if by is not None else {"to": instant_text(to or "")}
        return self._advance(until, timeout)

    def until_idle(self, *, timeout: Duration = "30s") -> Advance:
        """Runs until no step and no delivery is pending."""
        return self._advance({"until": "idle"}, timeout)

    def set(self, mode: str) -> ClockState:
        """Changes the mode: `real`, `manual`, `instant`, or a speed such as `20x`."""
        return cast(ClockState, self._control.put("/clock", {"mode": mode}))

    def sleep(self, duration: Duration) -> None:
        """Sleeps on the world's time; put it in the place of `time.sleep` in the code under test.

        A stopped clock is advanced instead, a scaled one sleeps as much shorter, a real one as long.
        """
        seconds = seconds_of(duration)
        state = self.state()
        if state["mode"] in ("manual", "instant"):
            self._pass(instant_of(state["now"]) + timedelta(milliseconds=math.ceil(seconds * 1000)))
        else:
            time.sleep(seconds / (state["speed"] or 1))

    def tick(self, every: Duration, url: str) -> Tick:
        """POSTs to your scheduler at regular instants of the world's time; an advance waits for each answer."""
        return cast(Tick, self._control.put("/clock/tick", {"every": duration_text(every), "url": url}))

    def stop_ticking(self) -> None:
        self._control.delete("/clock/tick")

    def _advance(self, until: dict[str, str], timeout: Duration) -> Advance:
        limit = duration_text(timeout)
        body = {**until, "timeout": limit}
        answer = self._control.send("POST", "/clock/advance", body, within=seconds_of(timeout) + READ_TIMEOUT)
        advance = cast(Advance, answer.json()["data"])
        if not advance["complete"]:
            raise AdvanceIncomplete(
                f"the clock stands at {advance['now']} after {limit} of real time: a receiver is slow, or there is "
                "more to do. Pass a longer timeout, or advance in smaller steps."
            )
        return advance

    def _pass(self, until: datetime) -> None:
        """Sees the clock past an instant, whoever moves it."""
        while self.now() < until:
            try:
                self._advance({"to": instant_text(until)}, "30s")
            except ApiError as error:
                # Another thread advances, or has just gone past the instant.
                if error.code not in ("conflict", "validation_error") or (
                    error.code == "validation_error" and self.now() < until
                ):
                    raise
                time.sleep(_POLL)
