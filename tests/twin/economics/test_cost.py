"""Cost and energy follow from the ledger, and a missing price is never zero."""

import json

import numpy as np
import pytest

from tests.twin.analysis.replays import replay
from twin.economics import cost, cost_of
from twin.hardware import Cluster, Economy, Gpu, Pool
from twin.workload.jobs import EndState, make_jobs

HOUR = 3_600_000
ECONOMY = Economy("EUR", amortisation_years=4.0, electricity_per_kwh=0.2, pue=1.5)
OWNED = Pool("own", 2, Gpu("X"), 8, node_price=200_000.0, node_idle_w=1000.0, node_busy_w=5000.0)
RENTED = Pool("rent", 1, Gpu("X"), 8, rent_per_gpu_hour=2.0, node_idle_w=1000.0, node_busy_w=5000.0)


def ten_hours(*pools, gpus=8, economy=ECONOMY, state=None):
    """One job of ``gpus`` GPUs for 5 of 10 hours on the first pool."""
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([5 * HOUR]), gpus=np.array([gpus]))
    cluster = Cluster("c", pools, economy)
    return replay(jobs, [0], cluster=cluster, horizon_ms=10 * HOUR, state=state)


def test_an_owned_pool_costs_its_price_over_its_life_and_electricity():
    told = cost(ten_hours(OWNED))
    # Two nodes idle 10 h: 20 kWh; one busy 5 h adds 4 kW x 5 h.
    assert told.it_energy_kwh == 40
    assert told.energy_kwh == 60
    assert told.mean_power_kw == 6
    assert told.capital_per_year == 100_000
    assert told.electricity_per_year == pytest.approx(6 * 8760 * 0.2)
    assert told.rent_per_year == 0
    assert told.cost_per_year == pytest.approx(100_000 + 6 * 8760 * 0.2)
    assert told.cost_per_productive_gpu_hour == pytest.approx(told.cost_per_year * 10 / 8760 / 40)
    assert told.missing == ()
    assert told.currency == "EUR"


def test_a_rented_pool_costs_rent_for_all_its_capacity_electricity_included():
    told = cost(ten_hours(RENTED))
    assert told.rent_per_year == told.cost_per_year == 2.0 * 8 * 8760
    assert told.electricity_per_year == 0
    assert told.energy_kwh == pytest.approx(30 * 1.5)
    assert told.pools[0].rented


def test_work_that_failed_is_productive_but_not_completed():
    told = cost(ten_hours(RENTED, state=np.array([EndState.FAILED], dtype=np.int8)))
    assert told.productive_gpu_hours == 40
    assert told.cost_per_productive_gpu_hour == 4.0
    assert told.cost_per_completed_gpu_hour is None
    assert [one.figure for one in told.missing] == ["cost_per_completed_gpu_hour"]


@pytest.mark.parametrize(
    ("pool", "economy", "figure", "said"),
    [
        (Pool("p", 1, Gpu("X", tdp_w=300), 8), ECONOMY, "cost_per_year", "neither node_price nor rent"),
        (Pool("p", 1, Gpu("X"), 8, node_price=1.0), ECONOMY, "energy_kwh", "no known TDP"),
        (OWNED, Economy(), "electricity_per_year", "no electricity_per_kwh"),
    ],
)
def test_a_missing_input_gives_no_figure_and_says_why(pool, economy, figure, said):
    told = cost(ten_hours(pool, economy=economy))
    assert told.cost_per_year is None
    assert told.cost_per_productive_gpu_hour is None
    assert getattr(told, figure) is None
    assert any(one.figure == figure and said in one.reason for one in told.missing)


def test_one_unpriced_pool_leaves_the_cluster_without_a_cost():
    told = cost(ten_hours(RENTED, Pool("free?", 1, Gpu("X", tdp_w=300), 8)))
    assert told.cost_per_year is None
    assert told.pools[0].cost_per_year is not None


def test_a_cluster_that_did_nothing_has_no_cost_per_productive_hour():
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([HOUR]), gpus=np.array([99]))
    told = cost(replay(jobs, [-1], cluster=Cluster("c", (OWNED,), ECONOMY), set_aside=[2], horizon_ms=HOUR))
    assert told.cost_per_year > 0
    assert told.cost_per_productive_gpu_hour is None
    assert told.energy_kwh == 3


def test_a_horizon_of_zero_has_no_yearly_energy():
    jobs = make_jobs(submit_ms=np.array([0]), run_ms=np.array([HOUR]), gpus=np.array([1]))
    told = cost(replay(jobs, [0], cluster=Cluster("c", (OWNED,), ECONOMY)))
    assert told.energy_kwh_per_year is None
    assert told.electricity_per_year is None


def test_a_cost_is_json():
    assert json.loads(json.dumps(cost(ten_hours(OWNED, RENTED)).to_dict(), allow_nan=False))["pools"]


def test_a_stored_ledger_can_be_priced_again():
    result = ten_hours(OWNED)
    assert cost_of(result.cluster, result.horizon_ms, result.ledger_gpu_ms) == cost(result)
    dearer = Cluster("c", (OWNED,), Economy("EUR", 2.0, 0.2, 1.5))
    told = cost_of(dearer, result.horizon_ms, result.ledger_gpu_ms)
    assert told.capital_per_year == 200_000
    assert told.energy_kwh == cost(result).energy_kwh
