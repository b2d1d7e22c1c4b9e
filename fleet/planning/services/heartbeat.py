"""The sign of life of a run in progress: a thread of its own, so that a long step is not taken for death."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

import structlog
from django.db import DatabaseError, connection

from fleet.planning.models import Run
from fleet.planning.services.runs import run_beat

log = structlog.get_logger(__name__)

BEAT_S = 0.5  # so progress reaches the row at most twice a second, and a cancel is heard within it


class Stopped(Exception):
    """The run was cancelled, or is no longer this worker's."""


class Heartbeat:
    """``with Heartbeat(run) as heartbeat``: beats until the block ends. ``tell`` sets what the next beat
    writes; ``go_on`` is False once the row says to stop."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._progress = 0.0
        self._step = run.step
        self._stopped = threading.Event()
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._beat, name=f"heartbeat-{run.pk}", daemon=True)

    @property
    def go_on(self) -> bool:
        """Whether the run is still wanted and held."""
        return not self._stopped.is_set()

    def tell(self, progress: float, step: str) -> bool:
        """Set the progress (0 to 1) and the step in plain words; the answer is ``go_on``."""
        self._progress, self._step = progress, step
        return self.go_on

    def enter(self, progress: float, step: str) -> None:
        """Begin a step; raises ``Stopped`` where the run is not wanted any more."""
        if not self.tell(progress, step):
            raise Stopped

    def _beat(self) -> None:
        try:
            while not self._done.wait(BEAT_S):
                try:
                    if not run_beat(self._run, progress=self._progress, step=self._step):
                        self._stopped.set()
                        return
                except DatabaseError as error:  # a busy database is no reason to give the run up
                    log.warning("heartbeat not written", run=self._run.pk, error=str(error))
        finally:
            connection.close()

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._done.set()
        self._thread.join()
