"""Slurm accounting: any columns in any order; steps, attempts, arrays and het jobs become jobs."""

import pytest

from tests.twin.workload.traces import fates, read_text
from twin.problems import InvalidInput
from twin.workload import MISSING, ColumnMapping, EndState, KeepOptions

HEADER = "JobID|State|Submit|Start|End|Elapsed|Timelimit|AllocTRES|ReqTRES|User|Account|Partition"
DAY = "2024-02-01T"


def job(job_id="7", state="COMPLETED", start="10:05:00", end="11:05:00", elapsed="01:00:00", gpus=8, **more):
    """A line under HEADER."""
    tres = f"billing=4,cpu=64,gres/gpu={gpus},mem=512G,node=1" if gpus else "billing=4,cpu=64,mem=512G,node=1"
    alloc, asked = more.get("alloc", tres), more.get("asked", tres)
    begun = f"{DAY}{start}" if start[0].isdigit() else start
    over = f"{DAY}{end}" if end[0].isdigit() else end
    submit, limit = more.get("submit", "10:00:00"), more.get("limit", "1-02:03:04")
    return f"{job_id}|{state}|{DAY}{submit}|{begun}|{over}|{elapsed}|{limit}|{alloc}|{asked}|ann|nlp|gpu"


def read(folder, *lines, header=HEADER, **options):
    return read_text(folder, "\n".join([header, *lines]) + "\n", **options)


def test_a_job_is_read_in_all_its_fields(tmp_path):
    imported = read(tmp_path, job())
    jobs = imported.jobs
    assert imported.report.format == "slurm"
    assert jobs.job_id.tolist() == ["7"]
    assert (jobs.run_ms[0], jobs.limit_ms[0], jobs.recorded_start_ms[0]) == (3_600_000, 93_784_000, 300_000)
    assert (jobs.gpus[0], jobs.cpus[0], jobs.memory_mb[0]) == (8, 64, 524_288)
    assert (jobs.user.names, jobs.group.names, jobs.queue.names) == (("ann",), ("nlp",), ("gpu",))
    assert jobs.recorded_state[0] == EndState.COMPLETED
    assert imported.report.time_zone == "not stated"


def test_columns_may_come_in_any_order_and_lines_may_end_in_the_delimiter(tmp_path):
    text = "Start|AllocTRES|End|JobIDRaw|Submit|State|\n"
    text += f"{DAY}10:05:00|gres/gpu:a100=2|{DAY}10:06:00|9|{DAY}10:00:00|FAILED|\n"
    jobs = read_text(tmp_path, text).jobs
    assert (jobs.gpus[0], jobs.run_ms[0], jobs.recorded_state[0]) == (2, 60_000, EndState.FAILED)


@pytest.mark.parametrize(
    ("tres", "milli"),
    [
        ("billing=78,cpu=48,gres/gpu:a100_80=4,gres/gpu=4,mem=384G,node=1", 4000),
        ("gres/gpu:volta=2,mem=125G,node=1", 2000),
        ("cpu=16,gres/gpu:a100=2,gres/gpu:v100=2,gres/gpu=4,mem=64G,node=2", 4000),
        ("billing=10,gres/gpu=1,gres/gpu:a100=1", 1000),
        ("cpu=4,gres/gpu:a100_1g.5gb=1,gres/gpu=1,gres/gpumem=0,gres/gpuutil=0", 142),
        ("gres/gpu:a100_1g.5gb=7,gres/gpu=7", 994),
    ],
)
def test_typed_and_untyped_tres_are_the_same_gpus(tmp_path, tres, milli):
    assert read(tmp_path, job(alloc=tres)).jobs.gpu_milli.tolist() == [milli]


def test_gres_counts_per_node_where_there_is_no_tres(tmp_path):
    header = "JobID|State|Submit|Start|End|NNodes|ReqGRES"
    rows = [
        f"{at}|COMPLETED|{DAY}10:00:00|{DAY}10:00:00|{DAY}11:00:00|2|{gres}"
        for at, gres in enumerate(
            [
                "gpu:2",
                "gpu:a100:4",
                "gpu:h100:5(IDX:0-4)",
                "gpu:a100:2(S:0),gpu:a100:2(S:1)",
                "gpu:v100:2,tmp:844G",
                "(null)",
            ],
            1,
        )
    ]
    imported = read(tmp_path, *rows, header=header)
    assert imported.jobs.gpus.tolist() == [4, 8, 10, 8, 4]
    assert imported.report.dropped == {"asks for no GPU": 1}


def test_steps_never_count(tmp_path):
    imported = read(tmp_path, job(), job("7.batch"), job("7.extern"), job("7.0"))
    assert len(imported.jobs) == 1
    assert imported.report.folded == {"a job step": 3}


