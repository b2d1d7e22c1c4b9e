"""Plain tables: columns by name, times in any common writing, and a fate for every row."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.twin.workload.traces import fates, read_text
from twin.problems import InvalidInput
from twin.workload import MISSING, ColumnMapping, EndState, KeepOptions, MovesAs


def told(folder, text, **options) -> str:
    with pytest.raises(InvalidInput) as caught:
        read_text(folder, text, **options)
    return str(caught.value)


def test_four_columns_are_enough(tmp_path):
    jobs = read_text(tmp_path, "job_id,submit,duration,gpus\na,100,60,8\nb,40,1.5,1\n").jobs
    assert jobs.job_id.tolist() == ["b", "a"]
    assert jobs.submit_ms.tolist() == [0, 60_000]
    assert jobs.run_ms.tolist() == [1_500, 60_000]
    assert jobs.gpus.tolist() == [1, 8]
    assert jobs.limit_ms.tolist() == [MISSING, MISSING]
    assert jobs.origin_epoch_ms is None


def test_every_optional_column_is_read(tmp_path):
    header = (
        "job_id,submit,duration,gpus,eligible,nodes,gpus_per_node,cpus,memory_gb,user,group,queue,time_limit"
    )
    header += ",priority,gpu_model,moves_as,start,end,state"
    row = "a,1700000000,60,16,1700000005,2,8,64,512.5,ann,nlp,batch,3600,-3,A100|H100,fixed_hold,1700000010"
    row += ",1700000070,FAILED"
    jobs = read_text(tmp_path, f"{header}\n{row}\n").jobs
    assert jobs.origin_epoch_ms == 1_700_000_000_000
    assert (jobs.eligible_ms[0], jobs.recorded_start_ms[0], jobs.recorded_end_ms[0]) == (
        5_000,
        10_000,
        70_000,
    )
    assert (jobs.nodes[0], jobs.gpus_per_node[0], jobs.cpus[0], jobs.memory_mb[0]) == (2, 8, 64, 524_800)
    assert (jobs.limit_ms[0], jobs.priority[0]) == (3_600_000, -3)
    assert (jobs.user.names, jobs.group.names, jobs.queue.names) == (("ann",), ("nlp",), ("batch",))
    assert jobs.gpu_models.names == ("A100|H100",)
    assert jobs.moves_as[0] == MovesAs.FIXED_HOLD
    assert jobs.recorded_state[0] == EndState.FAILED


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_found(tmp_path, delimiter):
    text = "job_id,submit,duration,gpus\na,0,60,8\nb,1,60,8\n".replace(",", delimiter)
    assert len(read_text(tmp_path, text).jobs) == 2


def test_common_header_names_are_guessed(tmp_path):
    text = "JobID,Submit Time,Run Time (min),Num GPUs,User Name,Partition\n7,0,2,4,ann,gpu\n"
    imported = read_text(tmp_path, text, format="csv")
    assert imported.jobs.run_ms.tolist() == [120_000]
    assert imported.report.columns == {
        "job_id": "JobID",
        "submit": "Submit Time",
        "duration": "Run Time (min)",
        "gpus": "Num GPUs",
        "user": "User Name",
        "queue": "Partition",
    }


def test_a_mapping_overrides_guesses(tmp_path):
    text = "id,when,secs,cards,gpus\nx,5,60,3,99\n"
    mapping = ColumnMapping(columns={"submit": "when", "duration": "secs", "gpus": "cards"})
    jobs = read_text(tmp_path, text, mapping=mapping).jobs
    assert (jobs.gpus[0], jobs.run_ms[0]) == (3, 60_000)


def test_a_mapping_survives_saving():
    mapping = ColumnMapping({"gpus": "n"}, ";", ("n", "t"), "%Y", "Europe/Oslo", {"duration": "min"})
    assert ColumnMapping.from_dict(mapping.to_dict()) == mapping


def test_a_wrong_mapping_names_the_nearest_column(tmp_path):
    text = "job_id,submit,duration,gpus\na,0,60,8\n"
    answer = told(tmp_path, text, mapping=ColumnMapping(columns={"gpus": "gpu"}))
    assert "there is no column 'gpu' (for gpus)" in answer
    assert "did you mean 'gpus'?" in answer


def test_a_saved_mapping_with_an_unknown_field_is_told():
    with pytest.raises(InvalidInput, match=r"'durration' is not known .did you mean 'duration'"):
        ColumnMapping.from_dict({"columns": {"durration": "x"}})


def test_all_missing_columns_are_told_at_once(tmp_path):
    answer = told(tmp_path, "name,colour\na,red\nb,blue\n")
    assert answer.count("no column says") == 3
    assert "name, colour" in answer


def test_a_wrong_delimiter_is_told_with_the_columns_found(tmp_path):
    text = "job_id,submit,duration,gpus\na,0,60,8\n"
    answer = told(tmp_path, text, mapping=ColumnMapping(delimiter=";"))
    assert "the header is a single field" in answer
    assert "semicolon" in answer


def test_a_file_without_any_delimiter_is_told(tmp_path):
    assert "no delimiter found" in told(tmp_path, "hello\nworld\n")


def test_a_file_without_header_needs_names(tmp_path):
    text = "1,0,60,8\n2,5,60,8\n"
    assert "there is no header line" in told(tmp_path, text)
    mapping = ColumnMapping(header=("job_id", "submit", "duration", "gpus"))
    assert len(read_text(tmp_path, text, mapping=mapping).jobs) == 2


def test_two_columns_of_one_name_are_a_question(tmp_path):
    text = "job,start,start,end,gpus\n1,0,5,65,8\n"
    assert "two columns are called 'start'" in told(tmp_path, text)
    mapping = ColumnMapping(columns={"submit": "start", "start": "start (2)"})
    jobs = read_text(tmp_path, text, mapping=mapping).jobs
    assert (jobs.recorded_start_ms[0], jobs.run_ms[0]) == (5_000, 60_000)


@pytest.mark.parametrize(
    ("first", "second", "step_ms"),
    [
        ("1700000000", "1700000001", 1_000),
        ("1700000000.5", "1700000001.25", 750),
        ("1700000000500", "1700000001250", 750),
        ("1700000000500000", "1700000001250000", 750),
        ("2023-11-14 22:13:20", "2023-11-14 22:13:21", 1_000),
        ("2023-11-14T22:13:20.5", "2023-11-14T22:13:21.2500000", 750),
        ("2023-11-14T22:13:20Z", "2023-11-14T23:13:21+01:00", 1_000),
        ("2023-11-14T22:13", "2023-11-14T22:14", 60_000),
        ("14/11/2023 22:13", "14/11/2023 22:14", 60_000),
        ("11/14/2023 10:13:20 PM", "11/14/2023 10:13:21 PM", 1_000),
    ],
)
def test_times_are_read_in_any_common_writing(tmp_path, first, second, step_ms):
    jobs = read_text(tmp_path, f"job_id,submit,duration,gpus\na,{first},60,8\nb,{second},60,8\n").jobs
    assert jobs.submit_ms.tolist() == [0, step_ms]
    assert abs(jobs.origin_epoch_ms - 1_700_000_000_000) <= 20_500


def test_a_date_that_could_be_either_is_a_question(tmp_path):
    text = "job_id,submit,duration,gpus\na,02/03/2024 10:00,60,8\n"
    assert "day first or month first" in told(tmp_path, text)
    jobs = read_text(tmp_path, text, mapping=ColumnMapping(time_format="%d/%m/%Y %H:%M")).jobs
    assert jobs.origin_epoch_ms == 1_709_373_600_000 + 0


def test_local_times_need_their_zone_to_be_right_across_a_clock_change(tmp_path):
    text = "job_id,submit,duration,gpus\na,2024-03-31 01:30:00,60,8\nb,2024-03-31 03:30:00,60,8\n"
    naive = read_text(tmp_path, text)
    assert naive.report.time_zone == "not stated"
    assert naive.jobs.submit_ms.tolist() == [0, 7_200_000]
    oslo = read_text(tmp_path, text, mapping=ColumnMapping(time_zone="Europe/Oslo"))
    assert oslo.report.time_zone == "Europe/Oslo"
    assert oslo.jobs.submit_ms.tolist() == [0, 3_600_000]


def test_an_unknown_zone_is_told(tmp_path):
    text = "job_id,submit,duration,gpus\na,2024-03-31 01:30:00,60,8\n"
    assert "there is no time zone 'Mars/Dome'" in told(
        tmp_path, text, mapping=ColumnMapping(time_zone="Mars/Dome")
    )


def test_a_time_without_zone_among_times_with_one_is_refused(tmp_path):
    text = "job_id,submit,duration,gpus\na,2024-01-01T00:00:00+02:00,60,8\nb,2024-01-01 00:00:00,60,8\n"
    report = read_text(tmp_path, text).report
    assert report.first_refusals[0].reason == "submit is not a time: 2024-01-01 00:00:00"


def test_kinds_of_time_cannot_be_mixed_between_columns(tmp_path):
    text = "job_id,submit,start,duration,gpus\na,2024-01-01T00:00:00,30,60,8\n"
    assert "the time columns do not agree" in told(tmp_path, text)


@pytest.mark.parametrize(
    ("written", "run_ms"),
    [
        ("0.0004", 1),  # zero after rounding, made 1 ms
        ("0.0015", 2),  # half a millisecond rounds up
        ("0.0014999", 1),
        ("1.0005", 1001),
        ("1e3", 1_000_000),
        ("1-02:03:04", 93_784_000),
        ("02:03:04", 7_384_000),
        ("22:53.824", 1_373_824),
        ('"1 day, 6:03:09"', 108_189_000),
        ('"2,590"', 2_590_000),
    ],
)
def test_lengths_of_time_are_exact_to_the_half_millisecond(tmp_path, written, run_ms):
    jobs = read_text(tmp_path, f"job_id,submit,duration,gpus\na,0,{written},8\n").jobs
    assert jobs.run_ms.tolist() == [run_ms]


def test_start_and_end_stand_for_a_duration_and_hold_against_one(tmp_path):
    text = "job_id,submit,start,end,gpus\na,0,10,70,1\n"
    assert read_text(tmp_path, text).jobs.run_ms.tolist() == [60_000]
    text = "job_id,submit,start,end,duration,gpus\na,0,10,18,18,1\n"
    imported = read_text(tmp_path, text)
    assert imported.jobs.run_ms.tolist() == [8_000]
    assert "'duration' is not end − start in 1 of 1 rows: timestamps hold." in imported.report.notes


def test_a_wait_gives_the_recorded_start(tmp_path):
    jobs = read_text(tmp_path, "job_id,submit,wait_time,run_time,gpus\na,100,30,60,1\n").jobs
    assert jobs.recorded_start_ms.tolist() == [30_000]


def test_bad_rows_are_refused_with_line_and_reason_and_the_rest_is_kept(tmp_path):
    rows = [
        "ok,0,60,8",
        "late,soon,60,8",
        "neg,-5,60,8",
        "back,0,-3,8",
        "none,,60,8",
        "half,0,60,lots",
        "minus,0,60,-1",
        "short,0,60",
        "long,0,60,8,9",
        "ok,9,60,4",
        "age,0,9999999999,8",
    ]
    imported = read_text(tmp_path, "job_id,submit,duration,gpus\n" + "\n".join(rows) + "\n")
    reasons = {refusal.line: refusal.reason for refusal in imported.report.first_refusals}
    assert reasons == {
        3: "submit is not a time: soon",
        4: "the submit time is negative: -5.0 s",
        5: "the run time is negative: -3.0 s",
        6: "the submit time is not given",
        7: "gpus is not a number: lots",
        8: "the GPU count is negative: -1",
        9: "the wrong number of fields: 3 fields, not 4",
        10: "the wrong number of fields: 5 fields, not 4",
        11: "the job id was used before: ok",
        12: "the run time is over 139 years: 9999999999.0 s",
    }
    assert fates(imported) == {"jobs": 1, "folded": 0, "duplicates": 0, "dropped": 0, "refused": 10}
    assert imported.refused["text"][0] == "late,soon,60,8"


def test_refused_rows_can_be_written_as_csv(tmp_path):
    imported = read_text(tmp_path, 'job_id,submit,duration,gpus\na,0,60,8\n"b, c",soon,60,8\n')
    imported.write_refused_csv(tmp_path / "refused.csv")
    written = (tmp_path / "refused.csv").read_text()
    assert written.splitlines()[0] == "line,reason,text"
    assert '3,submit is not a time: soon,"""b, c"",soon,60,8"' in written


