"""Real traces, read whole: what becomes of their rows, and their published quirks.

The files are not part of the project: ``traces/`` and ``quirks/`` under FLEET_TWIN_DATA or
``../shared/data``. Counts are those of the folder's own notes where they tell them.
"""

import json
import os
import re
from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from twin.problems import InvalidInput
from twin.workload import MISSING, EndState, Imported, KeepOptions, read_trace

DATA = Path(os.environ.get("FLEET_TWIN_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
TRACES, QUIRKS = DATA / "traces", DATA / "quirks" / "files"

SMALL_BYTES = 400_000

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not TRACES.is_dir(), reason=f"no traces in {TRACES} (set FLEET_TWIN_DATA)"),
]


def read(name: str, count_as_gpus: str = "gpus", **keep) -> Imported:
    imported = read_trace(TRACES / name, keep=KeepOptions(count_as_gpus=count_as_gpus, **keep))
    report = imported.report
    rows = report.job_rows + sum(report.folded.values()) + report.duplicates + sum(report.dropped.values())
    assert rows + report.rows_refused == report.rows_read
    return imported


def test_philly():
    imported = read("philly/philly_sia.csv")
    report, jobs = imported.report, imported.jobs
    assert (report.rows_read, report.duplicates, report.jobs) == (82_247, 65, 82_182)
    assert (report.format, report.time_zone) == ("philly", "not stated")
    assert (report.first_submit[:10], report.last_submit[:10]) == ("2017-09-04", "2017-12-22")
    assert (jobs.gpus.min(), jobs.gpus.max()) == (1, 128)
    assert len(jobs.group.names) == 15
    assert int((jobs.gpus == 64).sum()) == 6


def test_one_virtual_cluster_of_philly_can_be_kept():
    jobs = read("philly/philly_sia.csv", groups=("ee9e8c",)).jobs
    assert len(jobs) == 1_511
    assert jobs.submit_ms[0] == 0


@pytest.mark.parametrize(
    ("variant", "jobs", "no_gpu", "cancelled"),
    [("default", 6_203, 1_088, 861), ("gpuspec33", 6_203, 1_088, 861), ("gpushare100", 5_891, 1_088, 1_173)],
)
def test_openb(variant, jobs, no_gpu, cancelled):
    report = read(f"alibaba_gpu_v2023_openb/openb_pod_list_{variant}.csv").report
    assert report.rows_read == 8_152
    assert report.jobs == jobs
    assert report.dropped == {
        "asks for no GPU": no_gpu,
        "cancelled while pending: it never started": cancelled,
    }
    assert report.unmet.cancelled_while_pending == cancelled


def test_openb_without_times_is_refused():
    with pytest.raises(InvalidInput, match="without times there is nothing to replay"):
        read("alibaba_gpu_v2023_openb/openb_pod_list_multigpu50.csv")


def test_fox_a_live_snapshot_of_a_gpu_cluster():
    imported = read("slurm_sonar_fox/tests_testdata_sacct_output.txt")
    report, jobs = imported.report, imported.jobs
    assert (report.rows_read, report.folded) == (301, {"a job step": 179})
    assert report.dropped["still pending when the trace was written"] == 31
    assert report.unmet.gpus_not_known == 35  # nothing was allocated, and requests were not exported
    assert (report.jobs, report.censored) == (65, 18)
    wait = jobs.recorded_start_ms - jobs.eligible_ms
    first = jobs.job_id.tolist().index("1879824")
    assert wait[first] == 402_606_000
    assert jobs.run_ms[first] == 1_192_379_000


def test_xdmod_logs_without_a_header():
    phillips = read("xdmod_slurm/phillips.log.gz", "processors")
    assert phillips.report.rows_read == 4_285
    assert read("xdmod_slurm/phillips.log.gz").report.jobs == 2
    pozidriv = read("xdmod_slurm/pozidriv.log.gz", "processors")
    assert pozidriv.report.rows_read == 11_704
    wait = pozidriv.jobs.recorded_start_ms - pozidriv.jobs.submit_ms
    assert np.median(wait) == pytest.approx(141_000, rel=0.25)  # the notes' median is over all records
    with pytest.raises(InvalidInput, match="11,704 dropped: asks for no GPU"):
        read("xdmod_slurm/pozidriv.log.gz")


@pytest.mark.parametrize("name", ["sacct_simple.log", "sacct_dump2101.log", "sacct_dump2110.log"])
def test_dumps_of_all_columns(name):
    imported = read(f"slurm_sim_tools/{name}", "processors")
    assert imported.report.format == "slurm"
    if name == "sacct_simple.log":
        assert imported.jobs.job_id.tolist() == ["1", "2", "3", "4"]
        assert (imported.jobs.recorded_start_ms - imported.jobs.submit_ms).tolist() == [0, 0, 3_000, 3_000]
        assert set(imported.jobs.limit_ms) == {259_200_000}


