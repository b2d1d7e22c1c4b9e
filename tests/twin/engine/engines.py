"""The engines under test, by name: a test takes ``replay`` and runs once with each."""

from functools import partial

import pytest

from twin.engine import simulate

ENGINES = {name: partial(simulate, engine=name) for name in ("reference", "compiled")}

both_engines = pytest.mark.parametrize("replay", ENGINES.values(), ids=ENGINES.keys())
