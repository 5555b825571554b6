"""A snapshot of one world."""

from __future__ import annotations

from typing import cast

from .control import Control, given
from .shapes import Snapshot as SnapshotShape


class Snapshot:
    """A world as it was at one instant; `info` describes it."""

    def __init__(self, control: Control, info: SnapshotShape) -> None:
        self._control = control
        self.info = info
        self.name = info["name"]

    @classmethod
    def create(cls, control: Control, name: str | None) -> Snapshot:
        return cls(control, cast(SnapshotShape, control.post("/snapshots", given(name=name))))

    def restore(self) -> None:
        self._control.post(f"/snapshots/{self.name}/restore")

    def delete(self) -> None:
        self._control.delete(f"/snapshots/{self.name}")
