"""docs/formats.md tells every format and field, and its examples work."""

import re
from pathlib import Path

from twin.workload import FIELDS, format_names, generate, load_mix

PAGE = (Path(__file__).parents[3] / "docs" / "formats.md").read_text()


def test_every_format_and_field_is_told():
    missing = [name for name in (*format_names(), *FIELDS) if name not in PAGE]
    assert missing == []


def test_the_example_mix_makes_jobs():
    (example,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    assert len(generate(load_mix(example), 1)) > 10_000
