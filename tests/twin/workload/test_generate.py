"""Generated workloads: the same bytes for the same seed, and a demo month inside the published ranges.

The ranges are those of Philly (2017), Helios (2020) and Seren (2023), as told in ``demo_mix``.
"""

from dataclasses import replace

import numpy as np
import pytest

from twin.problems import InvalidInput
from twin.workload import (
    FLAT,
    MISSING,
    EndState,
    JobClass,
    MovesAs,
    Rhythm,
    RunTime,
    TimeLimit,
    WorkloadMix,
    demo_mix,
    generate,
    profile,
)

SEEDS = (0, 1, 2)
CAPACITY_GPU_HOURS = 64 * 8 * 30 * 24

MONTHS = {seed: generate(demo_mix(), seed) for seed in SEEDS}


@pytest.fixture(params=SEEDS, ids=lambda seed: f"seed {seed}")
def month(request):
    return MONTHS[request.param]


def one_class(**changes) -> JobClass:
    made = JobClass("only", 100.0, {1: 1.0}, (RunTime(600.0, 1.0),), rhythm=FLAT)
    return replace(made, **changes)


def draw(each: JobClass, seed=1, days=7.0, start=None):
    return generate(WorkloadMix("test", days, (each,), start), seed)


def test_the_month_has_the_published_number_and_length_of_jobs(month):
    run_s = month.run_ms / 1000
    assert 30_000 <= len(month) <= 60_000
    assert 1_414 <= run_s.mean() <= 18_006
    assert 122 <= np.median(run_s) <= 874
    assert 10 <= run_s.mean() / np.median(run_s) <= 32
    assert run_s.max() <= 50 * 86_400


def test_the_month_has_the_published_sizes(month):
    assert 1.93 <= month.gpus.mean() <= 5.68
    assert np.median(month.gpus) == 1
    assert month.gpus.max() == 128


@pytest.mark.parametrize(
    ("state", "jobs", "gpu_time"),
    [
        (EndState.COMPLETED, (0.497, 0.624), (0.212, 0.513)),
        (EndState.CANCELLED, (0.075, 0.221), (0.294, 0.664)),
        (EndState.FAILED, (0.155, 0.429), (0.093, 0.386)),
    ],
)
def test_the_month_ends_as_published_by_jobs_and_by_gpu_time(month, state, jobs, gpu_time):
    ended = month.recorded_state == state
    work = month.run_ms * month.gpus.astype(float)
    assert jobs[0] <= ended.mean() <= jobs[1]
    assert gpu_time[0] <= work[ended].sum() / work.sum() <= gpu_time[1]


def test_the_month_has_the_published_rhythm(month):
    seen = profile(month)
    assert 1.5 <= seen.peak_hour_ratio <= 2.2
    assert 0.17 <= seen.weekend_share <= 0.29


def test_the_month_loads_64_nodes_of_8_to_about_80_percent():
    load = [profile(month).gpu_hours / CAPACITY_GPU_HOURS for month in MONTHS.values()]
    assert 0.75 <= np.mean(load) <= 0.85
    assert all(0.70 <= each <= 0.90 for each in load)


def test_a_larger_fleet_gets_more_jobs_of_the_same_sizes():
    small, large = generate(demo_mix(gpus=256, days=10), 3), generate(demo_mix(gpus=1024, days=10), 3)
    assert 3.7 <= len(large) / len(small) <= 4.3
    assert large.gpus.max() == small.gpus.max() == 128


def test_the_same_seed_makes_the_same_jobs_and_another_seed_others():
    one, again, other = (generate(demo_mix(days=2), seed) for seed in (9, 9, 10))
    for name in ("submit_ms", "run_ms", "gpus", "limit_ms", "recorded_state"):
        assert getattr(one, name).tobytes() == getattr(again, name).tobytes()
    assert one.user.codes.tobytes() == again.user.codes.tobytes()
    assert len(one) != len(other) or one.run_ms.tobytes() != other.run_ms.tobytes()


def test_changing_one_class_leaves_the_others_luck_alone():
    mix = demo_mix(days=2)
    changed = replace(mix, classes=(*mix.classes[1:], replace(mix.classes[0], jobs_per_hour=1.0)))
    sweep = [
        jobs.run_ms[jobs.job_class.codes == jobs.job_class.names.index("sweep")]
        for jobs in (generate(mix, 4), generate(changed, 4))
    ]
    assert sweep[0].tobytes() == sweep[1].tobytes()


def test_arrivals_follow_the_rhythm_from_the_weekday_of_the_start():
    rhythm = Rhythm(hours=(0.0,) * 8 + (1.0,) * 4 + (0.0,) * 12, weekdays=(1.0,) * 5 + (0.0, 0.0))
    saturday = 1_772_841_600_000  # 7 March 2026
    jobs = draw(one_class(rhythm=rhythm), start=saturday)
    hours = (jobs.submit_ms + jobs.origin_epoch_ms - saturday) // 3_600_000
    assert set(hours % 24) == {8, 9, 10, 11}
    assert set(hours // 24) == {2, 3, 4, 5, 6}


def test_bursts_share_an_instant_and_a_user():
    jobs = draw(one_class(burst_mean=5.0))
    _, first, count = np.unique(jobs.submit_ms, return_index=True, return_counts=True)
    assert 4.0 <= count.mean() <= 6.0
    for at, size in zip(first[:200], count[:200], strict=True):
        assert len(set(jobs.user.codes[at : at + size])) == 1
    assert 0.85 <= len(jobs) / (7 * 24 * 100) <= 1.15


def test_run_times_keep_to_their_bounds():
    jobs = draw(one_class(run_time=(RunTime(600.0, 3.0),), min_run_s=10.0, max_run_s=5_000.0))
    assert (jobs.run_ms.min(), jobs.run_ms.max()) == (10_000, 5_000_000)


def test_limits_are_rounded_up_missing_or_cut_as_asked():
    limit = TimeLimit(looseness_median=2.0, sigma=0.5, rounded_to_s=900.0, missing_share=0.2, cut_share=0.1)
    jobs = draw(one_class(limit=limit))
    missing, cut = jobs.limit_ms == MISSING, jobs.recorded_state == EndState.TIMED_OUT
    assert missing.mean() == pytest.approx(0.2, abs=0.02)
    assert cut.mean() == pytest.approx(0.1, abs=0.02)
    assert (jobs.limit_ms[cut] == jobs.run_ms[cut]).all()
    assert ((jobs.moves_as == MovesAs.CUT_AT_LIMIT) == cut).all()
    usual = ~missing & ~cut
    assert (jobs.limit_ms[usual] >= jobs.run_ms[usual]).all()
    assert (jobs.limit_ms[usual] % 900_000 == 0).all()


def test_a_user_is_in_one_group():
    jobs = draw(one_class(groups={"a": 1.0, "b": 3.0}, users=30))
    pairs = set(zip(jobs.user.codes.tolist(), jobs.group.codes.tolist(), strict=True))
    assert len(pairs) == len(set(jobs.user.codes.tolist()))


def test_a_mix_that_makes_no_job_is_told():
    with pytest.raises(InvalidInput, match="makes no job"):
        draw(one_class(jobs_per_hour=1e-9), days=0.1)
