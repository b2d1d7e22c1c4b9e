"""Splits jobs into cells of (group, GPU size) and rolls cells up to sizes, groups and all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from twin.analysis.targets import SIZE_BUCKETS, size_codes
from twin.workload.jobs import Int64Array, Jobs

MOST_GROUPS: Final = 20
"""Groups told apart, by GPU-hours asked; the rest are one group called "other groups"."""

NO_GROUP: Final = "no group"
OTHER_GROUPS: Final = "other groups"
_SIZES = len(SIZE_BUCKETS)


@dataclass(frozen=True, slots=True)
class JobClass:
    """A class of jobs and the cells it is made of."""

    name: str
    size: int | None  # index into SIZE_BUCKETS
    group: str | None
    cells: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """Every job's cell, ``group × sizes + size``, and the names of the groups."""

    code: NDArray[np.int16]  # (n,)
    group_names: tuple[str, ...]  # one, NO_GROUP, when the trace has no groups

    @property
    def count(self) -> int:
        return len(self.group_names) * _SIZES

    @property
    def has_groups(self) -> bool:
        return self.group_names != (NO_GROUP,)

    def whole(self) -> JobClass:
        """All jobs as one class."""
        return JobClass("all", None, None, tuple(range(self.count)))

    def sizes(self) -> Iterator[JobClass]:
        """A class for each GPU size."""
        for size, bucket in enumerate(SIZE_BUCKETS):
            yield JobClass(bucket.label, size, None, tuple(range(size, self.count, _SIZES)))

    def groups(self) -> Iterator[JobClass]:
        """A class for each group; none when the trace has no groups."""
        for index, name in enumerate(self.group_names if self.has_groups else ()):
            yield JobClass(name, None, name, tuple(range(index * _SIZES, (index + 1) * _SIZES)))

    def pairs(self) -> Iterator[JobClass]:
        """A class for each GPU size of each group; none when the trace has no groups."""
        for index, name in enumerate(self.group_names if self.has_groups else ()):
            for size, bucket in enumerate(SIZE_BUCKETS):
                yield JobClass(f"{name}, {bucket.label}", size, name, (index * _SIZES + size,))


def cells_of(jobs: Jobs) -> Cells:
    """The cells of a workload; they depend on the jobs alone, so all scenarios of a study share them."""
    sizes = size_codes(jobs.gpus)
    codes = jobs.group.codes
    if not jobs.group.names or not (codes >= 0).any():
        return Cells(sizes, (NO_GROUP,))
    table, names = _kept_groups(jobs)
    return Cells((table[codes] * _SIZES + sizes).astype(np.int16), names)


def _kept_groups(jobs: Jobs) -> tuple[NDArray[np.int16], tuple[str, ...]]:
    """A table from group code (the last entry for -1) to kept group, and the kept names."""
    names = jobs.group.names
    asked = jobs.gpus.astype(np.float64) * jobs.run_ms
    shifted = np.where(jobs.group.codes < 0, len(names), jobs.group.codes)
    gpu_ms = np.bincount(shifted, weights=asked, minlength=len(names) + 1)
    jobs_in = np.bincount(shifted, minlength=len(names) + 1)
    present = [code for code in range(len(names) + 1) if jobs_in[code]]
    present.sort(key=lambda code: (-gpu_ms[code], code))
    kept = present if len(present) <= MOST_GROUPS else present[: MOST_GROUPS - 1]
    told = [names[code] if code < len(names) else NO_GROUP for code in kept]
    table = np.full(len(names) + 1, len(kept), dtype=np.int16)
    table[kept] = np.arange(len(kept), dtype=np.int16)
    if len(kept) < len(present):
        told.append(OTHER_GROUPS)
    return table, tuple(told)


@dataclass(frozen=True, slots=True)
class CellValues:
    """Values of some jobs, brought together by cell so that a class is a few slices."""

    values: Int64Array
    starts: Int64Array  # (cells + 1,)

    def of(self, job_class: JobClass) -> Int64Array:
        """The values of a class, in no particular order."""
        if len(job_class.cells) == len(self.starts) - 1:
            return self.values
        slices = [self.values[self.starts[cell] : self.starts[cell + 1]] for cell in job_class.cells]
        return slices[0] if len(slices) == 1 else np.concatenate(slices)


def by_cell(values: Int64Array, order: NDArray[np.intp], starts: Int64Array) -> CellValues:
    """``values`` in the order of cells (``order`` from ``cell_order``)."""
    return CellValues(values[order], starts)


def cell_order(code: NDArray[np.int16], cells: int) -> tuple[NDArray[np.intp], Int64Array]:
    """Job rows sorted by cell, and where each cell begins."""
    order = np.argsort(code, kind="stable")
    starts = np.zeros(cells + 1, dtype=np.int64)
    np.cumsum(np.bincount(code, minlength=cells), out=starts[1:])
    return order, starts
