"""Jobs as a Parquet file and back, without loss."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import numpy as np
import polars as pl

from twin.problems import InvalidInput
from twin.workload.jobs import Category, Jobs

KEY = "fleet_twin_jobs"
LAYOUT = 1  # raised when the meaning of a column changes


def save_jobs(jobs: Jobs, path: Path | str) -> None:
    """Write the table: a column a field, category names and the origin in the file's metadata."""
    columns: dict[str, pl.Series] = {}
    about: dict[str, object] = {"layout": LAYOUT, "categories": {}}
    for field in fields(Jobs):
        value = getattr(jobs, field.name)
        if isinstance(value, Category):
            columns[field.name] = pl.Series(field.name, value.codes)
            about["categories"][field.name] = value.names  # type: ignore[index]
        elif isinstance(value, np.ndarray):
            columns[field.name] = pl.Series(
                field.name, value, dtype=pl.String if value.dtype == object else None
            )
        else:
            about[field.name] = value
    pl.DataFrame(columns).write_parquet(path, metadata={KEY: json.dumps(about)}, statistics=False)


def load_jobs(path: Path | str) -> Jobs:
    """The table that ``save_jobs`` wrote; InvalidInput for any other file."""
    try:
        about = json.loads(pl.read_parquet_metadata(path).get(KEY, "{}"))
        frame = pl.read_parquet(path) if about else pl.DataFrame()
    except (pl.exceptions.PolarsError, OSError) as broken:
        raise InvalidInput.single(str(path), f"this is no readable Parquet file: {broken}") from None
    if about.get("layout") != LAYOUT:
        raise InvalidInput.single(
            str(path), "this Parquet file holds no jobs of ours", "a file that import wrote"
        )
    names = about["categories"]
    values: dict[str, object] = {}
    for field in fields(Jobs):
        if field.name in names:
            codes = frame[field.name].to_numpy().astype(np.int32)
            values[field.name] = Category(codes, tuple(names[field.name]))
        elif field.name not in frame.columns:
            value = about[field.name]
            values[field.name] = tuple(value) if isinstance(value, list) else value
        elif frame[field.name].dtype == pl.String:
            values[field.name] = np.array(frame[field.name].to_list(), dtype=object)
        else:
            values[field.name] = frame[field.name].to_numpy().copy()
    return Jobs(**values)  # type: ignore[arg-type]
