"""The catalogue knows its GPUs by the names that people and drivers use."""

import math

import pytest

from twin.hardware import catalogue, find_gpu, gpu_names_like, node_types, rent_prices, rent_prices_of


def test_forty_models_and_more_each_with_source_and_confidence():
    gpus = catalogue()
    assert len(gpus) >= 40
    for name, gpu in gpus.items():
        assert gpu.name == name
        assert gpu.vendor
        assert gpu.source
        assert gpu.confidence.startswith(("high", "medium", "low"))


def test_figures_are_plausible_and_never_made_up():
    for gpu in catalogue().values():
        assert 8 <= gpu.memory_gb <= 300
        for figure in (gpu.tdp_w, gpu.memory_bandwidth_gbps, gpu.bf16_tflops_dense, gpu.link_gbps):
            assert figure is None or (math.isfinite(figure) and figure > 0)
    assert catalogue()["TPU v5e"].tdp_w is None
    assert catalogue()["V100-SXM2-16GB"].bf16_tflops_dense is None


def test_the_callers_copy_is_its_own():
    catalogue().clear()
    assert catalogue()


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("A100-SXM-80GB", "A100-SXM-80GB"),
        ("nvidia a100-sxm4-80gb", "A100-SXM-80GB"),
        ("a100 sxm 80gb", "A100-SXM-80GB"),
        ("NVIDIA A100 80GB PCIe", "A100-PCIe-80GB"),
        ("NVIDIA H100 80GB HBM3", "H100-SXM-80GB"),
        ("Tesla V100-SXM2-16GB", "V100-SXM2-16GB"),
        ("V100M32", "V100-SXM2-32GB"),
        ("Tesla T4", "T4"),
        ("AMD Instinct MI300X", "MI300X"),
        ("NVIDIA GeForce RTX 4090", "RTX 4090"),
        ("gb200", "GB200 (per GPU)"),
    ],
)
def test_a_model_is_found_by_a_loose_name(said, meant):
    assert find_gpu(said).name == meant


@pytest.mark.parametrize("said", ["A100", "V100", "P100", "", "???", "A100-SXM", "GTX 480"])
def test_a_name_that_could_be_several_models_or_none_is_not_guessed(said):
    assert find_gpu(said) is None


def test_a_short_name_lists_what_it_could_mean():
    assert gpu_names_like("A100") == ("A100-PCIe-40GB", "A100-SXM-40GB", "A100-PCIe-80GB", "A100-SXM-80GB")


def test_a_misspelt_name_lists_the_nearest():
    assert gpu_names_like("H100-SMX-80GB")[0] == "H100-SXM-80GB"
    assert gpu_names_like("zzz") == ()


def test_node_types_are_made_of_catalogue_gpus_and_say_where_they_are_from():
    types = node_types()
    assert {"DGX A100 640GB", "DGX H100", "HGX H200 8-GPU", "8x V100 16GB", "4x A100 40GB"} <= set(types)
    for node_type in types.values():
        assert catalogue()[node_type.gpu.name] == node_type.gpu
        assert 1 <= node_type.gpus_per_node <= 64
        assert node_type.cpu_kind in ("cores", "vCPUs")
        assert node_type.source
        if node_type.node_busy_w and node_type.gpu.tdp_w:
            assert node_type.node_busy_w > node_type.gpu.tdp_w * node_type.gpus_per_node


def test_rent_prices_are_dated_offers_for_known_gpus():
    assert len(rent_prices()) >= 20
    for price in rent_prices():
        assert price.gpu in catalogue()
        assert 0 < price.usd_per_gpu_hour_low <= price.usd_per_gpu_hour_high
        assert price.as_of
        assert price.source
    assert {price.provider for price in rent_prices_of("A100-SXM-80GB")} == {"verda", "hyperscaler range"}
    assert rent_prices_of("T4") == ()
