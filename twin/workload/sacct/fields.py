"""Fields of a sacct record: TRES, GRES, memory, array ids. Each text is parsed once, however often it
occurs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import polars as pl

ARRAY_LIMIT = 100_000  # tasks one record may stand for
MEMORY_MB = {"K": 1 / 1024, "M": 1.0, "G": 1024.0, "T": 1024.0**2, "P": 1024.0**3, "": 1.0}
PER_CPU_FLAG = 2**31  # Slurm's internal mark for "per CPU", which some versions print as part of the number
MIG = re.compile(r"(?:^|[_.:])(\d)g\.\d+gb")
MIG_SLICES = 7
AMOUNT = r"(\d+(?:\.\d+)?|\.\d+)"
MOST = 10**12  # larger amounts are no amounts; this keeps them within 64 bits

Parsed = TypeVar("Parsed")


@dataclass(frozen=True, slots=True)
class Tres:
    """One TRES text. ``gpu_milli`` is 0 where it lists no GPUs; a MIG slice counts as its share of a GPU."""

    gpu_milli: int = 0
    models: str = ""
    cpus: int | None = None
    memory_mb: int | None = None
    nodes: int | None = None


def parse_tres(text: str) -> Tres:
    """``billing=78,cpu=48,gres/gpu:a100=4,gres/gpu=4,mem=384G,node=1``: the typed and the untyped entry
    are the same GPUs, so the untyped one is the total where there is one. All are totals of the job."""
    found = dict(part.split("=", 1) for part in text.split(",") if "=" in part)
    typed = {key[9:]: _whole(value) for key, value in found.items() if key.startswith("gres/gpu:")}
    shares = sum(_share_milli(model) * count for model, count in typed.items())
    total = _whole(found["gres/gpu"]) if "gres/gpu" in found else sum(typed.values())
    untyped = max(0, total - sum(typed.values()))
    memory = memory_mb(found["mem"]) if "mem" in found else None
    return Tres(
        gpu_milli=shares + 1000 * untyped,
        models="|".join(sorted(typed)),
        cpus=_whole(found["cpu"]) if "cpu" in found else None,
        memory_mb=memory,
        nodes=_whole(found["node"]) if "node" in found else None,
    )


def _whole(text: str) -> int:
    match = re.match(r"\d+", text)
    return min(int(match[0][:20]), MOST) if match else 0


def _share_milli(model: str) -> int:
    mig = MIG.search(model)
    return int(mig[1]) * 1000 // MIG_SLICES if mig else 1000


def parse_gres(text: str) -> int | None:
    """GPUs per node of ``gpu:a100:4``, ``gpu:2(S:0-1)``, ``gres/gpu:2``; None where it does not say, 0
    for none."""
    plain = re.sub(r"\([^)]*\)", "", text).strip()
    if plain.lower() in ("n/a", ""):
        return None if plain else 0
    total = 0
    for part in plain.split(","):
        match = re.fullmatch(r"(?:gres[:/])?gpu(?::[^:,=]*?[A-Za-z_][^:,=]*)?(?:[:=](\d+))?", part.strip())
        if match:
            total += int(match[1] or 1)
    return total


def memory_mb(text: str) -> int | None:
    """MiB of ``62.50G``, ``748000M``, ``2T``; rounded up; None where it is no amount of memory."""
    match = re.fullmatch(AMOUNT + r"([KMGTP]?)B?", text.strip())
    return math.ceil(min(float(match[1]) * MEMORY_MB[match[2]], MOST)) if match else None


def requested_memory_mb(text: str, cpus: int, nodes: int) -> int | None:
    """Total MiB of a ReqMem field: ``3000Mc`` per CPU, ``16000Mn`` per node, ``4000M`` for the job."""
    match = re.fullmatch(AMOUNT + r"([KMGTP]?)([cn]?)", text.strip())
    if not match:
        return None
    amount, unit, per = float(match[1]), match[2], match[3]
    if unit in ("M", "") and amount >= PER_CPU_FLAG:
        amount, per = amount - PER_CPU_FLAG, "c"
    times = {"c": max(cpus, 1), "n": max(nodes, 1), "": 1}[per]
    return math.ceil(min(amount * MEMORY_MB[unit] * times, MOST))


def array_tasks(job_id: str) -> list[str] | None:
    """Ids of the tasks that ``123_[4-7,9%2]`` stands for; None where it is no array range or too long a
    one."""
    match = re.fullmatch(r"(\d+)_\[([\d,:-]+)(?:%\d+)?\]", job_id)
    if not match:
        return None
    tasks: list[str] = []
    for part in match[2].split(","):
        numbers = re.fullmatch(r"(\d+)(?:-(\d+))?(?::(\d+))?", part)
        if not numbers:
            return None
        first = int(numbers[1])
        span = range(first, int(numbers[2] or first) + 1, int(numbers[3] or 1) or 1)
        if len(tasks) + len(span) > ARRAY_LIMIT:
            return None
        tasks += [f"{match[1]}_{task}" for task in span]
    return tasks or None


def each_once(column: pl.Series, parse: Callable[[str], Parsed], fields: dict[str, Any]) -> pl.DataFrame:
    """Columns of the parsed values' attributes ``fields`` (name -> type), nulls where the text is null."""
    texts = column.drop_nulls().unique()
    parsed = [parse(text) for text in texts.to_list()]
    found = pl.DataFrame(
        [texts.alias("text")]
        + [
            pl.Series(name, [getattr(each, name) for each in parsed], dtype=kind)
            for name, kind in fields.items()
        ]
    )
    return (
        column.alias("text").to_frame().join(found, on="text", how="left", maintain_order="left").drop("text")
    )