def test_the_attempts_of_a_requeued_job_are_one_job(tmp_path):
    imported = read(
        tmp_path,
        job(state="REQUEUED", start="10:05:00", end="10:15:00", elapsed="00:10:00"),
        job(state="NODE_FAIL", submit="10:15:00", start="10:20:00", end="10:50:00", elapsed="00:30:00"),
        job(submit="10:50:00", start="11:00:00", end="12:00:00"),
    )
    jobs = imported.jobs
    assert jobs.run_ms.tolist() == [(10 + 30 + 60) * 60_000]
    assert (jobs.recorded_start_ms[0], jobs.recorded_end_ms[0]) == (300_000, 7_200_000)
    assert jobs.recorded_state[0] == EndState.COMPLETED
    assert imported.report.folded == {"an earlier attempt of a requeued job": 2}


def test_an_id_used_again_is_another_job(tmp_path):
    imported = read(tmp_path, job(), job(submit="20:00:00", start="20:00:00", end="21:00:00"))
    assert imported.jobs.job_id.tolist() == ["7", "7#2"]


def test_exports_that_overlap_count_each_job_once(tmp_path):
    running = job(state="RUNNING", end="Unknown", elapsed="00:10:00")
    imported = read(tmp_path, running, HEADER, job(), job(), job("8"))
    assert imported.jobs.job_id.tolist() == ["7", "8"]
    assert imported.jobs.recorded_state.tolist() == [EndState.COMPLETED] * 2
    assert fates(imported) == {"jobs": 2, "folded": 2, "duplicates": 1, "dropped": 0, "refused": 0}


def test_ids_of_several_clusters_are_told_apart(tmp_path):
    imported = read(tmp_path, "a|" + job(), "b|" + job(), header="Cluster|" + HEADER)
    assert imported.jobs.job_id.tolist() == ["a/7", "b/7"]


def test_components_of_a_het_job_are_one_gang(tmp_path):
    imported = read(tmp_path, job("880+0", gpus=0), job("880+1", gpus=8))
    assert imported.jobs.job_id.tolist() == ["880"]
    assert (imported.jobs.gpus[0], imported.jobs.cpus[0]) == (8, 128)
    assert imported.report.folded == {"a component of a heterogeneous job": 1}


def test_an_array_range_is_as_many_jobs(tmp_path):
    line = job("123_[4-7,9%2]", state="TIMEOUT", elapsed="00:01:00", end="10:06:00")
    imported = read(tmp_path, line)
    assert imported.jobs.job_id.tolist() == ["123_4", "123_5", "123_6", "123_7", "123_9"]
    assert (imported.report.job_rows, imported.report.jobs) == (1, 5)


def test_pending_array_tasks_are_demand_that_was_not_met(tmp_path):
    pending = job("9_[1-800%5]", "PENDING", "Unknown", "Unknown", "00:00:00", alloc="")
    report = read(tmp_path, job(), pending).report
    assert (report.unmet.still_pending, report.unmet.pending_gpus_asked) == (800, 6_400)
    assert report.dropped == {"still pending when the trace was written": 1}


def test_an_array_too_long_to_be_meant_is_refused(tmp_path):
    report = read(tmp_path, job(), job("9_[0-99999999]")).report
    assert report.first_refusals[0].reason == "the array range cannot be expanded: 9_[0-99999999]"


@pytest.mark.parametrize("start", ["None", "Unknown", "11:05:00"])
def test_a_job_cancelled_in_the_queue_never_started(tmp_path, start):
    cancelled = job("8", "CANCELLED by 1000", start, "11:05:00", "00:00:00", alloc="")
    imported = read(tmp_path, job(), cancelled)
    assert imported.jobs.job_id.tolist() == ["7"]
    assert (imported.report.unmet.cancelled_while_pending, imported.report.unmet.cancelled_gpus_asked) == (
        1,
        8,
    )


def test_a_job_cancelled_at_once_after_its_start_did_start(tmp_path):
    imported = read(tmp_path, job(state="CANCELLED by 5", end="10:05:00", elapsed="00:00:00"))
    assert imported.jobs.run_ms.tolist() == [1]
    assert imported.report.repairs == {"zero run time, made 1 ms": 1}


def test_a_running_job_is_censored_and_elapsed_is_trusted_over_end(tmp_path):
    imported = read(tmp_path, job(state="RUNNING", end="10:05:00", elapsed="22:32:22"))
    assert imported.jobs.run_ms.tolist() == [81_142_000]
    assert imported.jobs.recorded_end_ms.tolist() == [MISSING]
    assert imported.report.censored == 1


@pytest.mark.parametrize(
    ("written", "limit_ms"),
    [
        ("UNLIMITED", MISSING),
        ("Partition_Limit", MISSING),
        ("", MISSING),
        ("365-00:00:00", 31_536_000_000),
        ("90", 5_400_000),
    ],
)
def test_time_limits_in_words_are_no_limits(tmp_path, written, limit_ms):
    assert read(tmp_path, job(limit=written)).jobs.limit_ms.tolist() == [limit_ms]


