"""The jobs of a workload, kept in the process by content: a second run or what-if loads nothing."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

from fleet.workloads.files import local_path
from fleet.workloads.mix_spec import mix_of_spec
from fleet.workloads.models import Kind, Workload
from twin.problems import InvalidInput
from twin.workload import Jobs, generate, load_jobs

Key = tuple[str, int]

MAX_TABLES = 16
MAX_ROWS = 4_000_000  # about 1 GB of tables


class JobsCache:
    """The most recently used tables of jobs, bounded in number and rows.

    Safe for threads: two that ask for one table load it once, and loading one does not hold up another.
    """

    def __init__(self, max_tables: int = MAX_TABLES, max_rows: int = MAX_ROWS) -> None:
        self.max_tables = max_tables
        self.max_rows = max_rows
        self._tables: OrderedDict[Key, Jobs] = OrderedDict()
        self._loading: dict[Key, threading.Lock] = {}
        self._lock = threading.Lock()

    def get(self, key: Key, load: Callable[[], Jobs]) -> Jobs:
        """The table of this key, loaded if nobody did yet."""
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
                return self._tables[key]
            turn = self._loading.setdefault(key, threading.Lock())
        with turn:
            with self._lock:
                if key in self._tables:
                    return self._tables[key]
            jobs = load()
            with self._lock:
                self._loading.pop(key, None)
                self._tables[key] = jobs
                self._drop_oldest()
            return jobs

    def _drop_oldest(self) -> None:
        while len(self._tables) > 1 and (
            len(self._tables) > self.max_tables or sum(map(len, self._tables.values())) > self.max_rows
        ):
            self._tables.popitem(last=False)


CACHE = JobsCache()


def jobs_of(workload: Workload, seed: int = 0) -> Jobs:
    """The jobs that a replay of this workload gets; ``seed`` matters for a mix only.

    Raises InvalidInput where the workload is not ready.
    """
    if not workload.is_ready:
        raise InvalidInput.single(str(workload), f"the workload is {workload.get_state_display()}, not ready")
    if workload.kind == Kind.MIX:
        spec = workload.mix_spec
        return CACHE.get((workload.sha256, seed), lambda: generate(mix_of_spec(spec), seed))
    return CACHE.get((workload.sha256, 0), lambda: _load(workload.jobs_file))


def _load(name: str) -> Jobs:
    with local_path(name) as path:
        return load_jobs(path)
