"""The engines under test, by name: a test takes ``replay`` and runs once with each."""

import pytest

from twin.engine.reference import simulate_reference

ENGINES = {"reference": simulate_reference}

both_engines = pytest.mark.parametrize("replay", ENGINES.values(), ids=ENGINES.keys())