def test_a_delimiter_in_a_job_name_is_put_back(tmp_path):
    imported = read(tmp_path, job() + "|a||b|1", job("8") + "|c|2", header=HEADER + "|JobName|NTasks")
    assert imported.jobs.job_id.tolist() == ["7", "8"]
    assert imported.jobs.gpus.tolist() == [8, 8]
    assert any("holds the delimiter in 1 row" in note for note in imported.report.notes)


def test_a_row_that_can_be_put_back_in_two_ways_is_refused(tmp_path):
    header = HEADER.replace("|User", "|JobName|User|Comment")
    line = job().replace("|ann|", "|name|more|ann||")
    imported = read(tmp_path, job("8").replace("|ann|", "|n|ann||"), line, header=header)
    assert "more than one way to read them" in imported.report.first_refusals[0].reason
    assert imported.jobs.job_id.tolist() == ["8"]


def test_a_record_over_several_lines_is_joined(tmp_path):
    header = "JobID|SubmitLine|State|Submit|Start|End|AllocTRES"
    line = f"7|srun bash -c 'a &&\nb &&\nc'|COMPLETED|{DAY}10:00:00|{DAY}10:05:00|{DAY}10:06:00|gres/gpu=1"
    imported = read(tmp_path, line, header=header)
    assert imported.jobs.run_ms.tolist() == [60_000]
    assert imported.report.rows_read == 1


def test_a_line_cut_short_is_refused_and_its_neighbours_are_kept(tmp_path):
    imported = read(tmp_path, job(), "8|COMPLETED|2024-02-01T10:00:00", job("9"))
    assert imported.jobs.job_id.tolist() == ["7", "9"]
    assert imported.report.first_refusals[0].reason == "the wrong number of fields: 3 fields, not 12"


def test_gpus_that_are_not_known_are_not_zero(tmp_path):
    imported = read(tmp_path, job(), job("8", alloc="", asked=""))
    assert imported.report.refused == {"the GPU count is not known": 1}


def test_the_layout_of_xdmod_is_known_without_a_header(tmp_path):
    line = (
        "5692623|5692623|hpc|gpu|qos|ccr|na|0|xms|98|2016-08-01T06:01:08|Unknown|2016-08-01T07:04:09|"
        "2016-08-01T08:04:09|01:00:00|0:0|COMPLETED|1|4|4|2147486648Mn||gres/gpu=2|1-00:00:00|k16-35|a|b"
    )
    imported = read_text(tmp_path, line.removesuffix("|b") + "\n")
    assert imported.report.format == "slurm"
    assert imported.jobs.gpus.tolist() == [2]
    assert imported.jobs.memory_mb.tolist() == [12_000]  # 2^31 is Slurm's mark for "per CPU": 3,000 MB x 4
    assert imported.jobs.recorded_start_ms.tolist() == [3_781_000]


def test_another_layout_without_a_header_is_named_in_the_mapping(tmp_path):
    line = f"COMPLETED|7|{DAY}10:00:00|{DAY}10:05:00|{DAY}10:06:00|gres/gpu=4\n"
    with pytest.raises(InvalidInput, match="cannot be told"):
        read_text(tmp_path, line, format="slurm")
    mapping = ColumnMapping(header=("State", "JobID", "Submit", "Start", "End", "AllocTRES"))
    assert read_text(tmp_path, line, format="slurm", mapping=mapping).jobs.gpus.tolist() == [4]


def test_a_table_for_people_is_refused_with_advice(tmp_path):
    text = "my_usern+ 2399 run_extra+ RUNNING 130-05:00+\nmy_usern+ 2400 run_extra+ RUNNING 130-05:00+\n"
    with pytest.raises(InvalidInput, match="export again with sacct -P"):
        read_text(tmp_path, text)


def test_nodes_or_processors_can_stand_for_gpus(tmp_path):
    header = HEADER + "|NNodes|NCPUS"
    line = job(gpus=0) + "|3|96"
    assert read(tmp_path, line, header=header, keep=KeepOptions(count_as_gpus="nodes")).jobs.gpus[0] == 3
    assert (
        read(tmp_path, line, header=header, keep=KeepOptions(count_as_gpus="processors")).jobs.gpus[0] == 96
    )


def test_epoch_times_are_read(tmp_path):
    header = "JobID|State|Submit|Start|End|AllocTRES"
    jobs = read(tmp_path, "7|COMPLETED|1706781600|1706781900|1706785500|gres/gpu=1", header=header).jobs
    assert (jobs.origin_epoch_ms, jobs.run_ms[0]) == (1_706_781_600_000, 3_600_000)
