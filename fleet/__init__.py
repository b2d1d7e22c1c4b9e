"""Everything with state: the Django project."""

from fleet.celery import app as celery_app

__all__ = ["celery_app"]