def test_refused_cells_are_no_formulas_to_a_spreadsheet(tmp_path):
    imported = read_text(tmp_path, 'job_id,submit,duration,gpus\na,0,60,8\n=HYPERLINK("x"),soon,60,8\n')
    imported.write_refused_csv(tmp_path / "refused.csv")
    assert "\"'=HYPERLINK(" in (tmp_path / "refused.csv").read_text()


def test_nothing_left_is_an_error_that_says_what_the_rows_were(tmp_path):
    answer = told(tmp_path, "job_id,submit,duration,gpus\na,0,60,0\nb,x,60,8\n")
    assert "none of the 2 rows" in answer
    assert "1 dropped: asks for no GPU" in answer
    assert "trace.txt, line 3: submit is not a time: x" in answer


def test_equal_rows_are_one_job_only_where_rows_have_ids(tmp_path):
    with_ids = read_text(tmp_path, "job_id,submit,duration,gpus\na,0,60,8\na,0,60,8\n")
    assert (len(with_ids.jobs), with_ids.report.duplicates) == (1, 1)
    without = read_text(tmp_path, "submit,duration,gpus\n0,60,8\n0,60,8\n")
    assert (len(without.jobs), without.report.duplicates) == (2, 0)
    assert without.jobs.job_id.tolist() == ["row-2", "row-3"]


