"""The API: /api/v1/, described at /api/v1/openapi.json and /api/v1/docs."""

from __future__ import annotations

from ninja import NinjaAPI

from fleet.api.access import CALLERS
from fleet.api.errors import answer_errors
from fleet.api.routers import inventory, planning, workloads

api = NinjaAPI(
    title="Fleet Twin",
    version="1",
    urls_namespace="api-1",
    description="Workloads, clusters, policies, studies and outcomes of a workspace.",
    auth=CALLERS,
    docs_url=None,
)
answer_errors(api)
api.add_router("", workloads.router)
api.add_router("", inventory.router)
api.add_router("", planning.policies)
api.add_router("", planning.studies)
api.add_router("", planning.outcomes)