@pytest.mark.parametrize(
    ("name", "rows", "jobs", "zone"),
    [
        ("swf_lcg_2005/LCG-2005.swf.gz", 188_041, 188_041, "Europe/London"),
        ("swf_nasa_ipsc_1993/NASA-iPSC-1993-3.1-cln.swf.gz", 18_239, 18_239, "US/Pacific"),
        ("swf_metacentrum_wagap_2013/wagap-2013.swf.gz", 17_900, 17_898, "UTC"),
        ("swf_lublin_synthetic/lublin_256.swf", 10_000, 10_000, "no calendar"),
        ("alcf_theta/theta_2022.swf", 23_911, 23_911, "UTC"),
        ("swf_accasim_fixture/workload.swf", 25, 25, "no calendar"),
    ],
)
def test_swf_logs(name, rows, jobs, zone):
    report = read(name).report
    assert (report.rows_read, report.jobs, report.time_zone) == (rows, jobs, zone)


def test_theta_keeps_its_recorded_waits_and_tells_no_failures():
    jobs = read("alcf_theta/theta_2022.swf").jobs
    wait_h = (jobs.recorded_start_ms - jobs.submit_ms) / 3_600_000
    assert np.percentile(wait_h, 50, method="inverted_cdf") == pytest.approx(7.2, abs=0.1)
    assert np.percentile(wait_h, 95, method="inverted_cdf") == pytest.approx(99, abs=1)
    assert set(jobs.recorded_state) == {EndState.UNKNOWN}


def test_nasa_has_no_waits_to_compare_with():
    imported = read("swf_nasa_ipsc_1993/NASA-iPSC-1993-3.1-cln.swf.gz")
    assert set(imported.jobs.recorded_start_ms) == {MISSING}
    assert imported.report.repairs == {"zero run time, made 1 ms": 173}


def small_files() -> list[Path]:
    """Every file of the collection that is not read above as a large trace."""
    files = sorted(path for path in [*QUIRKS.glob("*"), *TRACES.rglob("*")] if path.is_file())
    return [path for path in files if path.stat().st_size < SMALL_BYTES]


def test_no_small_file_makes_anything_but_jobs_or_a_refusal():
    for path in small_files():
        try:
            jobs = read_trace(path).jobs
        except InvalidInput:
            continue
        assert (jobs.run_ms >= 1).all(), path
        assert (jobs.gpus >= 1).all(), path
        assert (jobs.submit_ms.min(), len(set(jobs.job_id))) == (0, len(jobs)), path


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("q20_het_job_plus.txt", {"job_id": ["880"], "gpus": [8]}),
        ("q23_bigint_ids.csv", {"gpus": [8, 8, 1]}),
        ("q24_scientific_ids.csv", {"run_ms": [3_600_000, 1_800_000, 60_000]}),
        ("q28_gpu_job_without_nodes.txt", {"gpus": [2], "recorded_start_ms": [3_781_000]}),
        (
            "q33_kalos_duration_includes_queue.csv",
            {"run_ms": [8_000, 70_000], "recorded_start_ms": [10_000, 1_676_000]},
        ),
        ("q47_latin1_bytes.csv", {"gpus": [2, 1]}),
        ("q48_bom_quoted_header.csv", {"gpus": [8]}),
        ("q51_cr_only_and_blank_tail.csv", {"run_ms": [3_600_000, 60_000]}),
        ("q56_swf_minus1_run.swf", {"gpus": [40]}),
        ("q57_swf_no_wait.swf", {"gpus": [128, 1], "recorded_start_ms": [MISSING, MISSING]}),
        ("q59_swf_abs_epoch_zero_start.swf", {"gpus": [128, 640, 4389]}),
        ("q60_swf_semicolon_csv.csv", {"gpus": [144, 128, 128, 176]}),
        ("q62_openb_fractional.csv", {"gpu_milli": [1000, 460, 1000, 8000, 440]}),
        ("q84_concatenated_exports.txt", {"job_id": ["1", "2"]}),
    ],
)
def test_quirks_are_read_as_their_notes_say(name, expected):
    jobs = read_trace(QUIRKS / name).jobs
    for column, values in expected.items():
        assert getattr(jobs, column).tolist() == values


def fox_jobs_by_sonars_own_reading() -> dict[str, dict[str, float]]:
    """GPUs, run time and wait of each GPU job of Fox, from sonar's JSON of the same sacct output."""
    document = json.loads((TRACES / "slurm_sonar_fox/tests_testdata_sonar_sacct_output.txt").read_text())
    found = {}
    for job in document["data"]["attributes"]["slurm_jobs"]:
        gpus = re.search(r"gres/gpu=(\d+)", job.get("allocated_resources", ""))
        if "job_step" in job or not gpus or "start_time" not in job:
            continue
        moments = [datetime.fromisoformat(job[name]) for name in ("submit_time", "start_time")]
        name = str(job["job_id"])
        if job.get("array_job_id"):
            name = f"{job['array_job_id']}_{job['array_task_id']}"
        found[name] = {
            "gpus": int(gpus[1]),
            "run_s": job["sacct"]["ElapsedRaw"],
            "wait_s": (moments[1] - moments[0]).total_seconds(),
        }
    return found


def test_fox_agrees_job_by_job_with_what_sonar_made_of_it():
    jobs = read("slurm_sonar_fox/tests_testdata_sacct_output.txt").jobs
    wait = jobs.recorded_start_ms - jobs.submit_ms
    ours = {
        name: {"gpus": gpus, "run_s": run / 1000, "wait_s": waited / 1000}
        for name, gpus, run, waited in zip(jobs.job_id, jobs.gpus, jobs.run_ms, wait, strict=True)
    }
    assert ours == fox_jobs_by_sonars_own_reading()
