"""``cluster.yaml``: reading one with every problem at once, and writing one that reads back equal."""

from __future__ import annotations

from dataclasses import fields as dataclass_fields
from typing import Any

from twin.hardware.cluster import MAX_GPUS_PER_NODE, Cluster, Economy, Gpu, Pool
from twin.hardware.gpu_catalogue import catalogue, find_gpu, gpu_names_like
from twin.spec import Fields, Findings, read_document, write_document

MAX_NODES = 1_000_000
MAX_POOLS = 1_000
_GPU_FIGURES = (
    "memory_gb",
    "memory_bandwidth_gbps",
    "bf16_tflops_dense",
    "fp16_tflops_dense",
    "fp8_tflops_dense",
    "link_gbps",
    "tdp_w",
)
_LATER_POOL_KEYS = ("capacity", "sites", "racks", "mig", "spot", "mtbf", "maintenance")


def load_cluster(text: str, source: str = "cluster.yaml") -> Cluster:
    """The cluster that ``text`` (YAML or JSON) describes; ``source`` is what problems call the file.

    Raises ``InvalidInput`` with all problems: unknown keys (with the nearest known one), missing keys,
    wrong types, values out of range, GPU models that are not in the catalogue, pools of one name.
    """
    findings = Findings(source)
    file = Fields(read_document(text, source), findings)
    name = file.text("name")
    economy = _economy(file.mapping("economy"))
    entries = file.mappings("pools")
    if len(entries) > MAX_POOLS:
        file.note("pools", f"has {len(entries):,} pools", f"at most {MAX_POOLS:,}")
    pools = [_pool(entry) for entry in entries[:MAX_POOLS]]
    _note_repeated_names(pools, entries)
    file.finish()
    findings.raise_if_any()
    return Cluster(name, tuple(pools), economy)


def _pool(entry: Fields) -> Pool:
    pool = Pool(
        name=entry.text("name"),
        nodes=entry.whole("nodes", least=1, most=MAX_NODES),
        gpu=_gpu(entry),
        gpus_per_node=entry.whole("gpus_per_node", least=1, most=MAX_GPUS_PER_NODE),
        cpus=entry.whole("cpus", 0, least=0, most=100_000),
        memory_gb=entry.number("memory_gb", 0.0, most=10_000_000),
        nodes_per_rack=entry.whole("nodes_per_rack", 0, least=0, most=MAX_NODES),
        speed=entry.number("speed", 1.0, least=0.01, most=100),
        node_price=entry.number("node_price", None),
        rent_per_gpu_hour=entry.number("rent_per_gpu_hour", None),
        node_idle_w=entry.number("node_idle_w", None, most=1e7),
        node_busy_w=entry.number("node_busy_w", None, most=1e7),
    )
    idle, busy = pool.node_idle_w, pool.node_busy_w
    if idle is not None and busy is not None and idle > busy:
        entry.note("node_idle_w", f"{idle:g} is more than node_busy_w ({busy:g})", "at most node_busy_w")
    entry.finish(later=_LATER_POOL_KEYS)
    return pool


def _gpu(entry: Fields) -> Gpu:
    given = entry.given("gpu")
    if given is not None and given.kind == "mapping":
        return _inline_gpu(Fields(given, entry.findings, f"{entry.path}gpu."))
    name = entry.text("gpu")
    if not name:
        return Gpu("")
    gpu = find_gpu(name)
    if gpu is None:
        like = gpu_names_like(name)
        valid = "did you mean " + " or ".join(like) + "? " if like else ""
        entry.note(
            "gpu",
            f'"{name}" is not one GPU model of the catalogue',
            valid + "a catalogue name, or a mapping with name, memory_gb, tdp_w …",
        )
        return Gpu(name)
    return gpu


def _inline_gpu(entry: Fields) -> Gpu:
    figures: dict[str, Any] = {figure: entry.number(figure, None, above=True) for figure in _GPU_FIGURES}
    gpu = Gpu(
        name=entry.text("name"),
        vendor=entry.text("vendor", ""),
        mig_max_instances=entry.whole("mig_max_instances", 0, least=0, most=64),
        source=entry.text("source", "entered"),
        architecture=entry.text("architecture", ""),
        launch_year=entry.whole("launch_year", None, least=1990, most=2200),
        confidence=entry.text("confidence", ""),
        **figures,
    )
    entry.finish()
    return gpu


def _economy(entry: Fields | None) -> Economy:
    default = Economy()
    if entry is None:
        return default
    economy = Economy(
        currency=entry.text("currency", default.currency),
        amortisation_years=entry.number(
            "amortisation_years", default.amortisation_years, above=True, most=100
        ),
        electricity_per_kwh=entry.number("electricity_per_kwh", None),
        pue=entry.number("pue", default.pue, least=1.0, most=10),
    )
    entry.finish()
    return economy


def _note_repeated_names(pools: list[Pool], entries: list[Fields]) -> None:
    first: dict[str, int] = {}
    for index, (pool, entry) in enumerate(zip(pools, entries, strict=False)):
        if pool.name and first.setdefault(pool.name, index) != index:
            told = f'"{pool.name}" is already the name of pools[{first[pool.name]}]'
            entry.note("name", told, "a name of its own")


def dump_cluster(cluster: Cluster) -> str:
    """The cluster as ``cluster.yaml``; ``load_cluster(dump_cluster(c)) == c``. What is at its default is
    left out; a GPU that is not exactly the catalogue's is written with its figures."""
    document: dict[str, Any] = {"name": cluster.name}
    economy = _changed(cluster.economy, Economy())
    if economy:
        document["economy"] = economy
    document["pools"] = [_pool_mapping(pool) for pool in cluster.pools]
    return write_document(document)


def _pool_mapping(pool: Pool) -> dict[str, Any]:
    known = catalogue().get(pool.gpu.name) == pool.gpu
    gpu: Any = pool.gpu.name if known else _changed(pool.gpu, Gpu("", source="entered"))
    needed = {"name": pool.name, "nodes": pool.nodes, "gpu": gpu, "gpus_per_node": pool.gpus_per_node}
    blank = Pool(pool.name, pool.nodes, pool.gpu, pool.gpus_per_node)
    return needed | _changed(pool, blank)


def _changed(value: Any, blank: Any) -> dict[str, Any]:
    """The fields of a dataclass value that differ from ``blank``'s."""
    names = [field.name for field in dataclass_fields(value)]
    return {name: getattr(value, name) for name in names if getattr(value, name) != getattr(blank, name)}
