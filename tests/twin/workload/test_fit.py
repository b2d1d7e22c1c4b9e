"""A fitted mix makes more of the same kind: load, medians, rhythm and ends of what it was fitted to."""

import numpy as np
import pytest

from tests.twin.workload.traces import read_text
from twin.problems import InvalidInput
from twin.workload import (
    MISSING,
    JobClass,
    MovesAs,
    RunTime,
    TimeLimit,
    WorkloadMix,
    fit_mix,
    generate,
    profile,
)

MIX = WorkloadMix(
    "truth",
    21.0,
    (
        JobClass(
            "short", 40.0, {1: 0.8, 4: 0.2}, (RunTime(120.0, 1.2),), max_run_s=86_400.0, users=30,
            user_skew=1.0, ends={"completed": 0.6, "failed": 0.4}, limit=TimeLimit(3.0, 0.5, 1.0, 0.25),
            cpus_per_gpu=8, groups={"a": 0.7, "b": 0.3}, queue="debug",
        ),
        JobClass(
            "long", 5.0, {8: 0.7, 16: 0.3}, (RunTime(600.0, 0.5, 0.5), RunTime(20_000.0, 0.8, 0.5)),
            max_run_s=10 * 86_400.0, ends={"completed": 0.5, "cancelled": 0.5}, users=5,
            moves_as=MovesAs.FIXED_HOLD,
        ),
    ),
    1_772_409_600_000,
)  # fmt: skip
JOBS = generate(MIX, 11)
FITTED = fit_mix(JOBS, name="like truth")
AGAIN = generate(FITTED, 12)


def test_the_fitted_mix_offers_the_same_load():
    before, after = profile(JOBS), profile(AGAIN)
    assert after.jobs == pytest.approx(before.jobs, rel=0.03)
    assert after.gpu_hours == pytest.approx(before.gpu_hours, rel=0.10)
    assert after.median_run_s == pytest.approx(before.median_run_s, rel=0.10)
    assert after.mean_gpus == pytest.approx(before.mean_gpus, rel=0.05)


def test_the_fitted_mix_keeps_the_rhythm():
    before, after = profile(JOBS), profile(AGAIN)
    assert after.peak_hour_ratio == pytest.approx(before.peak_hour_ratio, rel=0.08)
    assert after.weekend_share == pytest.approx(before.weekend_share, abs=0.02)
    assert FITTED.start_epoch_ms == JOBS.origin_epoch_ms


def test_classes_are_the_jobs_own():
    short, long = sorted(FITTED.classes, key=lambda each: -each.jobs_per_hour)
    assert (short.name, long.name) == ("short", "long")
    assert (short.queue, short.users, short.cpus_per_gpu) == ("debug", 30, 8.0)
    assert short.user_skew == pytest.approx(1.0, abs=0.25)
    assert short.ends["failed"] == pytest.approx(0.4, abs=0.02)
    assert short.limit.missing_share == pytest.approx(0.25, abs=0.02)
    assert short.limit.looseness_median == pytest.approx(3.0, rel=0.1)
    assert long.limit is None
    assert long.moves_as is MovesAs.FIXED_HOLD
    assert set(long.gpus) == {8, 16}


def test_fitting_has_no_chance_in_it():
    assert fit_mix(JOBS, name="like truth") == FITTED


def test_without_classes_gpu_sizes_are_the_classes(tmp_path):
    rows = "".join(f"{at * 60},{100 + at},{1 if at % 3 else 16}\n" for at in range(300))
    jobs = read_text(tmp_path, "submit,duration,gpus\n" + rows).jobs
    fitted = fit_mix(jobs)
    assert [each.name for each in fitted.classes] == ["1 GPU", "9-32 GPUs"]
    assert fitted.start_epoch_ms is None
    assert all(each.limit is None for each in fitted.classes)
    again = generate(fitted, 1)
    assert (again.limit_ms == MISSING).all()
    assert np.isin(again.gpus, [1, 16]).all()


def test_two_jobs_are_enough_and_one_is_not(tmp_path):
    jobs = read_text(tmp_path, "submit,duration,gpus\n0,60,1\n9,70,2\n").jobs
    assert fit_mix(jobs).classes
    with pytest.raises(InvalidInput, match="too few"):
        fit_mix(jobs.take(np.array([0])))
