"""Trace formats, one module each, all of one shape; to add a format, copy one and list it here.

Every module has ``NAME`` (for ``format=``), ``TITLE`` (for people), ``recognise(sample) -> float`` (how
sure, 0 to 1, from the first lines) and ``read(source, mapping) -> Records``.
"""

from __future__ import annotations

from typing import Protocol, cast

from twin.problems import InvalidInput
from twin.workload.formats import openb, philly, plain, slurm, swf
from twin.workload.mapping import ColumnMapping
from twin.workload.records import Records
from twin.workload.source import Source


class Format(Protocol):
    """What a format module offers."""

    NAME: str
    TITLE: str

    def recognise(self, sample: list[str]) -> float: ...

    def read(self, source: Source, mapping: ColumnMapping) -> Records: ...


FORMATS: dict[str, Format] = {
    module.NAME: cast("Format", module) for module in (philly, openb, slurm, swf, plain)
}


def format_names() -> dict[str, str]:
    """What ``format=`` takes, with the title of each."""
    return {name: module.TITLE for name, module in FORMATS.items()}


def chosen_format(source: Source, name: str) -> Format:
    """The format of this name, or with "auto" the one that is surest of the file's first lines."""
    if name != "auto":
        if name not in FORMATS:
            raise InvalidInput.single(
                "format", f"'{name}' is not known", "one of auto, " + ", ".join(FORMATS)
            )
        return FORMATS[name]
    sample = source.sample
    return max(FORMATS.values(), key=lambda module: module.recognise(sample))
