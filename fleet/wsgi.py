"""The web process's entry point."""

import os

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from fleet import environment

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fleet.settings")
application = get_wsgi_application()

if not (settings.LAUNCHED_BY_UP or settings.DEBUG or environment.text("FLEET_SECRET_KEY")):
    raise ImproperlyConfigured(
        "Set FLEET_SECRET_KEY to a long random text, the same on every machine (see docs/deployment.md);"
        " on a single machine start the web with `manage.py up`, or set FLEET_DEBUG=1."
    )
