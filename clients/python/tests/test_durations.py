from datetime import datetime, timedelta, timezone

import pytest

from ringback.durations import duration_text, instant_of, instant_text, seconds_of


def test_durations_are_text_seconds_or_a_timedelta() -> None:
    assert [seconds_of(each) for each in ("250ms", "1.5s", "2m", "1h", "1d", 3, timedelta(minutes=1))] == [
        0.25,
        1.5,
        120,
        3600,
        86400,
        3,
        60,
    ]
    assert [duration_text(each) for each in ("30s", 2.5, timedelta(days=1))] == ["30s", "2500ms", "86400000ms"]


@pytest.mark.parametrize("wrong", ["", "30", "30 s", "1w", "-1s", -1, float("inf"), float("nan")])
def test_anything_else_is_refused(wrong: str | float) -> None:
    with pytest.raises(ValueError, match="duration"):
        duration_text(wrong)


def test_instants_are_read_and_written_with_milliseconds() -> None:
    instant = datetime(2026, 1, 5, 15, 0, 0, 250_000, timezone.utc)
    assert instant_of("2026-01-05T15:00:00.250Z") == instant
    assert instant_text(instant) == "2026-01-05T15:00:00.250Z"
    with pytest.raises(ValueError, match="time zone"):
        instant_text(datetime(2026, 1, 5))
