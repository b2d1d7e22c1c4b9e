"""A mix as the database keeps it: the JSON of a ``mix.yaml``."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from twin.workload import WorkloadMix, load_mix, mix_mapping

Spec = dict[str, Any]


def spec_of_mix(mix: WorkloadMix) -> Spec:
    """The mix as JSON-able values."""
    return mix_mapping(mix)


def mix_of_spec(spec: Spec) -> WorkloadMix:
    """The mix that a specification describes; InvalidInput where it cannot be."""
    return load_mix(json.dumps(spec), "the mix")


def spec_sha256(spec: Spec) -> str:
    """What names the content: the specification without the mix's name."""
    content = {key: value for key, value in spec.items() if key != "name"}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
