"""What a node draws follows from what is known of it."""

from dataclasses import replace

import pytest

from twin.economics import node_power
from twin.hardware import Gpu, Pool, catalogue

POOL = Pool("a", 2, Gpu("X", tdp_w=700.0), 8)


def test_a_node_of_eight_h100_stays_below_what_was_measured_at_full_use():
    # Latif et al. 2025 measured at most 8.4 kW in training; the vendor rates 10.2 kW.
    power = node_power(replace(POOL, gpu=catalogue()["H100-SXM-80GB"]))
    assert 5600 < power.busy_w < 8400
    assert power.idle_w == pytest.approx(0.41 * 5600)
    assert not power.busy_entered


def test_an_idle_node_of_known_busy_power_draws_a_share_of_it():
    power = node_power(replace(POOL, node_busy_w=11_000.0, gpu=Gpu("Y")))
    assert power.idle_w == pytest.approx(4100)
    assert not power.idle_entered


def test_entered_figures_go_before_defaults():
    power = node_power(replace(POOL, node_busy_w=6000.0, node_idle_w=1000.0))
    assert (power.idle_w, power.busy_w) == (1000, 6000)
    assert power.idle_entered
    assert power.busy_entered


def test_busy_is_never_less_than_an_entered_idle():
    assert node_power(replace(POOL, node_idle_w=20_000.0)).busy_w == 20_000


def test_a_gpu_without_tdp_has_no_power():
    assert node_power(replace(POOL, gpu=Gpu("Y"))) is None
