"""Jobs written as Parquet come back as they were, all of them."""

from dataclasses import fields, replace

import numpy as np
import pytest

from tests.twin.workload.traces import read_text
from twin.problems import InvalidInput
from twin.workload import Category, Jobs, demo_mix, generate, load_jobs, make_jobs, save_jobs


def assert_same(one: Jobs, other: Jobs) -> None:
    for field in fields(Jobs):
        a, b = getattr(one, field.name), getattr(other, field.name)
        if isinstance(a, Category):
            assert a.names == b.names, field.name
            a, b = a.codes, b.codes
        if isinstance(a, np.ndarray):
            assert a.dtype == b.dtype, field.name
            assert a.tolist() == b.tolist(), field.name
        else:
            assert a == b, field.name


def test_generated_jobs_come_back(tmp_path):
    jobs = generate(demo_mix(days=3), 1)
    save_jobs(jobs, tmp_path / "jobs.parquet")
    assert_same(load_jobs(tmp_path / "jobs.parquet"), jobs)


def test_a_trace_without_calendar_comes_back_with_its_notes(tmp_path):
    jobs = read_text(tmp_path, "job_id,submit,duration,gpus\na,5,60,0.5\nb,0,60,8\n").jobs
    save_jobs(jobs, tmp_path / "jobs.parquet")
    loaded = load_jobs(tmp_path / "jobs.parquet")
    assert_same(loaded, jobs)
    assert loaded.origin_epoch_ms is None
    assert loaded.notes


def test_names_that_no_job_uses_and_no_jobs_at_all_come_back(tmp_path):
    none = make_jobs(
        submit_ms=np.zeros(0, np.int64), run_ms=np.zeros(0, np.int64), gpus=np.zeros(0, np.int32)
    )
    jobs = replace(none, user=Category(np.zeros(0, np.int32), ("ann", "bo")))
    save_jobs(jobs, tmp_path / "jobs.parquet")
    assert_same(load_jobs(tmp_path / "jobs.parquet"), jobs)


def test_loaded_arrays_can_be_written_to(tmp_path):
    save_jobs(generate(demo_mix(days=1), 1), tmp_path / "jobs.parquet")
    load_jobs(tmp_path / "jobs.parquet").submit_ms[0] = 0


def test_the_same_jobs_make_the_same_bytes(tmp_path):
    for name in ("one", "two"):
        save_jobs(generate(demo_mix(days=2), 5), tmp_path / name)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


def test_another_file_is_refused(tmp_path):
    import polars as pl

    (tmp_path / "text").write_text("job_id,submit\n")
    with pytest.raises(InvalidInput, match="no readable Parquet file"):
        load_jobs(tmp_path / "text")
    pl.DataFrame({"a": [1]}).write_parquet(tmp_path / "other.parquet")
    with pytest.raises(InvalidInput, match="holds no jobs of ours"):
        load_jobs(tmp_path / "other.parquet")
