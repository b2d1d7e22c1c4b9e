"""Reading as a whole: progress, cancelling, previews, and the registry of formats."""

import pytest

from twin.problems import InvalidInput
from twin.workload import ImportCancelled, KeepOptions, format_names, preview, read_trace


@pytest.fixture
def trace(tmp_path):
    path = tmp_path / "trace.csv"
    path.write_text("job_id,submit,duration,gpus\n" + "".join(f"j{n},{n},60,1\n" for n in range(200_000)))
    return path


def test_progress_rises_from_nothing_to_done(trace):
    told = []
    read_trace(trace, on_progress=lambda progress: told.append(progress) or True)
    shares = [progress.done for progress in told]
    assert shares == sorted(shares)
    assert (shares[0], shares[-1]) == (0.0, 1.0)
    assert len(told) >= 5


def test_an_import_can_be_cancelled(trace):
    with pytest.raises(ImportCancelled):
        read_trace(trace, on_progress=lambda progress: progress.done < 0.5)


def test_an_unknown_choice_is_told(trace):
    with pytest.raises(InvalidInput, match="one of gpus, processors, nodes"):
        read_trace(trace, keep=KeepOptions(count_as_gpus="cards"))


def test_every_format_has_a_title():
    assert list(format_names()) == ["philly", "openb", "slurm", "swf", "csv"]
    assert all(format_names().values())


def test_a_preview_tells_format_columns_and_first_rows_of_a_large_file(trace):
    seen = preview(trace)
    assert (seen.format, seen.delimiter, seen.encoding) == ("csv", "comma", "UTF-8")
    assert seen.header == ("job_id", "submit", "duration", "gpus")
    assert len(seen.rows) == 20
    assert seen.rows[0] == ("j0", "0", "60", "1")
    assert seen.columns["duration"] == "duration"
    assert seen.time_format == "seconds from the start"
    assert not seen.whole_file
    assert seen.problems == ()


def test_a_preview_tells_what_would_stop_the_import(tmp_path):
    (tmp_path / "t.csv").write_text("when,secs\n5,60\n6,60\n")
    seen = preview(tmp_path / "t.csv")
    assert seen.header == ("when", "secs")
    assert len(seen.problems) == 3


def test_a_preview_of_a_format_that_is_no_table_shows_lines(tmp_path):
    (tmp_path / "t.swf").write_text("; UnixStartTime: 0\n1 0 5 60 8 -1 -1 8 3600 -1 1 17 3 -1 2 -1 -1 -1\n")
    seen = preview(tmp_path / "t.swf")
    assert (seen.format, seen.header) == ("swf", ())
    assert seen.rows[1][0].startswith("1 0 5 60")
