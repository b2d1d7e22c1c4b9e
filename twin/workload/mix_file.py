"""``mix.yaml``: reading a workload mix with every problem at once, and writing one that reads back equal."""

from __future__ import annotations

import io
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from ruamel.yaml import YAML

from twin.spec import REQUIRED, Fields, Findings, SpecNode, read_document
from twin.workload.jobs import MovesAs
from twin.workload.mix import DAY_S, END_STATES, JobClass, RunTime, TimeLimit, WorkloadMix
from twin.workload.rhythm import FLAT, OFFICE, Rhythm

MAX_DAYS = 3660.0
MAX_CLASSES = 200
MAX_JOBS = 20_000_000
MAX_GPUS = 1_000_000
RHYTHMS: Final[dict[str, Rhythm]] = {"office": OFFICE, "flat": FLAT}


def load_mix(text: str, source: str = "mix.yaml") -> WorkloadMix:
    """The mix that ``text`` (YAML or JSON) describes; ``source`` is what problems call the file.

    Raises ``InvalidInput`` with all problems, each with its line and key.
    """
    findings = Findings(source)
    file = Fields(read_document(text, source), findings)
    name = file.text("name")
    days = file.number("days", above=True, most=MAX_DAYS)
    start = _start(file)
    zone = file.text("time_zone", "UTC")
    entries = file.mappings("classes")
    if len(entries) > MAX_CLASSES:
        file.note("classes", f"has {len(entries)} classes", f"at most {MAX_CLASSES}")
    classes = tuple(_job_class(entry) for entry in entries[:MAX_CLASSES])
    names = [each.name for each in classes]
    for entry, each in zip(entries, classes, strict=False):
        if names.count(each.name) > 1:
            entry.note("name", f'"{each.name}" is the name of several classes', "a name of its own")
    jobs = 24 * days * sum(each.jobs_per_hour for each in classes)
    if jobs > MAX_JOBS:
        file.note("classes", f"make about {jobs:,.0f} jobs", f"at most {MAX_JOBS:,}")
    file.finish()
    findings.raise_if_any()
    return WorkloadMix(name, days, classes, start, zone)


def _start(file: Fields) -> int | None:
    written = file.text("start", "")
    if not written:
        return None
    try:
        moment = datetime.fromisoformat(written)
    except ValueError:
        file.note("start", f'"{written}" is not a date', "like 2026-03-02T00:00:00Z")
        return None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return round(aware.timestamp() * 1000)


def _job_class(entry: Fields) -> JobClass:
    default = JobClass("", 0.0, {1: 1.0}, (RunTime(1.0, 0.0),))
    made = JobClass(
        name=entry.text("name"),
        jobs_per_hour=entry.number("jobs_per_hour", above=True, most=1e6),
        gpus=_sizes(entry),
        run_time=_run_times(entry),
        max_run_s=entry.number("max_run_s", default.max_run_s, above=True, most=1000 * DAY_S),
        min_run_s=entry.number("min_run_s", default.min_run_s, above=True, most=1000 * DAY_S),
        size_exponent=entry.number("size_exponent", 0.0, least=-2.0, most=2.0),
        rhythm=_rhythm(entry),
        burst_mean=entry.number("burst_mean", 1.0, least=1.0, most=10_000),
        limit=_limit(entry),
        ends=_weights(entry, "ends", default.ends, END_STATES),
        users=entry.whole("users", default.users, least=1, most=100_000),
        user_skew=entry.number("user_skew", default.user_skew, most=5.0),
        groups=_weights(entry, "groups", default.groups),
        queue=entry.text("queue", ""),
        gpu_models=entry.text("gpu_models", ""),
        priority=entry.whole("priority", 0, least=-1_000_000_000, most=1_000_000_000),
        cpus_per_gpu=entry.number("cpus_per_gpu", 0.0, most=10_000),
        memory_gb_per_gpu=entry.number("memory_gb_per_gpu", 0.0, most=1e6),
        moves_as=MovesAs[entry.choice("moves_as", [m.name.lower() for m in MovesAs], "fixed_work").upper()],
    )
    if made.min_run_s > made.max_run_s:
        entry.note("min_run_s", "is more than max_run_s", "at most max_run_s")
    entry.finish()
    return made


def _sizes(entry: Fields) -> dict[int, float]:
    valid = "GPU counts with weights, such as {1: 0.8, 8: 0.2}"
    sizes: dict[int, float] = {}
    for key, weight in _weights(entry, "gpus", REQUIRED, valid=valid).items():
        if key.isdigit() and 1 <= int(key) <= MAX_GPUS:
            sizes[int(key)] = weight
        else:
            entry.note("gpus", f'"{key}" is not a GPU count', valid)
    return sizes or {1: 1.0}


