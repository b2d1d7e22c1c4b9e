"""Writing workloads; the modules are the subjects, and other apps use what is exported here."""

from fleet.workloads.services.jobs import jobs_of

__all__ = ["jobs_of"]
