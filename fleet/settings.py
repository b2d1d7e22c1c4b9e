"""Settings. A single machine needs none of the variables; production sets DATABASE_URL, REDIS_URL,
FLEET_SECRET_KEY and FLEET_ALLOWED_HOSTS (see docs/deployment.md)."""

from pathlib import Path
from urllib.parse import quote

import dj_database_url
from kombu import Queue

from fleet import environment, runtime
from fleet.logs import logging_settings

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = Path(environment.text("FLEET_VAR_DIR", str(BASE_DIR / "var")))

DEBUG = environment.flag("FLEET_DEBUG")
SECRET_KEY = environment.text("FLEET_SECRET_KEY") or runtime.secret_key(VAR_DIR)
LAUNCHED_BY_UP = runtime.launched_by_up(VAR_DIR)  # a child of `manage.py up`: loopback only, demo user
LOCAL_HOSTS = ["localhost", "127.0.0.1", "[::1]"]  # health checks come by these, whatever people type
ALLOWED_HOSTS = [*LOCAL_HOSTS, *environment.words("FLEET_ALLOWED_HOSTS")]

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "django_celery_beat",
    "allauth",
    "allauth.account",
    "csp",
    "fleet.operations",
    "fleet.accounts",
    "fleet.inventory",
    "fleet.workloads",
    "fleet.planning",
    "fleet.reports",
    "fleet.api",
]

MIDDLEWARE = [
    "fleet.operations.request_log.RequestLogMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "fleet.operations.loopback.LoopbackSignInMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
]

ROOT_URLCONF = "fleet.urls"
WSGI_APPLICATION = "fleet.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    }
]

DATABASES = {
    "default": dj_database_url.config(default=f"sqlite:///{VAR_DIR / 'fleet.sqlite3'}", conn_max_age=60)
}
if DATABASES["default"]["ENGINE"] == "django.db.backends.sqlite3":
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTHENTICATION_BACKENDS = [
    "django.contrib.auth.backends.ModelBackend",
    "allauth.account.auth_backends.AuthenticationBackend",
]
LOGIN_REDIRECT_URL = "/"
if LAUNCHED_BY_UP:  # cookies ignore the port, and two checkouts may run on one machine
    CHECKOUT = runtime.checkout_name(VAR_DIR)
    SESSION_COOKIE_NAME, CSRF_COOKIE_NAME = f"session_{CHECKOUT}", f"csrf_{CHECKOUT}"
HTTPS = environment.flag("FLEET_HTTPS")  # a proxy in front ends TLS and sets X-Forwarded-Proto
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
CSRF_TRUSTED_ORIGINS = environment.words("FLEET_TRUSTED_ORIGINS")
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_ADAPTER = "fleet.accounts.adapter.AccountAdapter"

EMAIL_HOST = environment.text("FLEET_SMTP_HOST")
EMAIL_PORT = environment.whole_number("FLEET_SMTP_PORT", 587)
EMAIL_HOST_USER = environment.text("FLEET_SMTP_USER")
EMAIL_HOST_PASSWORD = environment.text("FLEET_SMTP_PASSWORD")
EMAIL_USE_TLS = environment.flag("FLEET_SMTP_TLS", default=True)
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("FLEET_MAIL_FROM", "fleet-twin@localhost")
if not EMAIL_HOST:  # no mail leaves; pages say so
    EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)  # WhiteNoise warns where it is missing
STATICFILES_DIRS = [BASE_DIR / "frontend"]
MEDIA_ROOT = VAR_DIR / "files"
UPLOAD_LIMIT_BYTES = environment.whole_number("FLEET_UPLOAD_LIMIT_MB", 2000) * 1_000_000
FILE_UPLOAD_HANDLERS = [
    "fleet.workloads.upload_limit.LimitedUploadHandler",
    "django.core.files.uploadhandler.MemoryFileUploadHandler",
    "django.core.files.uploadhandler.TemporaryFileUploadHandler",
]
WHITENOISE_USE_FINDERS = DEBUG or LAUNCHED_BY_UP  # no collectstatic on a single machine

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'self'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", "'unsafe-inline'"],
        "img-src": ["'self'", "data:", "blob:"],
    }
}

REDIS_URL = environment.text("REDIS_URL")
BROKER_SOCKET = runtime.socket_path(VAR_DIR, "broker.sock")
TASK_TIME_LIMIT_S = environment.whole_number("FLEET_TASK_TIME_LIMIT_S", 1800)

CELERY_BROKER_URL = REDIS_URL or f"redis+socket://{quote(str(BROKER_SOCKET))}"
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_TRANSPORT_OPTIONS = {
    # A task whose worker was lost is handed out again after this; it must outlast the longest task.
    # Runs do not wait for it: their heartbeat is watched (fleet.planning).
    "visibility_timeout": TASK_TIME_LIMIT_S + 60,
    "unacked_restore_interval": 10,
    "unacked_restore_throttle": 1,
}
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SOFT_TIME_LIMIT = TASK_TIME_LIMIT_S - 30
CELERY_TASK_TIME_LIMIT = TASK_TIME_LIMIT_S
# Two queues, served in turn by every worker: a study of many runs never holds up a reading or a watchdog.
CELERY_TASK_QUEUES = (Queue("celery"), Queue("runs"))
CELERY_TASK_ROUTES = {"planning.run_replay": {"queue": "runs"}}
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_MAX_MEMORY_PER_CHILD = environment.whole_number("FLEET_WORKER_MEMORY_MB", 3000) * 1024
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"
CELERY_BEAT_SCHEDULER = "django_celery_beat.schedulers:DatabaseScheduler"
CELERY_BEAT_SCHEDULE = {
    "reports: keep the pages of ended studies": {"task": "reports.collect", "schedule": 10.0},
    "planning: take up runs of lost workers": {"task": "planning.runs_recover", "schedule": 10.0},
    "planning: remove outcomes that nothing shows": {"task": "planning.outcomes_sweep", "schedule": 3600.0},
    "workloads: take up readings of lost workers": {"task": "workloads.take_up_lost", "schedule": 10.0},
    "workloads: remove uploads left for a day": {"task": "workloads.sweep_uploads", "schedule": 3600.0},
}

LOGGING = logging_settings(json=environment.flag("FLEET_LOG_JSON"))
