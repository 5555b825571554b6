"""The API keys of one world."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from .control import Control, given
from .shapes import CreatedKey, Key


class Keys:
    """The API keys of a world."""

    def __init__(self, control: Control) -> None:
        self._control = control

    def create(
        self,
        *,
        scopes: Sequence[str] | None = None,
        is_demo: bool | None = None,
        requests_per_minute: int | None = None,
        organization_id: str | None = None,
    ) -> CreatedKey:
        """A key; its plaintext is in `api_key`, and shown only here."""
        fields = given(
            scopes=scopes,
            is_demo=is_demo,
            requests_per_minute=requests_per_minute,
            organization_id=organization_id,
        )
        return cast(CreatedKey, self._control.post("/keys", fields))

    def list(self) -> list[Key]:
        return self._control.all("/keys")

    def revoke(self, key_id: str) -> None:
        self._control.delete(f"/keys/{key_id}")
