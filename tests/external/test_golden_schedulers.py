"""What other simulators print for stated inputs, job by job: AccaSim, CQSim, Alea, Tiresias, Lucid.

The files are not part of the project: ``golden/philly-*.csv`` under FLEET_TWIN_DATA or ``../shared/data``,
with a README that says which peer agrees with which. Starts and finishes are whole seconds from the first
submission; the time limit is the duration.
"""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from tests.twin.engine.engines import ENGINES
from twin.hardware import Cluster, Gpu, Pool
from twin.sched import Backfill, Order, PassMode, Placement, Policy
from twin.workload import make_jobs

DATA = Path(os.environ.get("FLEET_TWIN_DATA", Path(__file__).parents[2].parent / "shared" / "data"))
GOLDEN = DATA / "golden"
CLUSTER_NODES = {"2869ce": 6, "7f04ca": 10}  # of 8 GPUs

pytestmark = [
    pytest.mark.external,
    pytest.mark.skipif(not GOLDEN.is_dir(), reason=f"no golden files in {GOLDEN} (set FLEET_TWIN_DATA)"),
]


def rule(order, backfill, placement=Placement.COUNT, pass_mode=PassMode.EVENT):
    return Policy(
        order=order,
        backfill=backfill,
        backfill_depth=None,
        placement=placement,
        pass_mode=pass_mode,
    )


COLUMNS = {
    "fifo_strict": rule(Order.FIFO, Backfill.STRICT),
    "sjf_strict": rule(Order.SJF, Backfill.STRICT),
    # Tiresias applies all finishes of an instant and then makes one pass: see the last test.
    "fifo_firstfit": rule(Order.FIFO, Backfill.FIRST_FIT, pass_mode=PassMode.INSTANT),
    "fifo_easy": rule(Order.FIFO, Backfill.EASY),
    "sjf_easy": rule(Order.SJF, Backfill.EASY),
}
LUCID = {  # on nodes; printed for 2869ce only
    "fifo_nodes_bestfit": rule(Order.FIFO, Backfill.STRICT, Placement.BEST_FIT),
    "sjf_nodes_bestfit": rule(Order.SJF, Backfill.STRICT, Placement.BEST_FIT),
}
CASES = [(trace, column, named) for trace in CLUSTER_NODES for column, named in COLUMNS.items()]
CASES += [("2869ce", column, named) for column, named in LUCID.items()]


def read(trace):
    with (GOLDEN / f"philly-{trace}.csv").open(newline="") as text:
        rows = list(csv.DictReader(text))
    return {name: np.array([int(row[name] or -1) for row in rows]) for name in rows[0]}


def replayed(engine, table, trace, policy):
    jobs = make_jobs(
        submit_ms=table["submit"] * 1000,
        run_ms=table["duration"] * 1000,
        gpus=table["gpus"],
        limit_ms=table["duration"] * 1000,
    )
    pool = Pool(name="philly", nodes=CLUSTER_NODES[trace], gpu=Gpu(name="any"), gpus_per_node=8)
    return ENGINES[engine](jobs, Cluster(name=trace, pools=(pool,)), policy)


def jobs_differing(result, table, column):
    starts = result.start_ms != table[f"{column}__start"] * 1000
    finishes = result.end_ms != table[f"{column}__finish"] * 1000
    return np.flatnonzero(starts | finishes).tolist()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("trace", "column", "policy"), CASES, ids=[f"{trace}-{column}" for trace, column, _ in CASES]
)
def test_no_job_differs_from_what_the_peers_print(trace, column, policy, engine):
    table = read(trace)
    result = replayed(engine, table, trace, policy)
    assert jobs_differing(result, table, column) == []


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("column", "differing"),
    [("sjf_strict", [538, 539, 542, 543, 545, 546, 548, 549]), ("sjf_easy", [280, 281])],
)
def test_one_pass_an_instant_differs_on_exactly_the_jobs_that_tie(column, differing, engine):
    """The peers run a pass after each event; on 7f04ca some jobs finish or arrive at one instant."""
    table = read("7f04ca")
    named = COLUMNS[column]
    result = replayed(engine, table, "7f04ca", rule(named.order, named.backfill, pass_mode=PassMode.INSTANT))
    assert jobs_differing(result, table, column) == differing


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    ("column", "mean_wait_s"),
    [
        ("fifo_strict", 766_992.31),
        ("sjf_strict", 291_625.31),
        ("fifo_firstfit", 312_789.12),
        ("fifo_easy", 309_586.27),
        ("sjf_easy", 199_722.44),
    ],
)
def test_mean_waits_are_those_published_with_the_golden_file(column, mean_wait_s, engine):
    result = replayed(engine, read("2869ce"), "2869ce", COLUMNS[column])
    waits_s = (result.start_ms - result.jobs.eligible_ms) / 1000
    assert waits_s.mean() == pytest.approx(mean_wait_s, abs=0.005)


@pytest.mark.parametrize("engine", ENGINES)
def test_first_fit_with_a_pass_after_each_event_parts_from_tiresias_where_two_jobs_end_at_once(engine):
    """At 7,609,674 s jobs 530 and 551 (4 GPUs each) end together and job 459 (8 GPUs) has waited longest.

    One pass for the instant starts 459, as Tiresias does; a pass after the first finish alone finds four
    free GPUs and gives them to a later job. 131 jobs follow from that.
    """
    table = read("7f04ca")
    result = replayed(engine, table, "7f04ca", rule(Order.FIFO, Backfill.FIRST_FIT))
    differing = jobs_differing(result, table, "fifo_firstfit")
    assert (differing[0], len(differing)) == (459, 131)
