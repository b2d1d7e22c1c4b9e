"""Real traces through the web's services: staged, recognised, committed and read as a worker reads them."""

import os
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from fleet.workloads.models import State
from fleet.workloads.services import jobs_of
from fleet.workloads.services.ingest import workload_ingest
from fleet.workloads.services.preview import upload_preview
from fleet.workloads.services.uploads import upload_commit, upload_stage

DATA = Path(os.environ.get("FLEET_TWIN_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
TRACES = DATA / "traces"

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not TRACES.is_dir(), reason=f"no traces in {TRACES} (set FLEET_TWIN_DATA)"),
]

CASES = {
    "philly/philly_sia.csv": ("philly", 82_182, {}),
    "alibaba_gpu_v2023_openb/openb_pod_list_default.csv": ("openb", 6_203, {}),
    "xdmod_slurm/phillips.log.gz": ("slurm", None, {"count_as_gpus": "processors"}),
    "swf_lublin_synthetic/lublin_256.swf": ("swf", None, {"count_as_gpus": "processors"}),
}


@pytest.fixture(autouse=True)
def _files_in_a_temporary_folder(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "files"


@pytest.mark.parametrize("name", CASES)
def test_a_real_trace_is_recognised_and_read(name, workspace, planner):
    format_name, jobs, keep = CASES[name]
    path = TRACES / name
    staged = upload_stage(workspace, planner, SimpleUploadedFile(path.name, path.read_bytes()))
    preview = upload_preview(staged, {"format": "auto", "mapping": None, "keep": keep})
    assert preview.problems == ()
    assert preview.report["format"] == format_name
    workload = upload_commit(staged, planner, name="real", reading=preview.reading)
    workload_ingest(workload.pk, 0)
    workload.refresh_from_db()
    assert (workload.state, workload.problems) == (State.READY, [])
    assert jobs in (None, workload.job_count)
    assert len(jobs_of(workload)) == workload.job_count == workload.profile["jobs"]