def test_ids_are_text_and_ids_that_a_spreadsheet_rounded_are_not_used(tmp_path):
    big = read_text(
        tmp_path, "job_id,submit,duration,gpus\n1582917533873852417,0,6,1\n1582917533873852418,0,6,1\n"
    )
    assert len(set(big.jobs.job_id)) == 2
    rounded = read_text(tmp_path, "job_id,submit,duration,gpus\n3.91E+16,0,6,1\n3.91E+16,0,6,1\n")
    assert len(rounded.jobs) == 2
    assert "rounded by a spreadsheet" in rounded.report.notes[0]


def test_impossible_times_are_mended_and_counted(tmp_path):
    text = (
        "job_id,submit,eligible,start,end,gpus,time_limit\n"
        "a,100,50,90,150,1,0\n"  # eligible and start before submit, no real limit
        "b,100,200,110,105,1,60\n"  # eligible after start, end before start
    )
    imported = read_text(tmp_path, text)
    jobs = imported.jobs
    assert jobs.eligible_ms.tolist() == [0, 0]
    assert jobs.recorded_start_ms.tolist() == [MISSING, 10_000]
    assert jobs.limit_ms.tolist() == [MISSING, 60_000]
    assert jobs.run_ms.tolist() == [60_000, 1]
    assert sum(imported.report.repairs.values()) == 6


