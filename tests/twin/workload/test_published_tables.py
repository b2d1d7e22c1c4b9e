"""Philly and OpenB: recognised by their columns, and their quirks told."""

import pytest

from tests.twin.workload.traces import read_text
from twin.problems import InvalidInput
from twin.workload import EndState, MovesAs

PHILLY = """timestamp,duration,num_gpus,gpu_time,cluster
2017-10-09 07:01:55,66.0,1,66.0,11cb48
2017-10-09 06:13:03,2951.0,2,5902.0,6214e9
2017-10-09 07:01:55,66.0,1,66.0,11cb48
"""
OPENB = """name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,\
scheduled_time
pod-0,12000,16384,1,1000,,LS,Running,100,200,100
pod-1,6500,12288,1,460,,BE,Succeeded,110,170,120
pod-2,11908,47104,1,1000,G2,BE,Pending,130,140,
pod-3,12000,16384,2,1000,V100M16|V100M32,Burstable,Failed,150,250,151
pod-4,20000,65536,0,0,,LS,Running,160,260,161
"""


def test_philly_is_recognised_by_its_columns_and_loses_its_duplicates(tmp_path):
    imported = read_text(tmp_path, PHILLY, name="anything.txt")
    assert imported.report.format == "philly"
    assert imported.report.duplicates == 1
    assert imported.jobs.group.names == ("11cb48", "6214e9")
    assert imported.jobs.gpus.tolist() == [2, 1]
    assert imported.jobs.time_zone == "not stated"


def test_philly_columns_may_come_in_any_order(tmp_path):
    rows = [line.split(",") for line in PHILLY.splitlines()]
    text = "\n".join(",".join(row[at] for at in (4, 1, 0, 3, 2)) for row in rows)
    assert read_text(tmp_path, text).report.format == "philly"


def test_openb_keeps_shares_models_and_what_was_never_scheduled(tmp_path):
    imported = read_text(tmp_path, OPENB)
    jobs, report = imported.jobs, imported.report
    assert report.format == "openb"
    assert jobs.job_id.tolist() == ["pod-0", "pod-1", "pod-3"]
    assert jobs.gpu_milli.tolist() == [1000, 460, 2000]
    assert jobs.gpus.tolist() == [1, 1, 2]
    assert jobs.cpus.tolist() == [12, 7, 12]
    assert jobs.run_ms.tolist() == [100_000, 50_000, 99_000]
    assert jobs.recorded_state.tolist() == [EndState.UNKNOWN, EndState.COMPLETED, EndState.FAILED]
    assert jobs.moves_as.tolist() == [MovesAs.FIXED_HOLD, MovesAs.FIXED_WORK, MovesAs.FIXED_WORK]
    assert jobs.gpu_models.names == ("V100M16|V100M32",)
    assert report.dropped == {"asks for no GPU": 1, "cancelled while pending: it never started": 1}
    assert (report.unmet.cancelled_while_pending, report.unmet.cancelled_gpus_asked) == (1, 1)
    assert jobs.origin_epoch_ms is None


def test_an_openb_variant_without_times_is_refused(tmp_path):
    text = "\n".join(",".join(line.split(",")[:5]) for line in OPENB.splitlines())
    with pytest.raises(InvalidInput, match="creation_time, scheduled_time, deletion_time"):
        read_text(tmp_path, text)
