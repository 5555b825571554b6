"""Durations and instants as the control API writes them."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, timezone

Duration = str | int | float | timedelta
"""`"30s"`, `"250ms"`, `"2h"`, `"1d"`; seconds as a number; or a timedelta."""

_FORM = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d)")
_SECONDS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def seconds_of(duration: Duration) -> float:
    if isinstance(duration, str):
        found = _FORM.fullmatch(duration)
        if not found:
            raise ValueError(f'{duration!r} is not a duration such as "250ms", "30s", "5m", "2h" or "1d"')
        return float(found[1]) * _SECONDS[found[2]]
    seconds = duration.total_seconds() if isinstance(duration, timedelta) else float(duration)
    if not 0 <= seconds < float("inf"):
        raise ValueError(f"a duration must not be negative or infinite (given: {duration!r})")
    return seconds


def duration_text(duration: Duration) -> str:
    if isinstance(duration, str):
        seconds_of(duration)
        return duration
    return f"{round(seconds_of(duration) * 1000)}ms"


def instant_of(timestamp: str) -> datetime:
    # Python 3.10 reads no "Z".
    return datetime.fromisoformat(timestamp.replace("Z", "+00:00"))


def instant_text(instant: datetime | str) -> str:
    if isinstance(instant, str):
        return instant
    if instant.tzinfo is None:
        raise ValueError("an instant needs a time zone, such as datetime(2026, 1, 5, 15, tzinfo=timezone.utc)")
    return instant.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
