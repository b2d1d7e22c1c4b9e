"""The web process's entry point."""

import os
from threading import Thread

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.wsgi import get_wsgi_application

from fleet import environment
from twin import engine

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "fleet.settings")
application = get_wsgi_application()

if not (settings.LAUNCHED_BY_UP or settings.DEBUG or environment.text("FLEET_SECRET_KEY")):
    raise ImproperlyConfigured(
        "Set FLEET_SECRET_KEY to a long random text, the same on every machine (see docs/deployment.md);"
        " on a single machine start the web with `manage.py up`, or set FLEET_DEBUG=1."
    )

# What-ifs run in this process: the first one is not to wait for the engine to load.
Thread(target=engine.warm, name="warm the engine", daemon=True).start()
