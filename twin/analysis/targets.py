"""Sizes of jobs in GPUs, and how soon a job of each size should start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.workload.jobs import Int32Array


@dataclass(frozen=True, slots=True)
class SizeBucket:
    """Jobs of ``least`` to ``most`` GPUs; ``most`` None: no limit."""

    key: str
    label: str
    least: int
    most: int | None


SIZE_BUCKETS: Final = (
    SizeBucket("1", "1 GPU", 1, 1),
    SizeBucket("2-4", "2–4 GPUs", 2, 4),
    SizeBucket("5-8", "5–8 GPUs", 5, 8),
    SizeBucket("9-16", "9–16 GPUs", 9, 16),
    SizeBucket("17-64", "17–64 GPUs", 17, 64),
    SizeBucket("65+", "65+ GPUs", 65, None),
)
_LEASTS = np.array([bucket.least for bucket in SIZE_BUCKETS[1:]], dtype=np.int32)


def size_codes(gpus: Int32Array) -> NDArray[np.int16]:
    """For each job the index of its bucket in ``SIZE_BUCKETS``."""
    # A table of the codes of 0..65 is several times faster than a search for a million jobs.
    table = np.searchsorted(_LEASTS, np.arange(66, dtype=np.int32), side="right").astype(np.int16)
    return table[np.minimum(gpus, 65)]


@dataclass(frozen=True, slots=True)
class Targets:
    """A job should start within ``wait_s[i]`` seconds of being eligible, ``i`` its size bucket."""

    wait_s: tuple[float, ...] = (900.0, 1_800.0, 3_600.0, 7_200.0, 14_400.0, 43_200.0)
    source: str = "default: 15 min, 30 min, 1 h, 2 h, 4 h and 12 h by GPU size"

    def __post_init__(self) -> None:
        if len(self.wait_s) != len(SIZE_BUCKETS):
            raise ValueError(f"targets need one time for each of {len(SIZE_BUCKETS)} GPU sizes")


DEFAULT_TARGETS: Final = Targets()
