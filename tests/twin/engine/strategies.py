"""Small and nasty worlds: ties everywhere, several pools, GPU models, CPUs and memory, shapes, holds.

``HYPOTHESIS_PROFILE=deep`` searches long and anew each time; the default is short and the same each time.
"""

import os

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

PROFILES = {"suite": {"max_examples": 200, "derandomize": True}, "deep": {"max_examples": 20_000}}
searched = settings(
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    **PROFILES[os.environ.get("HYPOTHESIS_PROFILE", "suite")],
)

MODELS = ("A", "B", "C")
STATES = ("UNKNOWN", "COMPLETED", "CANCELLED", "FAILED", "TIMED_OUT", "RUNNING")

pools = st.lists(
    st.fixed_dictionaries(
        {
            "nodes": st.integers(1, 4),
            "gpus": st.sampled_from([1, 2, 4, 8]),
            "cpus": st.sampled_from([0, 0, 5, 16]),
            "memory": st.sampled_from([0, 0, 7, 64]),
            "model": st.sampled_from(MODELS[:2]),
            "speed": st.sampled_from([1.0, 1.0, 2.5, 0.3, 1.000001]),
        }
    ),
    min_size=1,
    max_size=3,
)

policies = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["fifo", "priority", "sjf"]),
        "backfill": st.sampled_from(["easy", "easy", "first_fit", "strict"]),
        "depth": st.sampled_from([None, None, 0, 1, 3]),
        "placement": st.sampled_from(["count", "first_fit", "best_fit", "worst_fit"]),
        "shape": st.sampled_from(["packed", "scatter"]),
        "passes": st.sampled_from(["instant", "event"]),
        "enforce_limits": st.booleans(),
    }
)


@st.composite
def job(draw):
    """Few distinct times, so that finishes, submits and eligible times fall on one instant."""
    submit = draw(st.integers(0, 12))
    made = {
        "submit": submit,
        "run": draw(st.one_of(st.integers(1, 12), st.sampled_from([40, 10**9]))),
        "gpus": draw(st.one_of(st.integers(1, 9), st.sampled_from([1, 2, 16, 40]))),
        "eligible": draw(st.sampled_from([0, 0, 0, submit + 1, submit + 5])),
        "limit": draw(st.one_of(st.none(), st.integers(1, 15))),
        "cpus": draw(st.sampled_from([0, 0, 1, 5, 9])),
        "memory": draw(st.sampled_from([0, 0, 1, 8, 40])),
        "priority": draw(st.integers(-1, 1)),
        "models": draw(
            st.one_of(st.none(), st.none(), st.lists(st.sampled_from(MODELS), min_size=1, unique=True))
        ),
        "moves": draw(st.sampled_from(["work", "work", "hold", "cut"])),
        "state": draw(st.sampled_from(STATES)),
    }
    if draw(st.integers(0, 3)) == 0:
        nodes, each = draw(st.integers(1, 3)), draw(st.integers(1, 4))
        given = draw(st.sampled_from(["both", "nodes", "gpus_per_node"]))
        made["gpus"] = nodes * each
        made |= {"nodes": nodes if given != "gpus_per_node" else 0}
        made |= {"gpus_per_node": each if given != "nodes" else 0}
    return made


workloads = st.lists(job(), max_size=14)
horizons = st.sampled_from([None, None, 0, 5, 60])
