"""The profile of a workload, reckoned by hand for a few jobs."""

import json

import pytest

from tests.twin.workload.traces import read_text
from twin.workload import ColumnMapping, profile

HEADER = "job_id,submit,start,duration,gpus,user,group,state\n"
MONDAY = "2026-03-02T"
ROWS = (
    f"a,{MONDAY}09:00:00Z,{MONDAY}09:00:10Z,3600,8,ann,nlp,COMPLETED\n"
    f"b,{MONDAY}09:30:00Z,{MONDAY}10:30:00Z,7200,1,bo,nlp,FAILED\n"
    f"c,2026-03-07T21:00:00Z,2026-03-07T21:00:00Z,1800,3,ann,,COMPLETED\n"
)


@pytest.fixture
def seen(tmp_path):
    return profile(read_text(tmp_path, HEADER + ROWS).jobs)


def test_totals(seen):
    assert (seen.jobs, seen.gpu_hours, seen.max_gpus) == (3, 8 + 2 + 1.5, 8)
    assert seen.span_hours == 5 * 24 + 12
    assert seen.mean_offered_gpus == pytest.approx(11.5 / 132)
    assert (seen.median_run_s, seen.mean_gpus) == (3600, 4)
    assert seen.first_submit == "2026-03-02T09:00:00Z"


def test_rhythm(seen):
    assert {hour.name: hour.jobs for hour in seen.by_hour if hour.jobs} == {"9": 2, "21": 1}
    assert {day.name: day.gpu_hours for day in seen.by_weekday if day.jobs} == {"Monday": 10, "Saturday": 1.5}
    assert seen.peak_hour_ratio == pytest.approx(16)
    assert seen.weekend_share == pytest.approx(1 / 3)


def test_hours_are_those_of_the_traces_own_zone(tmp_path):
    local = HEADER + ROWS.replace("Z", "")
    jobs = read_text(tmp_path, local, mapping=ColumnMapping(time_zone="Europe/Oslo")).jobs
    assert {hour.name: hour.jobs for hour in profile(jobs).by_hour if hour.jobs} == {"9": 2, "21": 1}
    assert jobs.origin_epoch_ms == 1_772_438_400_000  # 08:00 in UTC


def test_sizes_people_and_states(seen):
    assert [(size.name, size.jobs) for size in seen.gpu_sizes] == [("1", 1), ("3–4", 1), ("5–8", 1)]
    assert [(user.name, user.gpu_hours) for user in seen.users] == [("ann", 9.5), ("bo", 2)]
    assert [(group.name, group.jobs) for group in seen.groups] == [("nlp", 2), ("not given", 1)]
    assert [(state.name, state.jobs) for state in seen.states] == [("completed", 2), ("failed", 1)]
    assert (seen.users_in_all, seen.groups_in_all) == (2, 1)


def test_waits_that_the_trace_recorded(seen):
    assert [(wait.size, wait.p50_s) for wait in seen.recorded_waits] == [("1", 3600), ("3–4", 0), ("5–8", 10)]


def test_load_over_time(seen):
    assert seen.load_bin_hours == 1
    assert seen.load[0].gpu_hours_per_hour == 10
    assert seen.load[0].gpus_wanted == pytest.approx(8 + 0.5)
    assert seen.load[1].gpus_wanted == pytest.approx(1)
    assert [(day.name, day.jobs) for day in seen.arrivals_per_day if day.jobs] == [
        ("2026-03-02", 2),
        ("2026-03-07", 1),
    ]


def test_a_long_trace_is_thinned(tmp_path):
    rows = "".join(f"{day * 86_400},60,1\n" for day in range(1000))
    seen = profile(read_text(tmp_path, "submit,duration,gpus\n" + rows).jobs)
    assert len(seen.load) <= 401
    assert len(seen.arrivals_per_day) <= 401
    assert sum(point.jobs for point in seen.load) == sum(day.jobs for day in seen.arrivals_per_day) == 1000
    work = sum(point.gpu_hours_per_hour for point in seen.load) * seen.load_bin_hours
    assert work == pytest.approx(seen.gpu_hours)


def test_many_users_are_summed_after_the_first_twenty(tmp_path):
    rows = "".join(f"{n},{60 + n},1,u{n:02d}\n" for n in range(30))
    seen = profile(read_text(tmp_path, "submit,duration,gpus,user\n" + rows).jobs)
    assert len(seen.users) == 21
    assert seen.users[-1].name == "10 others"
    assert sum(user.jobs for user in seen.users) == 30


def test_without_a_calendar_there_is_no_hour_of_the_day(tmp_path):
    seen = profile(read_text(tmp_path, "submit,duration,gpus\n0,60,1\n90000,60,1\n").jobs)
    assert seen.by_hour == ()
    assert seen.by_weekday == ()
    assert seen.peak_hour_ratio is None
    assert seen.first_submit is None
    assert [day.name for day in seen.arrivals_per_day] == ["day 1", "day 2"]


def test_it_is_plain_values(seen):
    assert json.loads(json.dumps(seen.to_dict()))["jobs"] == 3
