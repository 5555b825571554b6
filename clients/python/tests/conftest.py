import os
from pathlib import Path

# httpx imports it with its first request, and keeps its exceptions. If that were in a test with pytester, which forgets
# what was imported meanwhile, later tests would meet other classes of the same names.
import httpcore  # noqa: F401
import pytest

pytest_plugins = ["pytester"]

PROGRAM = Path(__file__).parents[3] / "dist" / "main.js"


@pytest.fixture(autouse=True)
def _no_settings_of_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.startswith(("RINGBACK_", "PYTEST_RINGBACK_")):
            monkeypatch.delenv(name)


@pytest.fixture
def command() -> str:
    """The command that starts the built server of this repository."""
    return f"node {PROGRAM}"
