# Keepsake's own image (target keepsake: server, chat, worker and migration) and MLflow's (target mlflow).

FROM python:3.13.9-slim-trixie AS base
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_ROOT_USER_ACTION=ignore
# A volume that is mounted on /data takes over owner and mode.
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin \
        keepsake \
    && install --directory --owner=keepsake --group=keepsake --mode=0700 /data

FROM base AS mlflow
COPY requirements.lock /tmp/requirements.lock
RUN pip install --only-binary :all: --constraint /tmp/requirements.lock mlflow==3.17.2
ENV MLFLOW_DISABLE_TELEMETRY=true
USER keepsake
WORKDIR /data
EXPOSE 5000
# The server answers only to the names it is called by, which keeps other sites' pages out.
CMD ["mlflow", "server", "--host", "0.0.0.0", "--port", "5000", \
     "--backend-store-uri", "sqlite:////data/mlflow.db", "--artifacts-destination", "/data/artifacts", \
     "--allowed-hosts", "mlflow:5000,localhost:5000,127.0.0.1:5000,localhost:5001,127.0.0.1:5001"]
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:5000/health', timeout=3)"]

FROM base AS keepsake
WORKDIR /keepsake
COPY . .
RUN pip install --only-binary :all: --constraint requirements.lock --editable .
ENV KEEPSAKE_HOME=/data
USER keepsake
EXPOSE 8765
CMD ["python", "-m", "app", "chat"]
HEALTHCHECK --interval=30s --timeout=10s CMD ["python", "-m", "app", "--version"]
