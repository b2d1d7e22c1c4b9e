"""What a table of jobs looks like, as the row keeps it: the twin's profile, and two tables for the charts."""

from __future__ import annotations

from typing import Any

import numpy as np

from twin.workload import Jobs, local_submit_ms, profile, size_buckets

MS_PER_HOUR = 3_600_000
HOURS_A_WEEK = 168
EPOCH_HOUR_OF_WEEK = 3 * 24  # 1 January 1970 was a Thursday; the week begins on Monday
CURVE_POINTS = 200


def profile_fields(jobs: Jobs) -> dict[str, Any]:
    """The fields of a workload's row that its jobs decide."""
    told = profile(jobs).to_dict()
    return {
        "job_count": len(jobs),
        "gpu_hours": told["gpu_hours"],
        "span_ms": round(told["span_hours"] * MS_PER_HOUR),
        "profile": told | {"week": week_table(jobs), "run_time_curves": run_time_curves(jobs)},
    }


def week_table(jobs: Jobs) -> dict[str, list[list[float]]] | None:
    """Jobs and GPU-hours submitted, seven days (Monday first) of 24 hours; None without a calendar."""
    local_ms = local_submit_ms(jobs)
    if local_ms is None:
        return None
    hour = (local_ms // MS_PER_HOUR + EPOCH_HOUR_OF_WEEK) % HOURS_A_WEEK
    gpu_hours = jobs.gpus * (jobs.run_ms / MS_PER_HOUR)
    jobs_by_hour = np.bincount(hour, minlength=HOURS_A_WEEK)
    gpu_hours_by_hour = np.bincount(hour, weights=gpu_hours, minlength=HOURS_A_WEEK)
    return {
        "jobs": jobs_by_hour.reshape(7, 24).tolist(),
        "gpu_hours": gpu_hours_by_hour.round(3).reshape(7, 24).tolist(),
    }


def run_time_curves(jobs: Jobs) -> list[dict[str, Any]]:
    """For each GPU size the run times (s) that shares of its jobs do not exceed, at most 200 points."""
    bucket, labels = size_buckets(jobs)
    curves = []
    for at, label in enumerate(labels):
        run_s = np.sort(jobs.run_ms[bucket == at]) / 1000
        rank = np.unique(np.linspace(0, len(run_s) - 1, CURVE_POINTS).round().astype(np.int64))
        share = (rank + 1) / len(run_s)
        curves.append(
            {"size": label, "jobs": len(run_s), "run_s": run_s[rank].tolist(), "share": share.tolist()}
        )
    return curves
