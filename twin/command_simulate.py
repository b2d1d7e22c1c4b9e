"""``python -m twin simulate``: one replay, told as text or JSON. The same input gives the same bytes."""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from twin.analysis import Summary, summarise, write_outcomes_csv
from twin.command_text import simulation_text
from twin.economics import Cost, assumptions, cost
from twin.engine import simulate
from twin.engine.result import Options, Result
from twin.hardware import Cluster, load_cluster
from twin.problems import InvalidInput, Problem
from twin.sched import Policy, load_policy
from twin.workload import Jobs, load_jobs, read_trace

_UNITS_MS = {"": 1_000, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}


def main(arguments: Sequence[str]) -> int:
    """Replay a trace and print what came of it; returns the exit status. Raises ``InvalidInput``."""
    chosen = _parser().parse_args(list(arguments))
    cluster, policy = _specifications(chosen.cluster, chosen.policy)
    options = Options(horizon_ms=chosen.until)
    jobs, report = _workload(chosen.trace, chosen.format)
    result = simulate(jobs, cluster, policy, options, engine=chosen.engine)
    if chosen.jobs_out is not None:
        _write_outcomes(result, chosen.jobs_out)
    summary, costs = summarise(result), cost(result)
    if chosen.json:
        print(_json(result, summary, costs, report, chosen.seed))
    else:
        print(simulation_text(chosen.trace.name, summary, costs, report))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m twin simulate",
        description="Replay a trace on a cluster under a policy: metrics and the ledger on standard output.",
    )
    parser.add_argument("--trace", type=Path, required=True, help="a trace, or jobs.parquet made by import")
    parser.add_argument("--format", default="auto", help="the trace's format (default: recognise it)")
    parser.add_argument("--cluster", type=Path, required=True, help="cluster.yaml")
    parser.add_argument("--policy", type=Path, help="policy.yaml (default: fifo, easy backfill, best fit)")
    parser.add_argument("--engine", choices=("compiled", "reference"), default="compiled")
    parser.add_argument("--seed", type=int, default=0, help="changes nothing where nothing is random")
    parser.add_argument(
        "--until",
        type=_duration_ms,
        metavar="TIME",
        help="end of the horizon, from the first submit: 3600, 30d, 12h",
    )
    parser.add_argument("--jobs-out", type=Path, metavar="FILE", help="write jobs_out.csv, a row a job")
    parser.add_argument("--json", action="store_true", help="all figures as JSON instead of text")
    return parser


def _duration_ms(text: str) -> int:
    found = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?)\s*([smhd]?)", text)
    duration_ms = round(float(found[1]) * _UNITS_MS[found[2]]) if found else 0
    if not 0 < duration_ms < 2**42:
        raise argparse.ArgumentTypeError(f'"{text}" is not a time: seconds, or a number with s, m, h or d')
    return duration_ms


def _specifications(cluster_file: Path, policy_file: Path | None) -> tuple[Cluster, Policy]:
    """Both files read, so that the problems of both are told at once."""
    problems: list[Problem] = []
    cluster: Cluster | None = None
    policy = Policy()
    try:
        cluster = load_cluster(_text(cluster_file), str(cluster_file))
    except InvalidInput as wrong:
        problems += wrong.problems
    try:
        policy = policy if policy_file is None else load_policy(_text(policy_file), str(policy_file))
    except InvalidInput as wrong:
        problems += wrong.problems
    if problems or cluster is None:
        raise InvalidInput(tuple(problems))
    return cluster, policy


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise InvalidInput.single(str(file), f"is not UTF-8 text (byte {error.start:,})") from None


def _workload(trace: Path, format_name: str) -> tuple[Jobs, dict[str, Any] | None]:
    """The jobs, and the report of the import where a trace was read."""
    if format_name == "auto" and trace.suffix == ".parquet":
        return load_jobs(trace), None
    imported = read_trace(trace, format=format_name)
    return imported.jobs, imported.report.to_dict()


def _write_outcomes(result: Result, target: Path) -> None:
    """Written beside the target and renamed, so that half a file never has its name."""
    beside = target.with_name(f".{target.name}.part")
    try:
        write_outcomes_csv(result, beside)
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


def _json(result: Result, summary: Summary, costs: Cost, report: dict[str, Any] | None, seed: int) -> str:
    told = {
        "seed": seed,
        "summary": summary.to_dict(),
        "cost": costs.to_dict(),
        "assumptions": [assumption.to_dict() for assumption in assumptions(result)],
        "import": report,
    }
    return json.dumps(told, indent=1, allow_nan=False, ensure_ascii=False)
