"""Whatever file is given is read, or refused with a clear message; never a traceback, never much memory."""

import gzip
import io
import random
import tarfile
import tracemalloc
import zipfile

import pytest

from tests.twin.workload.traces import read_text
from twin.problems import InvalidInput
from twin.workload import open_source, read_trace

CSV = "job_id,submit,duration,gpus,user\na,0,60,1,Zoë\nb,30,60,2,Ada\n"


def refusal(path, **options) -> str:
    with pytest.raises(InvalidInput) as caught:
        read_trace(path, **options)
    return str(caught.value)


def test_a_missing_file_is_told(tmp_path):
    assert "there is no such file" in refusal(tmp_path / "nothing.csv")


def test_an_empty_file_is_told(tmp_path):
    (tmp_path / "empty.csv").touch()
    assert "empty.csv: the file is empty (0 bytes)" in refusal(tmp_path / "empty.csv")


def test_a_file_of_blanks_is_told(tmp_path):
    (tmp_path / "blank.csv").write_text("\n \n\n")
    assert "nothing but blanks" in refusal(tmp_path / "blank.csv")


def test_an_image_named_csv_is_told(tmp_path):
    (tmp_path / "chart.csv").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    assert "this is a PNG image, whatever its name says" in refusal(tmp_path / "chart.csv")


def test_zero_bytes_are_no_text(tmp_path):
    (tmp_path / "core.csv").write_bytes(b"job_id,submit\n" + b"\x00\x01\x02" * 100)
    assert "zero bytes" in refusal(tmp_path / "core.csv")


def test_the_name_in_messages_can_be_the_uploaded_one(tmp_path):
    (tmp_path / "stored").touch()
    assert refusal(tmp_path / "stored", name="june.csv").startswith("june.csv: ")


def test_a_line_without_end_is_refused_early_and_in_little_memory(tmp_path):
    path = tmp_path / "long.csv"
    with path.open("wb") as file:
        file.write(b"job_id,submit,duration,gpus\n")
        for _ in range(64):
            file.write(b"x" * (1 << 20))
    tracemalloc.start()
    told = refusal(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert "long.csv, line 2: a line is longer than 1 MiB" in told
    assert peak < 12 << 20


def test_a_long_line_hidden_in_a_small_gzip_is_refused_too(tmp_path):
    (tmp_path / "long.csv.gz").write_bytes(gzip.compress(b"a,b\n" + b"x" * (8 << 20)))
    assert "a line is longer than 1 MiB" in refusal(tmp_path / "long.csv.gz")


def test_a_gzip_bomb_is_refused(tmp_path):
    (tmp_path / "bomb.csv.gz").write_bytes(gzip.compress(b"0,0,0,0\n" * (12 << 20), compresslevel=9))
    assert "at most 250 times its size" in refusal(tmp_path / "bomb.csv.gz")


def test_a_truncated_gzip_is_told(tmp_path):
    whole = gzip.compress((CSV + "".join(f"j{n},{n},60,1,u\n" for n in range(5000))).encode())
    (tmp_path / "cut.csv.gz").write_bytes(whole[: len(whole) // 2])
    assert "the gzip file is cut short" in refusal(tmp_path / "cut.csv.gz")


def test_a_damaged_gzip_is_told(tmp_path):
    whole = bytearray(gzip.compress(CSV.encode() * 500))
    whole[-6] ^= 0xFF  # in the checksum
    (tmp_path / "bad.csv.gz").write_bytes(bytes(whole))
    assert "cannot be read" in refusal(tmp_path / "bad.csv.gz")


def zipped(**members: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name.replace("__", "/"), text)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("data", "compression"),
    [
        (CSV.encode(), ""),
        (gzip.compress(CSV.encode()), "gzip"),
        (gzip.compress(CSV[:20].encode()) + gzip.compress(CSV[20:].encode()), "gzip"),
        (zipped(trace=CSV), "zip"),
    ],
    ids=["plain", "gzip", "gzip of two members", "zip"],
)
def test_compression_is_told_by_content_not_by_name(tmp_path, data, compression):
    imported = read_text(tmp_path, data, name="trace.dat")
    assert imported.report.compression == compression
    assert imported.jobs.job_id.tolist() == ["a", "b"]


def test_a_zip_with_two_files_is_refused(tmp_path):
    (tmp_path / "two.zip").write_bytes(zipped(one=CSV, two=CSV))
    assert "the zip holds 2 files (one, two)" in refusal(tmp_path / "two.zip")


def test_a_cut_zip_is_told(tmp_path):
    (tmp_path / "cut.zip").write_bytes(zipped(trace=CSV * 100)[:-40])
    assert "the zip file cannot be read" in refusal(tmp_path / "cut.zip")


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (CSV.encode(), "UTF-8"),
        (b"\xef\xbb\xbf" + CSV.encode(), "UTF-8 with a byte-order mark"),
        (CSV.encode("utf-16"), "UTF-16"),
        (CSV.encode("utf-16-le"), "UTF-16"),
        (CSV.encode("utf-16-be"), "UTF-16"),
        (CSV.encode("latin-1"), "Windows-1252"),
    ],
    ids=["utf-8", "bom", "utf-16", "utf-16-le", "utf-16-be", "latin-1"],
)
def test_encodings_are_recognised(tmp_path, data, encoding):
    imported = read_text(tmp_path, data)
    assert imported.report.encoding == encoding
    assert imported.jobs.user.names == ("Ada", "Zoë")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["LF", "CRLF", "CR"])
def test_line_ends_are_all_one(tmp_path, end):
    imported = read_text(tmp_path, CSV.replace("\n", end))
    assert imported.jobs.user.names == ("Ada", "Zoë")
    assert imported.report.rows_read == 2


def test_only_the_beginning_is_read_when_asked(tmp_path):
    path = tmp_path / "big.csv"
    path.write_text(CSV + "".join(f"j{n},{n},60,1,u\n" for n in range(200_000)))
    source = open_source(path, at_most=1 << 20)
    assert not source.whole
    assert 10_000 < len(source.lines) < 150_000
    assert source.lines[-1].count(",") == 4


@pytest.mark.parametrize("text", ['{"jobs": []}\n', "{\n  1: 2\n}\n", '[{"a": 1, "b": 2}]\n'])
def test_json_is_named(tmp_path, text):
    (tmp_path / "jobs.csv").write_text(text)
    assert "this is JSON, which is not read yet" in refusal(tmp_path / "jobs.csv")


def test_a_tar_archive_is_named(tmp_path):
    with tarfile.open(tmp_path / "a.tar.gz", "w:gz") as archive:
        (tmp_path / "trace.csv").write_text(CSV)
        archive.add(tmp_path / "trace.csv", "trace.csv")
    assert "this is a tar archive" in refusal(tmp_path / "a.tar.gz")


@pytest.mark.parametrize("seed", range(60))
def test_a_damaged_file_is_read_or_refused_but_never_breaks_the_reader(tmp_path, seed):
    chance = random.Random(seed)
    whole = [
        CSV.encode() * 3,
        gzip.compress(CSV.encode()),
        zipped(trace=CSV),
        CSV.replace("Zoë", '"Z ""o"""').encode(),
    ]
    data = bytearray(chance.choice(whole))
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(data))
        data[at : at + chance.randint(0, 3)] = chance.choice(
            [b'"', b"\n", b"\x00", b",", b"\xff", b"1e999", b";"]
        )
    (tmp_path / "damaged").write_bytes(bytes(data))
    try:
        jobs = read_trace(tmp_path / "damaged").jobs
    except InvalidInput:
        return
    assert (jobs.run_ms >= 1).all()
