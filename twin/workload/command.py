"""``python -m twin import``: read a trace, tell what became of its rows, and write the jobs as Parquet."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from twin.problems import InvalidInput
from twin.workload.formats import format_names
from twin.workload.mapping import ColumnMapping
from twin.workload.preview import Preview, preview
from twin.workload.reader import COUNTED, read_trace
from twin.workload.report import ImportReport, KeepOptions
from twin.workload.storage import save_jobs


def main(arguments: Sequence[str]) -> int:
    """Read, report and write; returns the exit status. Raises ``InvalidInput``."""
    chosen = _parser().parse_args(list(arguments))
    mapping = _mapping(chosen)
    if chosen.preview:
        seen = preview(chosen.trace, mapping, format=chosen.format)
        print(_json(seen.to_dict()) if chosen.json else _preview_text(seen))
        return 0
    imported = read_trace(
        chosen.trace,
        format=chosen.format,
        mapping=mapping,
        keep=KeepOptions(
            count_as_gpus=chosen.count_as_gpus,
            groups=tuple(chosen.group),
            queues=tuple(chosen.queue),
            any_gpu_model=chosen.any_gpu_model,
        ),
    )
    if chosen.out:
        _write(lambda beside: save_jobs(imported.jobs, beside), chosen.out)
    if chosen.refused:
        _write(imported.write_refused_csv, chosen.refused)
    print(_json(imported.report.to_dict()) if chosen.json else report_text(imported.report))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m twin import",
        description="Read a trace into jobs.parquet; tell which rows were kept and refused, and why.",
        epilog="formats: " + "; ".join(f"{name} = {title}" for name, title in format_names().items()),
    )
    parser.add_argument(
        "--trace", type=Path, required=True, help="the file; .gz, or .zip with one file in it, too"
    )
    parser.add_argument("--format", default="auto", help="one of the formats below (default: recognise it)")
    parser.add_argument("--out", type=Path, metavar="FILE", help="write the jobs (Parquet)")
    parser.add_argument(
        "--refused", type=Path, metavar="FILE", help="write the refused rows with reasons (CSV)"
    )
    parser.add_argument("--preview", action="store_true", help="only look: format, columns, first rows")
    parser.add_argument("--json", action="store_true", help="the report as JSON instead of text")
    parser.add_argument(
        "--column",
        action="append",
        default=[],
        metavar="FIELD=NAME",
        help="which column is a field, such as gpus=n_cards",
    )
    parser.add_argument("--header", help="column names of a file without a header line, parted by commas")
    parser.add_argument("--time-zone", help="the zone of times that state none, such as Europe/Oslo")
    parser.add_argument("--time-format", help="a strptime pattern, such as %%d/%%m/%%Y %%H:%%M")
    parser.add_argument("--count-as-gpus", choices=COUNTED, default="gpus", help="what is replayed as GPUs")
    parser.add_argument("--any-gpu-model", action="store_true", help="leave out which models jobs ask for")
    parser.add_argument(
        "--group", action="append", default=[], help="keep only jobs of this group (repeatable)"
    )
    parser.add_argument(
        "--queue", action="append", default=[], help="keep only jobs of this queue (repeatable)"
    )
    return parser


def _mapping(chosen: argparse.Namespace) -> ColumnMapping:
    columns = {}
    for pair in chosen.column:
        name, mark, column = pair.partition("=")
        if not mark:
            raise InvalidInput.single("--column", f"'{pair}' is not FIELD=NAME", "such as gpus=n_cards")
        columns[name] = column
    return ColumnMapping.from_dict(
        {
            "columns": columns,
            "header": [name.strip() for name in chosen.header.split(",")] if chosen.header else None,
            "time_zone": chosen.time_zone,
            "time_format": chosen.time_format,
        }
    )


def _write(write: Callable[[Path], None], target: Path) -> None:
    """Written beside the target and renamed, so that half a file never has its name."""
    beside = target.with_name(f".{target.name}.part")
    try:
        write(beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _json(value: object) -> str:
    return json.dumps(value, indent=1, allow_nan=False, ensure_ascii=False)


def report_text(report: ImportReport) -> str:
    """The report for a terminal."""
    lines = [
        f"{report.file_name}: {report.format_title}, {report.encoding}, {report.delimiter}",
        f"{report.rows_read:,} rows read = {report.job_rows:,} job rows"
        f" + {sum(report.folded.values()):,} folded + {report.duplicates:,} duplicates"
        f" + {sum(report.dropped.values()):,} dropped by choice + {report.rows_refused:,} refused",
        f"{report.jobs:,} jobs, {report.gpus_asked_for:,} GPUs asked for in all",
        f"submitted from {report.first_submit} to {report.last_submit}",
        f"times: {report.time_format}, zone: {report.time_zone}",
    ]
    for title, counts in (
        ("folded", report.folded),
        ("dropped", report.dropped),
        ("refused", report.refused),
        ("repaired", report.repairs),
        ("ended", report.states),
    ):
        lines += [f"  {title}: {count:,} × {reason}" for reason, count in counts.items()]
    unmet = report.unmet
    if unmet.cancelled_while_pending or unmet.still_pending:
        lines.append(
            f"unmet demand: {unmet.cancelled_while_pending:,} jobs cancelled while pending "
            f"({unmet.cancelled_gpus_asked:,} GPUs), {unmet.still_pending:,} still pending "
            f"({unmet.pending_gpus_asked:,} GPUs); "
            f"of these {unmet.gpus_not_known:,} do not say how many GPUs"
        )
    if report.censored:
        lines.append(f"still running at the end of the trace: {report.censored:,} jobs")
    lines += [f"note: {note}" for note in report.notes]
    lines += [f"refused: line {refusal.line:,}: {refusal.reason}" for refusal in report.first_refusals]
    return "\n".join(lines)


def _preview_text(seen: Preview) -> str:
    lines = [
        f"{seen.file_name}: {seen.format_title}, {seen.encoding}, {seen.delimiter or 'no table'}",
        f"times: {seen.time_format or 'not read'} (zone: {seen.time_zone or 'not read'})",
        *(f"  {name} <- {column}" for name, column in seen.columns.items()),
        *(f"problem: {problem}" for problem in seen.problems),
        *(" | ".join(cell or "" for cell in row) for row in (seen.header, *seen.rows)),
    ]
    return "\n".join(lines)
