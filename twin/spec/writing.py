"""Writes a specification as YAML that readers of both YAML versions take for the same."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any, Final

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import SingleQuotedScalarString

_MISTAKEN: Final = re.compile(r"y|n|yes|no|on|off|[-+]?[0-9][0-9_:.]*", re.IGNORECASE)
"""Texts that YAML 1.1 reads as truth values or numbers, and YAML 1.2 does not."""


def write_document(document: Mapping[str, Any]) -> str:
    """``document`` as block YAML, keys in their order."""
    yaml = YAML()
    yaml.indent(mapping=2, sequence=4, offset=2)
    yaml.width = 4096
    text = io.StringIO()
    yaml.dump(_quoted(document), text)
    return text.getvalue()


def _quoted(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _quoted(inside) for key, inside in value.items()}
    if isinstance(value, list):
        return [_quoted(inside) for inside in value]
    if isinstance(value, str) and _MISTAKEN.fullmatch(value):
        return SingleQuotedScalarString(value)
    return value
