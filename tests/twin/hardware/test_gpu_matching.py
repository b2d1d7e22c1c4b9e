"""A trace and a cluster may write the same GPU differently."""

import pytest

from twin.hardware import accepts_gpu, accepts_one_of


@pytest.mark.parametrize(
    ("asked", "pool"),
    [
        ("A", "A"),
        ("a100", "A100-SXM-80GB"),
        ("A100", "A100-PCIe-40GB"),
        ("a100_80", "A100-SXM-80GB"),
        ("NVIDIA-A100-SXM4-80GB", "A100-SXM-80GB"),
        ("nvidia_a100-sxm4-80gb", "A100-SXM-80GB"),
        ("V100M32", "V100-SXM2-32GB"),
        ("NVIDIA-H100-80GB-HBM3", "H100-SXM-80GB"),
        ("tesla_v100", "V100-SXM2-16GB"),
        ("my-gpu", "My GPU"),
        ("H200", "H200-NVL-141GB"),
    ],
)
def test_names_that_mean_the_same_are_accepted(asked, pool):
    assert accepts_gpu(asked, pool)


@pytest.mark.parametrize(
    ("asked", "pool"),
    [
        ("A", "B"),
        ("L40", "L40S"),
        ("A10", "A100-SXM-80GB"),
        ("a100_40", "A100-SXM-80GB"),
        ("V100M16", "V100-SXM2-32GB"),
        ("80GB", "A100-SXM-80GB"),
        ("", "A100-SXM-80GB"),
        ("nvidia", "A100-SXM-80GB"),
        ("A100-SXM-80GB", "A100"),
    ],
)
def test_names_that_mean_another_model_are_not(asked, pool):
    assert not accepts_gpu(asked, pool)


def test_one_of_several_is_enough():
    assert accepts_one_of("T4 | V100M32", "V100-SXM2-32GB")
    assert not accepts_one_of("T4|P100", "V100-SXM2-32GB")
