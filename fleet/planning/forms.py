"""What people fill in: a policy, a study."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster
from fleet.planning.formats import as_duration
from fleet.planning.models import Policy
from fleet.planning.policy_words import CHOICES, DEPTH_HELP, FIELD_LABELS, LIMITS_HELP
from fleet.planning.services import StudyDraft
from fleet.planning.targets import DEFAULTS, LADDER_S
from fleet.workloads.models import State, Workload
from twin.analysis import SIZE_BUCKETS

MAX_SEEDS = 30
MS_A_DAY = 86_400_000


def _choice_field(name: str, initial: str) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=FIELD_LABELS[name],
        choices=[(value, label) for value, (label, _) in CHOICES[name].items()],
        widget=forms.RadioSelect,
        initial=initial,
    )


class PolicyForm(forms.Form):
    """The choices of a policy; each is documented beside it by the template."""

    name = forms.CharField(label=FIELD_LABELS["name"], max_length=100)
    order = _choice_field("order", "fifo")
    backfill = _choice_field("backfill", "easy")
    backfill_depth = forms.IntegerField(
        label=FIELD_LABELS["backfill_depth"],
        required=False,
        min_value=0,
        max_value=1_000_000_000,
        initial=100,
        help_text=DEPTH_HELP,
    )
    placement = _choice_field("placement", "best_fit")
    shape = _choice_field("shape", "packed")
    pass_mode = _choice_field("pass_mode", "instant")
    enforce_limits = forms.BooleanField(
        label=FIELD_LABELS["enforce_limits"], required=False, initial=True, help_text=LIMITS_HELP
    )

    def __init__(self, *args: Any, workspace: Workspace, policy: Policy | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._workspace = workspace
        self._policy = policy

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        same = Policy.objects.in_workspace(self._workspace).filter(name=name)
        if self._policy is not None:
            same = same.exclude(pk=self._policy.pk)
        if same.exists():
            raise ValidationError(f"There is a policy named “{name}” already; choose another name.")
        return name


class KnownRows(forms.ModelMultipleChoiceField):
    """Several rows; an id that is none of them, however long, is not a valid choice (databases fail on
    numbers too large for them)."""

    def clean(self, value: Any) -> Any:
        known = {str(pk) for pk in self.queryset.values_list("pk", flat=True)}
        for each in value if isinstance(value, (list, tuple)) else ():
            if str(getattr(each, "pk", each)) not in known:
                told = self.error_messages["invalid_choice"]
                raise ValidationError(told, code="invalid_choice", params={"value": str(each)[:40]})
        return super().clean(value)


class StudyForm(forms.Form):
    """A question: which workload, clusters and policies to compare."""

    name = forms.CharField(max_length=120)
    workload = forms.ModelChoiceField(Workload.unscoped.none(), empty_label=None)
    baseline = forms.ModelChoiceField(
        Cluster.unscoped.none(),
        label="Baseline cluster",
        empty_label=None,
        help_text="What the others are compared with: usually the cluster you have.",
    )
    candidates = KnownRows(Cluster.unscoped.none(), required=False, widget=forms.CheckboxSelectMultiple)
    policies = KnownRows(
        Policy.unscoped.none(),
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one policy."},
    )
    seeds = forms.IntegerField(
        min_value=1,
        max_value=MAX_SEEDS,
        initial=5,
        label="Seeds",
        help_text="How many seeded traces to draw from a workload mix; the spread over them is the interval. "
        "A recorded trace draws nothing: it is replayed once.",
    )
    horizon_days = forms.FloatField(
        label="Horizon, days",
        required=False,
        min_value=0.01,
        max_value=3660,
        help_text="Ledger, cost and energy count up to here, in all scenarios. Empty: to the last submit.",
    )
    note = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        clusters = Cluster.objects.in_workspace(workspace).order_by("is_candidate", "name")
        ready = Workload.objects.in_workspace(workspace).filter(state=State.READY)
        self.fields["workload"].queryset = ready
        self.fields["baseline"].queryset = clusters
        self.fields["candidates"].queryset = clusters
        policies = Policy.objects.in_workspace(workspace)
        self.fields["policies"].queryset = policies
        self.fields["policies"].initial = list(policies[:1])

    def draft(self) -> StudyDraft:
        """The study that the valid form asks for."""
        data = self.cleaned_data
        days = data["horizon_days"]
        return StudyDraft(
            name=data["name"],
            note=data["note"],
            workload=data["workload"],
            baseline=data["baseline"],
            candidates=tuple(data["candidates"]),
            policies=tuple(data["policies"]),
            seeds=tuple(range(data["seeds"])),
            horizon_ms=None if days is None else round(days * MS_A_DAY),
        )


class TargetsForm(forms.Form):
    """How soon a job of each GPU size should start: one field a size, named after it."""

    def __init__(self, *args: Any, targets: dict[str, int], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choices = [(step_s, as_duration(step_s)) for step_s in LADDER_S]
        for bucket in SIZE_BUCKETS:
            self.fields[bucket.key] = forms.TypedChoiceField(
                label=bucket.label,
                choices=choices,
                coerce=int,
                initial=targets.get(bucket.key, DEFAULTS[bucket.key]),
            )
