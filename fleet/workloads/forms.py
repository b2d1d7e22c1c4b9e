"""The import wizard's form: which format, and for a table which column means what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms

from twin.problems import InvalidInput
from twin.workload import FIELDS, ColumnMapping, format_names

TIME_FIELDS = ("submit", "eligible", "start", "end")
LENGTH_FIELDS = ("duration", "wait", "time_limit")
MS_PER_DAY = 86_400_000
MOST_DAYS = 36_525  # a century
UNITS = (("", "as found"), ("ms", "ms"), ("s", "s"), ("min", "min"), ("h", "h"))
DELIMITERS = (
    ("", "as found"),
    (",", "comma ,"),
    (";", "semicolon ;"),
    ("\t", "tab"),
    ("|", "pipe |"),
    (" ", "blanks"),
)
COUNTS = (
    ("gpus", "GPUs"),
    ("processors", "processors, as if each were a GPU"),
    ("nodes", "nodes, as if each were a GPU"),
)
LABELS = {
    "job_id": "job id",
    "submit": "submit time",
    "eligible": "eligible time",
    "start": "start time",
    "end": "end time",
    "duration": "run time",
    "gpus_per_node": "GPUs per node",
    "gpus": "GPUs",
    "cpus": "CPUs",
    "memory_gb": "memory (GB)",
    "class": "job class",
    "time_limit": "time limit",
    "gpu_model": "GPU model",
    "moves_as": "moves as",
}
NOT_IN_FILE = "— not in the file"


def field_label(name: str) -> str:
    """A field of the Jobs table in plain words."""
    return LABELS.get(name, name.replace("_", " "))


class ReadingForm(forms.Form):
    """How the file is read. Its data is the page's query string, so a mapping is a link.

    ``header`` is the file's columns, empty where there are none to map; ``guessed`` the columns in effect.
    """

    format = forms.ChoiceField(label="Format", required=False)
    count_as = forms.ChoiceField(label="Count as GPUs", choices=COUNTS, required=False)
    groups = forms.CharField(
        label="Only these groups", required=False, help_text="Names, parted by commas; empty: all."
    )
    queues = forms.CharField(
        label="Only these queues", required=False, help_text="Names, parted by commas; empty: all."
    )
    from_day = forms.FloatField(
        label="From day",
        required=False,
        min_value=0,
        help_text="Days after the first submit; empty: from the start.",
    )
    until_day = forms.FloatField(
        label="Until day",
        required=False,
        min_value=0,
        help_text="Days after the first submit; empty: to the end.",
    )
    delimiter = forms.ChoiceField(label="Delimiter", choices=DELIMITERS, required=False)
    time_zone = forms.CharField(
        label="Time zone",
        required=False,
        help_text="For times that name none, such as Europe/Berlin.",
        max_length=60,
    )
    time_format = forms.CharField(
        label="Time format",
        required=False,
        help_text="Only if the times are not understood: %d.%m.%Y %H:%M",
        max_length=60,
    )

    def __init__(
        self,
        data: Mapping[str, Any] | None,
        *,
        header: Sequence[str] = (),
        guessed: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(data, label_suffix="", use_required_attribute=False)
        self.fields["format"].choices = [("auto", "recognise it"), *format_names().items()]
        self.header = header
        if not header:
            for name in ("delimiter", "time_format"):
                del self.fields[name]
        columns = [("", NOT_IN_FILE), *((column, column) for column in header)]
        for name in FIELDS if header else ():
            self.fields[f"column-{name}"] = forms.ChoiceField(
                label=field_label(name),
                choices=columns,
                required=False,
                initial=(guessed or {}).get(name, ""),
            )
            if name in TIME_FIELDS + LENGTH_FIELDS:
                self.fields[f"unit-{name}"] = forms.ChoiceField(
                    label=f"unit of {field_label(name)}", choices=UNITS, required=False
                )

    @property
    def column_rows(self) -> list[tuple[forms.BoundField, forms.BoundField | None]]:
        """Each field with its column and, for times, its unit."""
        return [
            (self[f"column-{name}"], self[f"unit-{name}"] if f"unit-{name}" in self.fields else None)
            for name in (FIELDS if self.header else ())
        ]


def reading_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """The reading that a query string or form asks for: {"format", "mapping", "keep"}; blanks are guessed.

    Raises InvalidInput for a mapping that cannot be.
    """
    columns = {name: data[f"column-{name}"] for name in FIELDS if f"column-{name}" in data}
    units = {name: data[f"unit-{name}"] for name in TIME_FIELDS + LENGTH_FIELDS if data.get(f"unit-{name}")}
    mapping = {"columns": columns, "units": units}
    mapping |= {name: data[name] for name in ("delimiter", "time_zone", "time_format") if data.get(name)}
    given = any(mapping.values())
    return {
        "format": data.get("format") or "auto",
        "mapping": ColumnMapping.from_dict(mapping).to_dict() if given else None,
        "keep": _keep_of(data),
    }


def _keep_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Which rows become jobs: the fields of twin's ``KeepOptions`` that are chosen."""
    keep: dict[str, Any] = {"count_as_gpus": data.get("count_as") or "gpus"}
    for name in ("groups", "queues"):
        names = [part.strip() for part in data.get(name, "").split(",") if part.strip()]
        keep |= {name: names} if names else {}
    for name, bound in (("from_day", "from_ms"), ("until_day", "until_ms")):
        if data.get(name):
            keep[bound] = _milliseconds(name, data[name])
    return keep


def _milliseconds(name: str, days: str) -> int:
    try:
        number = float(days)
    except ValueError:
        number = -1.0
    if not 0 <= number <= MOST_DAYS:
        told, valid = name.replace("_", " "), f"0 to {MOST_DAYS:,}, such as 30 or 1.5"
        raise InvalidInput.single(told, f"“{days}” is not a number of days", valid)
    return round(number * MS_PER_DAY)
