"""jobs_out.csv has a row a job, seconds with three decimals, and names of nodes."""

import io

import numpy as np

from tests.twin.analysis.replays import replay
from twin.analysis import outcomes_frame, write_outcomes_csv
from twin.engine.result import SetAside
from twin.hardware import Cluster, Gpu, Pool
from twin.workload.jobs import make_jobs

CLUSTER = Cluster("two", (Pool("a", 4, Gpu("X"), 8), Pool("b", 20, Gpu("Y"), 8)))
JOBS = make_jobs(
    submit_ms=np.array([0, 1500, 2000]), run_ms=np.array([1234, 1000, 5]), gpus=np.array([1, 40, 999])
)


def outcome():
    return replay(
        JOBS,
        [0, 2001, -1],
        cluster=CLUSTER,
        pool=[0, 1, 0],
        nodes=[[2], [4, 5, 6, 15, 8], []],
        set_aside=[SetAside.NO, SetAside.NO, SetAside.TOO_MANY_GPUS],
    )


def test_the_file_reads_as_the_documentation_says():
    out = io.BytesIO()
    write_outcomes_csv(outcome(), out)
    assert out.getvalue().decode().splitlines() == [
        "job_id,submit,start,end,wait,gpus,pool,nodes,preemptions,state",
        "0,0.000,0.000,1.234,0.000,1,a,a-2,0,completed",
        '1,1.500,2.001,3.001,0.501,40,b,"b-[0-2,4,11]",0,completed',
        "2,2.000,,,,999,,,0,set_aside",
    ]


def test_the_frame_keeps_numbers():
    frame = outcomes_frame(outcome())
    assert frame["start"].to_list() == [0.0, 2.001, None]
    assert frame["pool"].to_list() == ["a", "b", None]


def test_counting_mode_names_no_nodes():
    assert outcomes_frame(replay(JOBS, [0, 2000, 3000]))["nodes"].to_list() == [None] * 3
