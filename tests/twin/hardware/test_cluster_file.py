"""cluster.yaml reads with every problem at once and writes back equal."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from twin.hardware import Cluster, Economy, Gpu, Pool, catalogue, dump_cluster, load_cluster
from twin.problems import InvalidInput

EXAMPLE = """\
name: two-pools
pools:
  - name: a100
    nodes: 32
    gpu: A100-SXM-80GB
    gpus_per_node: 8
    cpus: 128
    memory_gb: 2048
    nodes_per_rack: 4
"""


def problems_of(text):
    with pytest.raises(InvalidInput) as caught:
        load_cluster(text, "c.yaml")
    return [str(problem) for problem in caught.value.problems]


def test_the_documented_example_reads():
    cluster = load_cluster(EXAMPLE)
    gpu = catalogue()["A100-SXM-80GB"]
    assert cluster == Cluster("two-pools", (Pool("a100", 32, gpu, 8, 128, 2048.0, 4),))
    assert cluster.gpus == 256


def test_speed_prices_power_and_economy_read():
    cluster = load_cluster(
        EXAMPLE
        + "    speed: 1.5\n    node_price: 2e5\n    node_idle_w: 900\n    node_busy_w: 5_000\n"
        + "economy: {currency: EUR, amortisation_years: 5, electricity_per_kwh: 0.21, pue: 1.2}\n"
    )
    pool = cluster.pools[0]
    assert (pool.speed, pool.node_price, pool.node_idle_w, pool.node_busy_w) == (1.5, 200_000, 900, 5000)
    assert cluster.economy == Economy("EUR", 5.0, 0.21, 1.2)


def test_a_gpu_may_be_written_with_its_figures():
    text = EXAMPLE.replace("A100-SXM-80GB", "{name: NewGPU, memory_gb: 512, tdp_w: 1500}")
    assert load_cluster(text).pools[0].gpu == Gpu("NewGPU", memory_gb=512.0, tdp_w=1500.0, source="entered")


def test_json_is_read_too():
    text = '{"name": "j", "pools": [{"name": "p", "nodes": 1, "gpu": "T4", "gpus_per_node": 4}]}'
    assert load_cluster(text).gpus == 4


def test_every_problem_is_told_with_its_line_in_file_order():
    told = problems_of(
        "name: x\n"
        "pools:\n"
        "  - name: a\n"
        "    nodes: many\n"
        "    gpu: A100\n"
        "    gpus_per_node: 65\n"
        "    nodse_per_rack: 4\n"
        "  - name: a\n"
        "    gpu: {name: X, tdp: 3, memory_gb: .nan}\n"
        "    gpus_per_node: 8\n"
        "    node_idle_w: 300\n"
        "    node_busy_w: 200\n"
        "economy: {pue: 0.5}\n"
    )
    places = [problem.split(": ")[:2] for problem in told]
    assert places == [
        ["c.yaml, line 4", "pools[0].nodes"],
        ["c.yaml, line 5", "pools[0].gpu"],
        ["c.yaml, line 6", "pools[0].gpus_per_node"],
        ["c.yaml, line 7", "pools[0].nodse_per_rack"],
        ["c.yaml, line 8", "pools[1].nodes"],
        ["c.yaml, line 8", "pools[1].name"],
        ["c.yaml, line 9", "pools[1].gpu.memory_gb"],
        ["c.yaml, line 9", "pools[1].gpu.tdp"],
        ["c.yaml, line 11", "pools[1].node_idle_w"],
        ["c.yaml, line 13", "economy.pue"],
    ]
    assert 'did you mean "nodes_per_rack"?' in told[3]
    assert "A100-PCIe-40GB or A100-SXM-40GB" in told[1]
    assert 'did you mean "tdp_w"?' in told[7]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "must be a mapping of keys, not nothing"),
        ("- a\n", "must be a mapping of keys, not a list"),
        ("name: x\npools: []\n", "pools: is empty"),
        ("name: x\npools: {a: 1}\n", "pools: must be a list, not a mapping"),
        ("name: x\n", "pools: is missing"),
        ("name: x\nname: y\n", "line 2: name: is given twice (first on line 1)"),
        ("name: [x\n", "c.yaml, line 2, column 1: is not YAML here"),
        ("a: 1\n--- \nb: 2\n", "found another document"),
        ("a: \x00", "is not YAML"),
        ("{" * 5000, "is nested too deeply"),
        ("- " * 5000, "is nested too deeply"),
        ("#" * 600_000, "has 600,000 characters"),
        ("name: x\npools: [3]\n", 'pools[0]: must be a mapping of keys, not "3"'),
        (EXAMPLE.replace("32", '"32"'), '"32" is not a whole number'),
        (EXAMPLE.replace("32", "0x20"), '"0x20" is not a whole number'),
        (EXAMPLE.replace("32", "3.5"), '"3.5" is not a whole number'),
        (EXAMPLE.replace("32", "0"), "0 is out of range (a whole number from 1 to 1,000,000)"),
        (EXAMPLE.replace("32", "9" * 5000), "is not a whole number"),
        (EXAMPLE.replace("2048", "-1"), "-1 is out of range"),
        (EXAMPLE.replace("2048", "1:30"), '"1:30" is not a number'),
        (EXAMPLE.replace("2048", ".inf"), '".inf" is not a number'),
        (EXAMPLE.replace("2048", "[1]"), "must be a single value, not a list"),
        (EXAMPLE.replace("2048", "~"), "memory_gb: is empty"),
        (EXAMPLE + "    speed: 0\n", "speed: 0 is out of range (a number from 0.01 to 100)"),
        (EXAMPLE + "    mig: {}\n", "mig: comes with a later release"),
        (EXAMPLE.replace("name: two-pools", "name: ' '"), "name: is empty"),
    ],
)
def test_a_bad_file_says_what_is_wrong(text, said):
    assert said in "\n".join(problems_of(text))


def test_aliases_are_refused_however_often_they_nest():
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 60)]
    told = problems_of("\n".join(lines))
    assert told[0].startswith("c.yaml, line 1: is used again by an alias (*)")
    assert problems_of("name: &n [*n]\n")[0].startswith("c.yaml, line 1: is used again")


def test_old_yaml_words_stay_text():
    text = EXAMPLE.replace("name: two-pools", "name: no").replace("name: a100", "name: 010")
    cluster = load_cluster(text)
    assert (cluster.name, cluster.pools[0].name) == ("no", "010")
    assert load_cluster(dump_cluster(cluster)) == cluster


@pytest.mark.parametrize("word", ["yes", "No", "off", "y", "1_000", "12:30", "1.2.3", "010"])
def test_words_that_old_yaml_mistakes_are_written_in_quotes(word):
    cluster = Cluster(word, (Pool("p", 1, catalogue()["T4"], 4),))
    assert dump_cluster(cluster).startswith(f"name: '{word}'\n")
    assert load_cluster(dump_cluster(cluster)) == cluster


def test_a_changed_catalogue_gpu_is_written_with_its_figures():
    gpu = replace(catalogue()["T4"], tdp_w=75.0)
    cluster = Cluster("c", (Pool("p", 1, gpu, 4),))
    assert "tdp_w: 75.0" in dump_cluster(cluster)
    assert load_cluster(dump_cluster(cluster)) == cluster


names = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), min_size=1, max_size=20
).filter(lambda name: name.strip() == name)
amounts = st.floats(0.001, 1e6)
gpus = st.sampled_from(list(catalogue().values())) | st.builds(
    Gpu, names, memory_gb=st.none() | amounts, tdp_w=st.none() | amounts, source=st.just("entered")
)
pools = st.builds(
    Pool,
    name=names,
    nodes=st.integers(1, 10_000),
    gpu=gpus,
    gpus_per_node=st.integers(1, 64),
    cpus=st.integers(0, 1000),
    memory_gb=amounts,
    nodes_per_rack=st.integers(0, 50),
    speed=st.floats(0.01, 100),
    node_price=st.none() | amounts,
    rent_per_gpu_hour=st.none() | amounts,
    node_idle_w=st.none() | st.floats(0, 500),
    node_busy_w=st.none() | st.floats(500, 1e5),
)
economies = st.builds(
    Economy,
    currency=names,
    amortisation_years=st.floats(0.1, 50),
    electricity_per_kwh=st.none() | st.floats(0, 10),
    pue=st.floats(1, 3),
)


@given(names, st.lists(pools, min_size=1, max_size=4, unique_by=lambda pool: pool.name), economies)
@settings(max_examples=60, deadline=None)
def test_what_is_written_reads_back_equal(name, some_pools, economy):
    cluster = Cluster(name, tuple(some_pools), economy)
    assert load_cluster(dump_cluster(cluster)) == cluster
