"""Everything that writes policies, studies and runs."""

from fleet.planning.services.execution import run_execute
from fleet.planning.services.policies import (
    policy_create,
    policy_delete,
    policy_fields,
    policy_update,
    policy_value,
)
from fleet.planning.services.runs import (
    Recovery,
    run_claim,
    runs_cancel,
    runs_recover,
    runs_retry,
    runs_send,
)
from fleet.planning.services.studies import (
    StudyDraft,
    runs_of_round,
    scenario_add,
    study_cancel,
    study_create,
    study_delete,
    study_retry,
    study_run_again,
    study_set_targets,
)
from fleet.planning.services.sweep import outcomes_sweep

__all__ = [
    "Recovery",
    "StudyDraft",
    "outcomes_sweep",
    "policy_create",
    "policy_delete",
    "policy_fields",
    "policy_update",
    "policy_value",
    "run_claim",
    "run_execute",
    "runs_cancel",
    "runs_of_round",
    "runs_recover",
    "runs_retry",
    "runs_send",
    "scenario_add",
    "study_cancel",
    "study_create",
    "study_delete",
    "study_retry",
    "study_run_again",
    "study_set_targets",
]
