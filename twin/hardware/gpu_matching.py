"""Whether a GPU that a trace asks for is the GPU of a pool, though each has its own way of writing it.

Slurm writes ``a100`` or ``nvidia_a100-sxm4-80gb``, Kubernetes ``NVIDIA-H100-80GB-HBM3``, OpenB ``V100M32``.
"""

from __future__ import annotations

import re
from functools import lru_cache

from twin.hardware.gpu_catalogue import find_gpu, without_vendor


@lru_cache(maxsize=4096)
def accepts_gpu(asked: str, gpu_name: str) -> bool:
    """Whether a job that asks for ``asked`` may run on the GPU model ``gpu_name``.

    It may when the names are the same up to case and punctuation, when ``asked`` is another name of the
    model in the catalogue, or when it names the model less closely: ``a100`` and ``A100_80`` mean every
    A100, and every A100 with 80 GB; ``L40`` does not mean an L40S.
    """
    if asked == gpu_name:
        return True
    known = find_gpu(asked)
    if known is not None and known.name == gpu_name:
        return True
    asked_words, words = _words(asked), _words(gpu_name)
    if not asked_words or not words or asked_words[0] != words[0]:
        return False
    return all(word in words or f"{word}gb" in words for word in asked_words)


def accepts_one_of(asked: str, gpu_name: str) -> bool:
    """The same for several models joined with ``|``, as ``Jobs.gpu_models`` has them."""
    return any(accepts_gpu(one.strip(), gpu_name) for one in asked.split("|"))


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", without_vendor(name))
