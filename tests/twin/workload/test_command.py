"""``python -m twin import``: text or JSON to standard output, files written whole, status 2 for bad input."""

import json

from twin.command import main
from twin.workload import load_jobs

GOOD = "job_id,submit,duration,gpus\na,0,60,8\nb,soon,60,8\nc,5,60,0\n"


def test_it_writes_jobs_and_refused_rows_and_tells_both(tmp_path, capsys):
    trace, out, refused = tmp_path / "t.csv", tmp_path / "jobs.parquet", tmp_path / "refused.csv"
    trace.write_text(GOOD)
    assert main(["import", "--trace", str(trace), "--out", str(out), "--refused", str(refused)]) == 0
    told = capsys.readouterr().out
    assert "3 rows read = 1 job rows + 0 folded + 0 duplicates + 1 dropped by choice + 1 refused" in told
    assert "refused: line 3: submit is not a time: soon" in told
    assert load_jobs(out).job_id.tolist() == ["a"]
    assert refused.read_text().splitlines()[1].startswith("3,")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["jobs.parquet", "refused.csv", "t.csv"]


def test_json_is_the_report(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(GOOD)
    assert main(["import", "--trace", str(tmp_path / "t.csv"), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["jobs"], report["rows_refused"]) == (1, 1)


def test_columns_zone_and_header_can_be_given(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("x,2024-01-01 10:00:00,60,3\n")
    arguments = ["import", "--trace", str(tmp_path / "t.csv"), "--header", "id,when,secs,cards"]
    arguments += ["--column", "submit=when", "--column", "duration=secs", "--column", "gpus=cards"]
    assert main([*arguments, "--time-zone", "Asia/Shanghai"]) == 0
    assert "2024-01-01T02:00:00Z" in capsys.readouterr().out


def test_a_preview_only_looks(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(GOOD)
    assert main(["import", "--trace", str(tmp_path / "t.csv"), "--preview"]) == 0
    told = capsys.readouterr().out
    assert "submit <- submit" in told
    assert "a | 0 | 60 | 8" in told


def test_bad_input_is_one_line_and_status_2(tmp_path, capsys):
    assert main(["import", "--trace", str(tmp_path / "none.csv"), "--out", str(tmp_path / "o")]) == 2
    told = capsys.readouterr()
    assert told.err == "twin import: none.csv: there is no such file (the path of a trace file)\n"
    assert not (tmp_path / "o").exists()


def test_an_unknown_format_names_the_known_ones(tmp_path, capsys):
    (tmp_path / "t.csv").write_text(GOOD)
    assert main(["import", "--trace", str(tmp_path / "t.csv"), "--format", "slurmm"]) == 2
    assert "one of auto, philly, openb, slurm, swf, csv" in capsys.readouterr().err
