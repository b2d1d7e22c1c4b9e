"""What a study form asks for, before it is sent: how many scenarios and runs, and the load they meet."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import QueryDict

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster
from fleet.inventory.services import cluster_value
from fleet.whole_numbers import whole_number
from fleet.workloads.models import Workload

MS_PER_HOUR = 3_600_000
FULL = 1.0


@dataclass(frozen=True, slots=True)
class Load:
    """What the workload asks of one cluster, as a share of its GPU time."""

    cluster: str
    gpus: int
    share: float | None

    @property
    def is_too_much(self) -> bool:
        return self.share is not None and self.share >= FULL


@dataclass(frozen=True, slots=True)
class StudyPreview:
    """Counts of what the form asks for."""

    clusters: int
    policies: int
    seeds: int
    draws: bool
    loads: tuple[Load, ...]

    @property
    def scenarios(self) -> int:
        return self.clusters * self.policies

    @property
    def runs(self) -> int:
        return self.scenarios * self.seeds

    @property
    def overloaded(self) -> tuple[Load, ...]:
        return tuple(load for load in self.loads if load.is_too_much)


def study_preview(workspace: Workspace, query: QueryDict) -> StudyPreview:
    """Read from the form's fields as they stand; ids that are not the workspace's count for nothing."""
    wanted = {*_ids(query, "baseline"), *_ids(query, "candidates")}
    clusters = Cluster.objects.in_workspace(workspace).filter(pk__in=wanted)
    workload = Workload.objects.in_workspace(workspace).filter(pk__in=_ids(query, "workload")).first()
    draws = workload is not None and workload.needs_seed
    return StudyPreview(
        clusters=len(clusters),
        policies=len(set(_ids(query, "policies"))),
        seeds=(whole_number(query.get("seeds", "")) or 1) if draws else 1,
        draws=draws,
        loads=tuple(_load(cluster, workload) for cluster in clusters) if workload else (),
    )


def _load(cluster: Cluster, workload: Workload) -> Load:
    gpus = cluster_value(cluster).gpus
    capacity_gpu_hours = gpus * workload.span_ms / MS_PER_HOUR
    share = workload.gpu_hours / capacity_gpu_hours if capacity_gpu_hours else None
    return Load(cluster.name, gpus, share)


def _ids(query: QueryDict, field: str) -> list[int]:
    numbers = (whole_number(value) for value in query.getlist(field))
    return [number for number in numbers if number is not None]
