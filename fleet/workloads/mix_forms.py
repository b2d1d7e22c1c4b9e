"""A mix as a form: the frame, and a row for each class with what people change most.

The rest of a class (limits, people, memory …) is kept as it was; the YAML has everything.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from fleet.whole_numbers import whole_number
from fleet.workloads.mix_spec import Spec, mix_of_spec
from twin.problems import InvalidInput
from twin.workload import WorkloadMix

EMPTY_ROWS = 1
RHYTHMS = (("office", "office hours"), ("flat", "flat"), ("own", "its own, see YAML"))
PLACE = re.compile(r"classes\[(\d+)\]\.(\w+)")


class WeightsField(forms.CharField):
    """Names with weights, "1: 0.8, 8: 0.2"."""

    widget = forms.TextInput(attrs={"class": "wide"})

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return ", ".join(f"{name}: {weight:g}" for name, weight in value.items())
        return value

    def clean(self, value: Any) -> dict[str, float]:
        text = super().clean(value)
        weights = {}
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, mark, weight = part.rpartition(":")
            try:
                weights[name.strip()] = float(weight)
            except ValueError:
                mark = ""
            if not mark:
                raise ValidationError(f"“{part}” is not a name with a weight, such as 8: 0.2")
        return weights


class RunTimesField(forms.CharField):
    """Parts of a run-time distribution, "900/1.6/0.55, 14400/1.3/0.45": median s / spread / share."""

    widget = forms.TextInput(attrs={"class": "wide"})

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return ", ".join(
                f"{part['median_s']:g}/{part['sigma']:g}/{part.get('share', 1):g}" for part in value
            )
        return value

    def clean(self, value: Any) -> list[dict[str, float]]:
        parts = []
        for text in super().clean(value).split(","):
            try:
                numbers = [float(number) for number in text.split("/")]
            except ValueError:
                numbers = []
            if len(numbers) not in (2, 3):
                raise ValidationError(
                    f"“{text.strip()}” is not median s / spread / share, such as 900/1.6/0.5"
                )
            parts.append(dict(zip(("median_s", "sigma", "share"), [*numbers, 1.0][:3], strict=True)))
        return parts


class FrameForm(forms.Form):
    """The mix as a whole."""

    name = forms.CharField(max_length=120)
    days = forms.FloatField(label="Days", min_value=0.01, max_value=3660)
    start = forms.DateTimeField(
        label="First day", required=False, help_text="UTC; empty: no calendar, the first day is a Monday."
    )


class ClassForm(forms.Form):
    """One job class. ``base`` is its place in the mix as it was; empty for a new class."""

    base = forms.IntegerField(required=False, widget=forms.HiddenInput)
    name = forms.CharField(max_length=80)
    jobs_per_hour = forms.FloatField(label="Jobs/h", min_value=0)
    gpus = WeightsField(label="GPUs: weight")
    run_time = RunTimesField(label="Run time")
    max_run_s = forms.FloatField(label="Longest (s)", min_value=0.001, required=False)
    rhythm = forms.ChoiceField(choices=RHYTHMS)
    burst_mean = forms.FloatField(label="Burst", min_value=1, required=False)
    ends = WeightsField(label="Ends: weight", required=False)
    groups = WeightsField(label="Groups: weight", required=False)
    remove = forms.BooleanField(label="Remove", required=False)


def _initial(place: int, each: Mapping[str, Any]) -> dict[str, Any]:
    rhythm = each.get("rhythm", "office")
    return {**each, "base": place, "rhythm": rhythm if isinstance(rhythm, str) else "own"}


@dataclass(frozen=True)
class MixForm:
    """The frame and the rows together."""

    frame: FrameForm
    rows: list[ClassForm]
    spec: Spec

    @classmethod
    def of(cls, spec: Spec, data: Mapping[str, Any] | None = None) -> MixForm:
        """The form of a mix, filled from ``data`` where it was sent."""
        classes = spec["classes"]
        count = len(classes) + EMPTY_ROWS if data is None else whole_number(data.get("rows", "")) or 0
        rows = [
            ClassForm(
                data,
                prefix=str(place),
                initial=_initial(place, classes[place]) if place < len(classes) else {"rhythm": "office"},
                empty_permitted=True,
                use_required_attribute=False,
            )
            for place in range(min(count, 1000))
        ]
        start = {"start": spec["start"][:16].replace("T", " ")} if spec.get("start") else {}
        return cls(FrameForm(data, initial={**spec, **start}), rows, spec)

    def mix(self) -> WorkloadMix | None:
        """The mix that was entered; None where there are problems, which are then told at their fields."""
        kept = [row for row in self.rows if row.has_changed() or row.initial.get("name")]
        kept = [row for row in kept if not row["remove"].data]
        if not all([self.frame.is_valid(), *(row.is_valid() for row in kept)]):
            return None
        try:
            return mix_of_spec(self._entered([row.cleaned_data for row in kept]))
        except InvalidInput as error:
            for problem in error.problems:
                place = PLACE.search(problem.where)
                told = f"{problem.what} ({problem.valid})" if problem.valid else problem.what
                if place and place[2] in ClassForm.base_fields:
                    kept[int(place[1])].add_error(place[2], told)
                else:
                    self.frame.add_error(None, str(problem))
            return None

    def _entered(self, rows: list[dict[str, Any]]) -> Spec:
        frame = self.frame.cleaned_data
        start = frame["start"].isoformat() if frame["start"] else None
        spec = {key: value for key, value in self.spec.items() if key != "start"}
        spec |= {"name": frame["name"], "days": frame["days"], "classes": [self._class(row) for row in rows]}
        return spec | ({"start": start} if start else {})

    def _class(self, row: dict[str, Any]) -> dict[str, Any]:
        classes = self.spec["classes"]
        base = row["base"]
        kept = dict(classes[base]) if base is not None and 0 <= base < len(classes) else {}
        entered = {key: value for key, value in row.items() if key not in ("base", "remove", "rhythm")}
        for key, value in entered.items():
            if value in (None, "", {}):
                kept.pop(key, None)
            else:
                kept[key] = value
        if row["rhythm"] != "own":
            kept["rhythm"] = row["rhythm"]
        return kept


class YamlForm(forms.Form):
    """A mix as YAML."""

    text = forms.CharField(
        label="mix.yaml", widget=forms.Textarea(attrs={"rows": 30, "class": "code", "spellcheck": "false"})
    )
