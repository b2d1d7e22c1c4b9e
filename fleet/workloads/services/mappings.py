"""Column mappings, remembered by the header of the file they were made for."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

from fleet.accounts.models import Workspace
from fleet.workloads.models import Mapping


def _header_sha256(header: Sequence[str]) -> str:
    return hashlib.sha256("\x1f".join(header).encode()).hexdigest()


def mapping_keep(workspace: Workspace, header: Sequence[str], mapping: dict[str, Any]) -> None:
    """Remember how a file with this header was read."""
    Mapping.unscoped.update_or_create(
        workspace=workspace,
        header_sha256=_header_sha256(header),
        defaults={"columns": list(header), "mapping": mapping},
    )


def mapping_for(workspace: Workspace, header: Sequence[str]) -> dict[str, Any] | None:
    """The mapping that was last used for this header in this workspace."""
    kept = Mapping.objects.in_workspace(workspace).filter(header_sha256=_header_sha256(header)).first()
    return kept.mapping if kept and kept.mapping else None