def test_a_shape_is_derived_dropped_where_it_cannot_be_and_refused_where_it_contradicts(tmp_path):
    rows = "a,0,6,16,2,\nb,0,6,16,,4\nc,0,6,16,3,\nd,0,6,16,2,4\n"
    imported = read_text(tmp_path, "job_id,submit,duration,gpus,nodes,gpus_per_node\n" + rows)
    assert imported.jobs.job_id.tolist() == ["a", "b", "c"]
    assert imported.jobs.nodes.tolist() == [2, 4, 0]
    assert imported.jobs.gpus_per_node.tolist() == [8, 4, 0]
    assert list(imported.report.repairs.values()) == [1]
    assert imported.report.first_refusals[0].reason == (
        "GPUs are not nodes times GPUs per node: 16 GPUs, 2 nodes, 4 a node"
    )


def test_a_job_that_timed_out_is_cut_at_its_limit_wherever_it_moves(tmp_path):
    rows = "a,0,60,1,TIMEOUT,\nb,0,60,1,TIMEOUT,fixed_hold\nc,0,60,1,FAILED,\n"
    jobs = read_text(tmp_path, "job_id,submit,duration,gpus,state,moves_as\n" + rows).jobs
    assert jobs.moves_as.tolist() == [MovesAs.CUT_AT_LIMIT, MovesAs.FIXED_HOLD, MovesAs.FIXED_WORK]


