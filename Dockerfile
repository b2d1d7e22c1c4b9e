FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 PIP_NO_CACHE_DIR=1 \
    FLEET_VAR_DIR=/data TWIN_CACHE_DIR=/data/engine FLEET_LOG_JSON=1

WORKDIR /app
COPY requirements.lock ./
RUN pip install --require-hashes --requirement requirements.lock
COPY manage.py ./
COPY twin twin
COPY fleet fleet
COPY templates templates
COPY frontend frontend

RUN useradd --system --uid 10001 fleet && install -d -o fleet -g fleet -m 0750 /data
USER fleet
VOLUME /data
EXPOSE 8000
CMD ["python", "-m", "gunicorn", "fleet.wsgi", "--bind", "0.0.0.0:8000", "--worker-class", "gthread", \
     "--workers", "1", "--threads", "16", "--timeout", "120", "--no-control-socket"]
