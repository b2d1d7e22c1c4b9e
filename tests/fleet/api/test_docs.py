"""docs/api.md lists exactly the calls that the API describes."""

import re
from pathlib import Path

from fleet.api.api import api

PAGE = Path(__file__).resolve().parents[3] / "docs" / "api.md"


def test_every_call_is_documented_and_every_documented_call_exists():
    listed = set(re.findall(r"^\| `([A-Z]+ /w/\S+)` \|", PAGE.read_text(), re.MULTILINE))
    described = {
        f"{method.upper()} {path.removeprefix('/api/v1')}"
        for path, methods in api.get_openapi_schema()["paths"].items()
        for method in methods
    }
    assert listed == described
