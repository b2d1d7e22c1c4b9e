"""Forms of the inventory. They check and explain; services write."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import models

from fleet.accounts.models import Workspace
from fleet.inventory.models import Cluster, GpuModel, NodeType, Pool, PoolCapacity, Row, Site
from fleet.inventory.services.clusters import CLUSTER_FIELDS, POOL_FIELDS
from fleet.inventory.values import GPU_FIELDS, HARDWARE_FIELDS

LARGEST_FILE_BYTES = 2_000_000
Choices = list[tuple[Any, Any]]


class PlainNumberInput(forms.NumberInput):
    """Shows 2048.0 as 2048."""

    def format_value(self, value: Any) -> str | None:
        whole = isinstance(value, float) and value.is_integer()
        return super().format_value(int(value) if whole else value)


def plain_numbers(db_field: models.Field, **kwargs: Any) -> forms.Field | None:  # type: ignore[type-arg]
    """Decimals get the plain input (``Meta.formfield_callback``)."""
    if isinstance(db_field, models.FloatField):
        kwargs["widget"] = PlainNumberInput
    return db_field.formfield(**kwargs)


class ClusterForm(forms.ModelForm):  # type: ignore[type-arg]
    """``seen`` is the state that the person started from: a change of somebody else is not overwritten."""

    seen = forms.CharField(required=False, widget=forms.HiddenInput)
    is_candidate = forms.TypedChoiceField(
        label="Real or candidate",
        choices=(("False", "real: it exists"), ("True", "candidate: does not exist yet")),
        coerce=lambda value: value == "True",
        empty_value=False,
        required=False,
        initial="False",
        widget=forms.RadioSelect,
    )

    class Meta:
        model = Cluster
        formfield_callback = plain_numbers
        fields = CLUSTER_FIELDS
        widgets = {"note": forms.Textarea(attrs={"rows": 2})}
        help_texts = {
            "currency": "Three letters; all prices of the cluster are in it.",
            "electricity_per_kwh": "Without it the comparison shows no cost of electricity.",
            "pue": "Power of the site ÷ power of the machines.",
        }

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.workspace = workspace
        self.fields["site"].queryset = Site.objects.in_workspace(workspace)
        self.fields["site"].empty_label = "—"
        if self.instance.pk:
            self.initial["seen"] = self.instance.updated_at.isoformat()

    def clean_seen(self) -> str:
        seen: str = self.cleaned_data["seen"]
        if seen and seen != self.initial.get("seen"):
            raise ValidationError(
                "Somebody else has changed this cluster since you opened it. Open it anew in another tab, "
                "look at its change log, and make your change there."
            )
        return seen

    def clean_currency(self) -> str:
        currency: str = self.cleaned_data["currency"].upper()
        if len(currency) != 3 or not currency.isalpha():
            raise ValidationError("Three letters, such as USD or EUR.")
        return currency

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        same = Cluster.objects.in_workspace(self.instance.workspace).filter(name=name)
        if same.exclude(pk=self.instance.pk).exists():
            raise ValidationError("There is a cluster of that name already.")
        return name


class PoolForm(forms.ModelForm):  # type: ignore[type-arg]
    """One pool among several; ``pool_id`` says which existing one it is."""

    pool_id = forms.IntegerField(required=False, widget=forms.HiddenInput)

    class Meta:
        model = Pool
        formfield_callback = plain_numbers
        fields = POOL_FIELDS
        help_texts = {
            "node_type": "Its figures hold wherever none is given below.",
            "speed": "Of fixed work, relative to the hardware the trace ran on; 1 = the same.",
            "cpus": "0 = unlimited.",
            "memory_gb": "0 = unlimited.",
            "node_price": "Without a price or a rent the comparison shows no cost.",
            "rent_per_gpu_hour": "Used instead of the price.",
            "row": "Where it stands.",
        }

    basic = ("name", "nodes", "node_type", "gpu", "gpus_per_node", "node_price", "rent_per_gpu_hour")

    def __init__(
        self, *args: Any, node_types: Choices, gpus: Choices, rows: Choices, workspace: Workspace, **kw: Any
    ) -> None:
        super().__init__(*args, **kw)
        self.fields["node_type"].queryset = NodeType.objects.in_workspace(workspace)
        self.fields["gpu"].queryset = GpuModel.objects.in_workspace(workspace)
        self.fields["row"].queryset = Row.objects.filter(hall__site__workspace=workspace)
        for name, choices in (("node_type", node_types), ("gpu", gpus), ("row", rows)):
            self.fields[name].choices = [("", "—"), *choices]

    @property
    def main_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.basic]

    @property
    def further_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in POOL_FIELDS if name not in self.basic]

    @property
    def further_open(self) -> bool:
        """Whether the further figures hold something that a person should see."""
        return any(field.errors for field in self.further_fields) or any(
            field.value() not in (None, "", 0, "0", 1.0, "1", "1.0") for field in self.further_fields
        )


class BasePoolFormSet(forms.BaseFormSet):  # type: ignore[type-arg]
    def clean(self) -> None:
        """At least one pool, and no two of one name."""
        seen: set[str] = set()
        for form in self._kept():
            name = form.cleaned_data.get("name")
            if name in seen:
                form.add_error("name", "Another pool has this name.")
            seen |= {name} if name else set()
        if not self._kept():
            raise ValidationError("A cluster needs at least one pool.")

    def _kept(self) -> list[forms.Form]:
        """The rows that are neither removed nor left empty."""
        filled = [form for form in self.forms if form.has_changed() or not form.empty_permitted]
        return [form for form in filled if not self._should_delete_form(form)]

    @property
    def pools(self) -> list[dict[str, Any]]:
        """The pools to keep, as the services take them."""
        return [
            {"id": form.cleaned_data["pool_id"], **{name: form.cleaned_data[name] for name in POOL_FIELDS}}
            for form in self._kept()
        ]


PoolFormSet = forms.formset_factory(PoolForm, formset=BasePoolFormSet, extra=1, can_delete=True, max_num=1000)


def pool_formset(workspace: Workspace, data: Any = None, cluster: Cluster | None = None) -> BasePoolFormSet:
    """The pools of a cluster, or of a new one, with one empty row; choices are read once."""
    pools = list(cluster.pools.all()) if cluster is not None else []
    initial = [{name: getattr(pool, name) for name in POOL_FIELDS} | {"pool_id": pool.pk} for pool in pools]
    choices = {
        "node_types": [
            (node_type.pk, f"{node_type.name} · {node_type.gpus_per_node} × {node_type.gpu.name}")
            for node_type in NodeType.objects.in_workspace(workspace).select_related("gpu")
        ],
        "gpus": [(gpu.pk, gpu.name) for gpu in GpuModel.objects.in_workspace(workspace)],
        "rows": [
            (row.pk, str(row))
            for row in Row.objects.filter(hall__site__workspace=workspace).select_related("hall__site")
        ],
        "workspace": workspace,
    }
    return PoolFormSet(data, initial=initial, form_kwargs=choices, prefix="pools")


class ImportForm(forms.Form):
    """A cluster file, pasted or chosen."""

    file = forms.FileField(required=False, label="File", help_text="cluster.yaml, at most 2 MB.")
    text = forms.CharField(
        required=False,
        label="Or paste it",
        strip=False,
        widget=forms.Textarea(attrs={"rows": 16, "class": "code", "spellcheck": "false"}),
    )
    is_candidate = forms.BooleanField(required=False, label="It is a candidate (does not exist yet)")
    replace = forms.BooleanField(required=False, label="Replace the pools of a cluster of the same name")

    def clean(self) -> dict[str, Any]:
        """Exactly one source; ``text`` and ``source`` hold what to read and what problems call it."""
        data = super().clean() or {}
        file, text = data.get("file"), data.get("text", "")
        if self.errors:
            return data
        if bool(file) == bool(text.strip()):
            raise ValidationError("Choose a file or paste its text" + (", not both." if file else "."))
        if not file:
            return data | {"source": "pasted text"}
        if file.size > LARGEST_FILE_BYTES:
            raise ValidationError(f"{file.name} has {file.size:,} bytes; at most {LARGEST_FILE_BYTES:,}.")
        try:
            return data | {"text": file.read().decode("utf-8-sig"), "source": file.name}
        except UnicodeDecodeError as error:
            told = f"{file.name} is not text in UTF-8 (byte {error.start:,}); a cluster file is YAML."
            raise ValidationError(told) from error


class _OwnRowForm(forms.ModelForm):  # type: ignore[type-arg]
    """A row of a workspace's own catalogue: its name is free there."""

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.workspace = workspace
        self.workspace = workspace

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        rows = type(self.instance).objects.in_workspace(self.workspace).filter(name=name)
        if rows.filter(workspace=self.workspace).exclude(pk=self.instance.pk).exists():
            raise ValidationError("There is one of that name already.")
        return name


