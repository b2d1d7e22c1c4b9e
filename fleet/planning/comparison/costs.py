"""What a scenario costs: the outcome's ledger at the prices of the scenario's snapshot.

Prices do not change a replay, so they are no part of the outcome: the same outcome costs what each scenario's
own prices say.
"""

from __future__ import annotations

import numpy as np

from fleet.planning.comparison.metrics import Json
from fleet.planning.snapshots import Snapshot, cluster_of
from twin import economics

KWH_PER_MWH = 1000


def priced(summary: Json, cluster: Snapshot) -> economics.Cost:
    """The cost of an outcome's ledger on this cluster."""
    ledger = np.array(
        [[line["gpu_ms"] for line in pool["lines"]] for pool in summary["ledger_by_pool"]], dtype=np.int64
    )
    return economics.cost_of(cluster_of(cluster), round(summary["horizon_s"] * 1000), ledger)


def cost_of(summary: Json, cluster: Snapshot) -> Json:
    """The cost as a mapping, with the yearly energy in MWh as well."""
    found = priced(summary, cluster).to_dict()
    energy_kwh = found["energy_kwh_per_year"]
    return found | {"energy_mwh_per_year": None if energy_kwh is None else energy_kwh / KWH_PER_MWH}