def test_parts_of_a_gpu_are_kept_and_replayed_as_whole_ones(tmp_path):
    imported = read_text(tmp_path, "job_id,submit,duration,gpus\na,0,60,0.46\nb,0,60,1.5\n")
    assert imported.jobs.gpu_milli.tolist() == [460, 1_500]
    assert imported.jobs.gpus.tolist() == [1, 2]
    assert any("A part of a GPU is asked for by 2 jobs" in note for note in imported.report.notes)


def test_demand_that_was_not_met_is_named_not_lost(tmp_path):
    text = (
        "job_id,submit,start,end,state,gpus\n"
        "a,0,10,70,COMPLETED,1\n"
        "b,5,,30,CANCELLED by 1000,8\n"
        "c,6,,,PENDING,4\n"
        "d,7,20,,RUNNING,2\n"
    )
    imported = read_text(tmp_path, text)
    report = imported.report
    assert imported.jobs.job_id.tolist() == ["a", "d"]
    assert (report.unmet.cancelled_while_pending, report.unmet.cancelled_gpus_asked) == (1, 8)
    assert (report.unmet.still_pending, report.unmet.pending_gpus_asked) == (1, 4)
    assert report.censored == 1
    assert imported.jobs.run_ms.tolist() == [60_000, 50_000]  # until the last moment that the trace knows of
    assert sum(fates(imported).values()) == report.rows_read == 4


def test_unknown_states_are_kept_and_told(tmp_path):
    text = "job_id,submit,duration,gpus,state\na,0,60,1,FOO\nb,0,60,1,CANCELLED+\nc,0,60,1,OUT_OF_ME+\n"
    imported = read_text(tmp_path, text)
    assert imported.jobs.recorded_state.tolist() == [EndState.UNKNOWN, EndState.CANCELLED, EndState.FAILED]
    assert any("'foo' (1)" in note for note in imported.report.notes)


def test_choices_of_what_to_keep_are_counted_as_dropped(tmp_path):
    text = "job_id,submit,duration,gpus,group\na,0,6,1,x\nb,3600,6,1,x\nc,7200,6,1,y\nd,9000,6,1,x\n"
    keep = KeepOptions(groups=("x",), from_ms=3_600_000, until_ms=9_000_000)
    imported = read_text(tmp_path, text, keep=keep)
    assert imported.jobs.job_id.tolist() == ["b"]
    assert imported.jobs.submit_ms.tolist() == [0]
    assert imported.report.dropped == {"submitted outside the chosen window": 2, "not of a chosen group": 1}


def test_processors_can_stand_for_gpus(tmp_path):
    text = "job_id,submit,duration,cpus\na,0,60,12\n"
    assert "asks for no GPU" in told(tmp_path, text)
    jobs = read_text(tmp_path, text, keep=KeepOptions(count_as_gpus="processors")).jobs
    assert (jobs.gpus[0], jobs.cpus[0]) == (12, 0)