class GpuModelForm(_OwnRowForm):
    class Meta:
        model = GpuModel
        formfield_callback = plain_numbers
        fields = GPU_FIELDS


class NodeTypeForm(_OwnRowForm):
    class Meta:
        model = NodeType
        formfield_callback = plain_numbers
        fields = ("name", "gpu", "cpu_kind", *HARDWARE_FIELDS, "source")
        help_texts = {
            "cpus": "0 = unlimited.",
            "memory_gb": "0 = unlimited.",
            "node_price": "In the currency of the cluster that uses it.",
            "nodes_per_rack": "0 = not known.",
        }

    def __init__(self, *args: Any, workspace: Workspace, **kwargs: Any) -> None:
        super().__init__(*args, workspace=workspace, **kwargs)
        self.fields["gpu"].queryset = GpuModel.objects.in_workspace(workspace)


class CapacityForm(forms.ModelForm):  # type: ignore[type-arg]
    class Meta:
        model = PoolCapacity
        fields = ["state", "nodes", "from_date", "note"]
        widgets = {"from_date": forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")}
        labels = {"from_date": "From"}

    def __init__(self, *args: Any, pool: Pool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.instance.pool = pool

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        same = self.instance.pool.capacities.filter(state=data.get("state"), from_date=data.get("from_date"))
        if same.exists():
            raise ValidationError("There is a row for that state and day already; remove it first.")
        return data