def _weights(
    entry: Fields, key: str, default: Any, known: tuple[str, ...] = (), *, valid: str = "names with weights"
) -> Mapping[str, float]:
    """A mapping of names to weights, at least one of them above zero."""
    node = entry.given(key)
    if node is None and default is not REQUIRED:
        given: Mapping[str, float] = default
        return given
    if node is None or node.kind != "mapping" or not node.entries:
        entry.note(key, "is missing" if node is None else f"must be a mapping, not {node.described}", valid)
        return {}
    inner = Fields(node, entry.findings, f"{entry.path}{key}.")
    names = [name for name, _ in node.entries if not known or name in known]
    weights = {name: float(inner.number(name, most=1e9)) for name in names}
    for name in known:
        inner.given(name)
    inner.finish()
    if not any(weights.values()):
        entry.note(key, "has no weight above zero", valid)
    return weights


def _run_times(entry: Fields) -> tuple[RunTime, ...]:
    parts = []
    for part in entry.mappings("run_time"):
        median = part.number("median_s", above=True, most=1000 * DAY_S)
        parts.append(RunTime(median, part.number("sigma", most=5.0), part.number("share", 1.0, above=True)))
        part.finish()
    return tuple(parts) or (RunTime(1.0, 0.0),)


def _rhythm(entry: Fields) -> Rhythm:
    node = entry.given("rhythm")
    if node is None or node.kind != "mapping":
        return RHYTHMS[entry.choice("rhythm", RHYTHMS, "office")]
    inner = Fields(node, entry.findings, f"{entry.path}rhythm.")
    rhythm = Rhythm(_rates(inner, "hours", 24), _rates(inner, "weekdays", 7))
    inner.finish()
    return rhythm


def _rates(inner: Fields, key: str, wanted: int) -> tuple[float, ...]:
    node = inner.given(key)
    if node is None:
        return (1.0,) * wanted
    rates = [_rate(item) for item in node.items]
    if len(rates) != wanted or None in rates or not any(rates):
        inner.note(key, f"must be a list of {wanted} rates", f"{wanted} numbers from 0, not all of them 0")
        return (1.0,) * wanted
    return tuple(rate for rate in rates if rate is not None)


def _rate(item: SpecNode) -> float | None:
    try:
        rate = float(item.text)
    except ValueError:
        return None
    return rate if 0 <= rate <= 1e9 else None


def _limit(entry: Fields) -> TimeLimit | None:
    node = entry.given("limit")
    if node is None or node.kind == "empty":
        return None
    inner = Fields(node, entry.findings, f"{entry.path}limit.")
    default = TimeLimit()
    limit = TimeLimit(
        looseness_median=inner.number("looseness_median", default.looseness_median, above=True, most=1000),
        sigma=inner.number("sigma", default.sigma, most=5.0),
        rounded_to_s=inner.number("rounded_to_s", default.rounded_to_s, above=True, most=DAY_S),
        missing_share=inner.number("missing_share", 0.0, most=1.0),
        cut_share=inner.number("cut_share", 0.0, most=1.0),
    )
    inner.finish()
    return limit


def mix_mapping(mix: WorkloadMix) -> dict[str, Any]:
    """The mix as plain values, what is at its default left out; JSON of it is a ``mix.yaml``."""
    document: dict[str, Any] = {"name": mix.name, "days": mix.days}
    if mix.start_epoch_ms is not None:
        document["start"] = datetime.fromtimestamp(mix.start_epoch_ms / 1000, UTC).isoformat()
    if mix.time_zone != "UTC":
        document["time_zone"] = mix.time_zone
    return document | {"classes": [_class_mapping(each) for each in mix.classes]}


def _class_mapping(each: JobClass) -> dict[str, Any]:
    document: dict[str, Any] = {
        "name": each.name,
        "jobs_per_hour": each.jobs_per_hour,
        "gpus": {str(size): weight for size, weight in each.gpus.items()},
        "run_time": [{"median_s": t.median_s, "sigma": t.sigma, "share": t.share} for t in each.run_time],
    }
    default = JobClass("", 0.0, {1: 1.0}, each.run_time)
    for name in JobClass.__dataclass_fields__:
        value = getattr(each, name)
        if name not in document and value != getattr(default, name):
            document[name] = _plain(value)
    return document


def _plain(value: Any) -> Any:
    if isinstance(value, Rhythm):
        named = [name for name, rhythm in RHYTHMS.items() if rhythm == value]
        return named[0] if named else {"hours": list(value.hours), "weekdays": list(value.weekdays)}
    if isinstance(value, MovesAs):
        return value.name.lower()
    if isinstance(value, TimeLimit):
        return {name: getattr(value, name) for name in TimeLimit.__dataclass_fields__}
    return dict(value) if isinstance(value, Mapping) else value


def dump_mix(mix: WorkloadMix) -> str:
    """The mix as ``mix.yaml``; ``load_mix(dump_mix(m)) == m``."""
    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width = 110
    document = mix_mapping(mix)
    for each in document["classes"]:
        each["gpus"] = {int(size): weight for size, weight in each["gpus"].items()}
    text = io.StringIO()
    yaml.dump(document, text)
    return text.getvalue()
