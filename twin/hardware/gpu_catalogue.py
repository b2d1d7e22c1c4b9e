"""The GPU models that the product knows, from ``catalogue/gpus.csv``, and finding one by a loose name."""

from __future__ import annotations

import csv
import difflib
import re
from functools import cache
from pathlib import Path
from typing import Final

from twin.hardware.cluster import Gpu

CATALOGUE_FOLDER: Final = Path(__file__).parent / "catalogue"
_VENDOR_WORDS = re.compile(r"\b(nvidia|tesla|amd|instinct|radeon|intel|google|geforce|habana)\b")


@cache
def _catalogue() -> dict[str, Gpu]:
    return {row["name"]: _gpu(row) for row in catalogue_rows("gpus.csv")}


def catalogue() -> dict[str, Gpu]:
    """All known GPU models by name, in the order of the catalogue. Each names its source and confidence."""
    return dict(_catalogue())


def catalogue_rows(file_name: str) -> list[dict[str, str]]:
    """The rows of one of the catalogue's CSV files."""
    with (CATALOGUE_FOLDER / file_name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def find_gpu(name: str) -> Gpu | None:
    """The GPU model called ``name``: its catalogue name or one that drivers, clouds and traces use
    ("NVIDIA A100-SXM4-80GB", "v100m32"), whatever the case, blanks and dashes. None when unknown, and
    when the name could be several models (see ``gpu_names_like``)."""
    known = _catalogue()
    if name in known:
        return known[name]
    found = _names_by_key().get(_key(name))
    return known[found] if found is not None else None


def gpu_names_like(name: str, most: int = 5) -> tuple[str, ...]:
    """Catalogue names that ``name`` could mean: those that begin with it, else the most similar ones."""
    key = _key(name)
    names = list(_catalogue())
    beginning = [known for known in names if key and _key(known).startswith(key)]
    if beginning:
        return tuple(beginning[:most])
    by_key = _names_by_key()
    close = difflib.get_close_matches(key, list(by_key), n=most, cutoff=0.5)
    return tuple(dict.fromkeys(by_key[match] for match in close))


@cache
def _names_by_key() -> dict[str, str]:
    """Loose keys of names and aliases; a key that would mean two models is left out."""
    found: dict[str, str] = {}
    doubtful: set[str] = set()
    for row in catalogue_rows("gpus.csv"):
        for name in (row["name"], *_aliases(row)):
            key = _key(name)
            if found.setdefault(key, row["name"]) != row["name"]:
                doubtful.add(key)
    return {key: name for key, name in found.items() if key not in doubtful}


def _aliases(row: dict[str, str]) -> tuple[str, ...]:
    return tuple(alias.strip() for alias in row["aliases"].split("|") if alias.strip())


def without_vendor(name: str) -> str:
    """The name in lower case without words like "NVIDIA" or "Tesla"."""
    return _VENDOR_WORDS.sub(" ", name.lower().replace("_", " "))


def _key(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", without_vendor(name))


def _gpu(row: dict[str, str]) -> Gpu:
    return Gpu(
        name=row["name"],
        vendor=row["vendor"],
        memory_gb=_number(row["memory_gb"]),
        memory_bandwidth_gbps=_number(row["memory_bandwidth_gbps"]),
        bf16_tflops_dense=_number(row["bf16_tflops_dense"]),
        fp8_tflops_dense=_number(row["fp8_tflops_dense"]),
        link_gbps=_number(row["link_gbps"]),
        tdp_w=_number(row["tdp_w"]),
        mig_max_instances=int(row["mig_max_instances"] or 0),
        source=row["source"],
        fp16_tflops_dense=_number(row["fp16_tflops_dense"]),
        architecture=row["architecture"],
        launch_year=int(row["launch_year"]) if row["launch_year"] else None,
        confidence=row["confidence"],
    )


def _number(text: str) -> float | None:
    return float(text) if text else None
