"""What a seed makes of a mix: counts, GPU-hours and offered load, by class and in all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from fleet.workloads.figures import profile_figures
from fleet.workloads.mix_spec import Spec, spec_sha256
from fleet.workloads.selectors import ClusterChoice
from fleet.workloads.services.jobs import CACHE
from fleet.workloads.services.mixes import MAX_JOBS_IN_A_PAGE, expected_jobs
from fleet.workloads.services.profiles import MS_PER_HOUR, profile_fields
from fleet.workloads.views.profile import offered_share
from twin.problems import InvalidInput
from twin.workload import Jobs, WorkloadMix, generate

SHOWN = ("offered-load", "jobs-by-hour", "run-times")


@dataclass(frozen=True, slots=True)
class ClassRow:
    """What became of one class of the mix."""

    name: str
    jobs: int
    job_share: float
    gpu_hours: float
    gpu_hour_share: float
    gpus_mean: float
    gpus_max: int
    run_median_ms: float


def mix_preview(mix: WorkloadMix, spec: Spec, seed: int, choice: ClusterChoice) -> dict[str, Any]:
    """The template's values; ``too_many`` or ``problems`` where nothing is drawn."""
    expected = expected_jobs(mix)
    if expected > MAX_JOBS_IN_A_PAGE:
        return {"too_many": True, "expected": expected}
    try:
        jobs = CACHE.get((spec_sha256(spec), seed), lambda: generate(mix, seed))
    except InvalidInput as error:
        return {"problems": error.problems}
    fields = profile_fields(jobs)
    figures = profile_figures(fields["profile"], str(choice.chosen or ""), choice.gpus)
    return {
        **fields,
        "expected": expected,
        "class_rows": class_rows(jobs),
        "load": offered_share(fields["gpu_hours"], fields["span_ms"], choice.gpus),
        "figures": {name: figures[name] for name in SHOWN if name in figures},
    }


def class_rows(jobs: Jobs) -> list[ClassRow]:
    """Each class's jobs and GPU-hours, most GPU-hours first."""
    gpu_hours = jobs.gpus * (jobs.run_ms / MS_PER_HOUR)
    rows = []
    for code, name in enumerate(jobs.job_class.names):
        own = jobs.job_class.codes == code
        if own.any():
            rows.append(
                ClassRow(
                    name=name,
                    jobs=int(own.sum()),
                    job_share=float(own.mean()),
                    gpu_hours=float(gpu_hours[own].sum()),
                    gpu_hour_share=float(gpu_hours[own].sum() / gpu_hours.sum()),
                    gpus_mean=float(jobs.gpus[own].mean()),
                    gpus_max=int(jobs.gpus[own].max()),
                    run_median_ms=float(np.median(jobs.run_ms[own])),
                )
            )
    return sorted(rows, key=lambda row: -row.gpu_hours)