def test_quoted_fields_may_hold_delimiters_quotes_and_line_ends(tmp_path):
    text = 'job_id,submit,duration,gpus,user\n"a, b",0,60,1,"Ann ""A"" Lee"\n"c\nd",5,60,1,Bo\ne,6,60,1,Cy\n'
    imported = read_text(tmp_path, text)
    assert imported.jobs.job_id.tolist() == ["a, b", "c\nd", "e"]
    assert imported.jobs.user.names == ('Ann "A" Lee', "Bo", "Cy")
    assert imported.report.rows_read == 3


def test_comments_before_the_header_blank_lines_and_repeated_headers_are_no_jobs(tmp_path):
    header = "job_id,submit,duration,gpus\n"
    text = f"# made by hand\n\n{header}a,0,60,1\n\n,,,\n{header}b,5,60,1\n"
    imported = read_text(tmp_path, text)
    assert len(imported.jobs) == 2
    assert imported.report.folded == {"a header line repeated": 1}
    assert imported.report.rows_read == 3


def test_the_report_is_plain_values(tmp_path):
    import json

    report = read_text(tmp_path, "job_id,submit,duration,gpus\na,0,60,1\nb,x,60,1\n").report.to_dict()
    assert json.loads(json.dumps(report))["rows_refused"] == 1


CELL = st.sampled_from(
    ["", "0", "5", "-1", "1e3", "abc", "1.5", "NaN", "9223372036854775807", "1-02:03:04", '"', "0.0005"]
)


@settings(max_examples=60, deadline=None)
@given(rows=st.lists(st.lists(CELL, min_size=1, max_size=6), min_size=1, max_size=12))
def test_every_row_has_one_fate_whatever_it_holds(tmp_path_factory, rows):
    text = "job_id,submit,duration,gpus,state\nfirst,0,60,1,COMPLETED\n"
    text += "\n".join(",".join(row) for row in rows) + "\n"
    folder = tmp_path_factory.mktemp("soup")
    try:
        imported = read_text(folder, text)
    except InvalidInput:
        return
    assert sum(fates(imported).values()) == imported.report.rows_read
    assert len(imported.refused) == imported.report.rows_refused
    jobs = imported.jobs
    assert jobs.submit_ms.min() == 0
    assert (np.diff(jobs.submit_ms) >= 0).all()
    assert (jobs.run_ms >= 1).all()
    assert (jobs.gpus >= 1).all()
    assert (jobs.eligible_ms >= jobs.submit_ms).all()
    assert len(set(jobs.job_id)) == len(jobs)


def test_decimal_commas_are_read_where_the_delimiter_is_no_comma(tmp_path):
    text = "id;submit;duration;gpus\na;100;600,5;1\nb;200;2,590;1\n"
    imported = read_text(tmp_path, text)
    assert imported.jobs.run_ms.tolist() == [600_500, 2_590]
    assert any("decimal commas in 'duration'" in note and "2 rows" in note for note in imported.report.notes)
    grouped = read_text(tmp_path, "id;submit;duration;gpus\nb;200;2,590;1\n")
    assert grouped.jobs.run_ms.tolist() == [2_590_000]  # every comma may group thousands


def test_starts_that_stand_for_submits_are_told_once(tmp_path):
    notes = read_text(tmp_path, "id;start time;duration;gpus\na;100;600;1\n").report.notes
    assert any("the recorded starts are taken for them" in note for note in notes)
    assert not any("No recorded starts" in note for note in notes)


def test_a_refused_length_of_time_says_what_would_be_valid(tmp_path):
    report = read_text(tmp_path, "id,submit,duration,gpus\na,1,60,1\nb,2,soon,1\n").report
    (refusal,) = report.first_refusals
    assert refusal.line == 3
    assert "such as 600, 600.5 or" in refusal.reason
    assert "soon" in refusal.reason
