"""The catalogue carries over the published figures of GPUs and prices, every one of them."""

import csv
import os
from pathlib import Path

import pytest

from twin.hardware import catalogue, rent_prices

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FLEET_TWIN_DATA", ROOT.parent / "shared" / "data"))
FIGURES = {
    "mem_gb": "memory_gb",
    "mem_bw_gbps": "memory_bandwidth_gbps",
    "fp16_tflops_dense": "fp16_tflops_dense",
    "bf16_tflops_dense": "bf16_tflops_dense",
    "fp8_tflops_dense": "fp8_tflops_dense",
    "scaleup_gbps_unidir_per_gpu": "link_gbps",
    "tdp_w": "tdp_w",
    "launch_year": "launch_year",
}

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not (DATA / "perf").exists(), reason=f"the data folder {DATA} is not there"),
]


def rows_of(name):
    with (DATA / "perf" / name).open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def test_every_figure_of_every_gpu_is_carried_over():
    for row in rows_of("gpus.csv"):
        gpu = catalogue()[row["gpu"]]
        for theirs, ours in FIGURES.items():
            assert getattr(gpu, ours) == (float(row[theirs]) if row[theirs] else None), (gpu.name, ours)
        assert gpu.vendor == row["vendor"]
        assert gpu.architecture == row["arch"]
        assert gpu.confidence == row["confidence"]
        assert gpu.mig_max_instances == int(row["mig_max_instances"] or 0)


def test_every_offer_is_carried_over():
    offers = sorted((price.usd_per_gpu_hour_low, price.provider) for price in rent_prices())
    theirs = [
        (float(row["usd_per_gpu_hr"].split("-")[0]), row["provider"]) for row in rows_of("gpu_prices.csv")
    ]
    assert offers == sorted(theirs)
