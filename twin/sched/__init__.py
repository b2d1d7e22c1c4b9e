"""Scheduling policies: the named choices, their file, and the rules that both engines share."""

from twin.sched.policy import Backfill, Order, PassMode, Placement, Policy, Shape
from twin.sched.policy_file import LATER, PRESETS, dump_policy, load_policy

__all__ = [
    "LATER",
    "PRESETS",
    "Backfill",
    "Order",
    "PassMode",
    "Placement",
    "Policy",
    "Shape",
    "dump_policy",
    "load_policy",
]
