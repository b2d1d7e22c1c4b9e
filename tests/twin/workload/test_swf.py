"""SWF logs: comments tell the calendar, -1 means "not known", processors stand for GPUs."""

from tests.twin.workload.traces import fates, read_text
from twin.workload import MISSING, EndState


def line(job=1, submit=0, wait=5, run=60, used=8, asked=8, limit=3600, status=1):
    return f"{job:>5} {submit:>8} {wait} {run} {used} -1 -1 {asked} {limit} -1 {status} 17 3 -1 2 -1 -1 -1"


def test_a_log_with_a_calendar(tmp_path):
    text = "; UnixStartTime: 843480031\n; TimeZoneString: Europe/Stockholm\n;\n" + line(submit=100) + "\n"
    imported = read_text(tmp_path, text)
    jobs = imported.jobs
    assert imported.report.format == "swf"
    assert jobs.origin_epoch_ms == 843_480_131_000
    assert jobs.time_zone == "Europe/Stockholm"
    assert (jobs.recorded_start_ms[0], jobs.recorded_end_ms[0], jobs.limit_ms[0]) == (
        5_000,
        65_000,
        3_600_000,
    )
    assert (jobs.gpus[0], jobs.user.names, jobs.group.names, jobs.queue.names) == (8, ("17",), ("3",), ("2",))
    assert jobs.recorded_state[0] == EndState.COMPLETED
    assert "each processor" in imported.report.notes[0]


def test_absolute_submit_times_are_of_the_epoch_whatever_the_header_says(tmp_path):
    text = "; UnixStartTime: 0\n" + line(submit=1_641_021_254) + "\n"
    assert read_text(tmp_path, text).jobs.origin_epoch_ms == 1_641_021_254_000


def test_a_log_without_calendar_counts_from_its_start(tmp_path):
    imported = read_text(tmp_path, line(submit=50) + "\n" + line(2, submit=80) + "\n")
    assert imported.jobs.origin_epoch_ms is None
    assert imported.jobs.submit_ms.tolist() == [0, 30_000]


def test_minus_one_is_not_known(tmp_path):
    rows = [
        line(1, wait=-1, used=-1, limit=-1),
        line(2, run=-1),
        line(3, run=-1, status=5, wait=-1),
        line(4, used=-1, asked=-1),
    ]
    imported = read_text(tmp_path, "\n".join(rows) + "\n")
    jobs = imported.jobs
    assert (jobs.gpus.tolist(), jobs.recorded_start_ms.tolist(), jobs.limit_ms.tolist()) == (
        [8],
        [MISSING],
        [MISSING],
    )
    assert imported.report.refused == {"the GPU count is not known": 1, "the run time is not known": 1}
    assert imported.report.unmet.cancelled_while_pending == 1
    assert sum(fates(imported).values()) == 4


def test_a_status_of_zero_everywhere_tells_nothing(tmp_path):
    imported = read_text(tmp_path, line(1, status=0) + "\n" + line(2, status=0) + "\n")
    assert imported.jobs.recorded_state.tolist() == [EndState.UNKNOWN] * 2
    mixed = read_text(tmp_path, line(1, status=0) + "\n" + line(2, status=1) + "\n")
    assert mixed.jobs.recorded_state.tolist() == [EndState.FAILED, EndState.COMPLETED]


def test_parts_between_checkpoints_are_folded(tmp_path):
    imported = read_text(
        tmp_path, line(1) + "\n" + line(1, run=20, status=2) + "\n" + line(1, run=40, status=3) + "\n"
    )
    assert len(imported.jobs) == 1
    assert imported.report.folded == {"a part of a job between checkpoints": 2}


def test_further_columns_and_a_line_of_titles_are_passed_over(tmp_path):
    titles = "id submit wait run cpus x x asked limit x status user group app queue part prec think nodes"
    imported = read_text(
        tmp_path,
        "\n".join([titles, line(1) + " {1,2} q_1d x", line(2) + " {1} q", line(3)]) + "\n",
        format="swf",
    )
    assert len(imported.jobs) == 3
    assert imported.report.folded == {"a line of column titles": 1}


def test_semicolons_as_delimiters_are_no_comments(tmp_path):
    text = "1;1693547500.0;3725.0;7329.0;144;-1.0;-1.0;144;10800.0;-1.0;0;0;-1;-1;-1;-1;-1;0\n"
    imported = read_text(tmp_path, text)
    assert imported.report.format == "swf"
    assert imported.jobs.run_ms.tolist() == [7_329_000]
    assert imported.jobs.recorded_start_ms.tolist() == [3_725_000]
