"""docker-compose.yml against the program it starts. No engine is needed: it is read as a file."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml

from app.api.server import LAST_BYTES_SECONDS
from app.api.turns import CLOSE_SECONDS
from memory.config import Settings

PROJECT = Path(__file__).parents[1]
COMPOSE: dict[str, Any] = yaml.safe_load((PROJECT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = ("migrate", "app", "operations", "serve", "worker")
FIELDS = {name.upper() for name in Settings.model_fields}


def test_has_the_parts_of_specification_001_and_what_looks_at_them() -> None:
    assert set(SERVICES) == {"postgres", "valkey", "mlflow", "prometheus", "grafana", *OURS}


def test_every_service_has_a_health_check() -> None:
    for name, service in SERVICES.items():
        assert service["healthcheck"]["test"][0] in ("CMD", "CMD-SHELL"), name


def test_every_service_is_hardened() -> None:
    for name, service in SERVICES.items():
        assert service["read_only"] is True, name
        assert service["cap_drop"] == ["ALL"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name


def test_environment_names_settings() -> None:
    """A variable that is no setting would be passed for nothing, or refused at the start."""
    passed = {(name, key) for name in OURS for key in SERVICES[name]["environment"]}
    assert {(name, key) for name, key in passed if key not in FIELDS} == set()


def test_every_setting_reaches_a_container() -> None:
    passed = {key for name in OURS for key in SERVICES[name]["environment"]}
    assert passed == FIELDS


def test_only_what_runs_once_holds_the_owners_login() -> None:
    holders = [name for name in OURS if "keepsake_migrate" in str(SERVICES[name]["environment"])]
    assert holders == ["migrate", "operations"]
    assert "keepsake_chat:" in SERVICES["app"]["environment"]["DATABASE_URL"]
    assert "keepsake_chat:" in SERVICES["serve"]["environment"]["DATABASE_URL"]
    assert "keepsake_work:" in SERVICES["worker"]["environment"]["DATABASE_URL"]


def test_no_secret_has_a_default() -> None:
    """Each value that holds a secret is asked for, and compose refuses to start without it."""
    asked = re.compile(r"\$\{[A-Z]+_PASSWORD:\?[^}]+\}")
    for service in SERVICES.values():
        for key, value in service.get("environment", {}).items():
            text = "" if value is None else str(value)
            if key.endswith("_PASSWORD"):
                assert asked.fullmatch(text), key
            elif "@" in text:
                assert asked.search(text), key
            elif key == "DIGEST_KEY":
                assert text == "${DIGEST_KEY:?is missing, see README.md}"
            elif "KEY" in key:
                assert text == "", key


def test_publishes_nothing_but_to_this_machine() -> None:
    ports = [port for service in SERVICES.values() for port in service.get("ports", [])]
    assert ports
    assert all(port.startswith("127.0.0.1:") for port in ports)


def test_the_server_asks_for_a_key_and_is_checked_without_one() -> None:
    """The port that is published, listened at and asked for its health is one."""
    serve = SERVICES["serve"]
    assert serve["environment"]["AUTH_MODE"] == "${AUTH_MODE:-token}"
    port = serve["environment"]["SERVE_PORT"]
    assert serve["ports"] == [f"127.0.0.1:{port}:{port}"]
    assert f"127.0.0.1:{port}/healthz" in serve["healthcheck"]["test"][-1]
    assert f"EXPOSE {port}" in (PROJECT / "Dockerfile").read_text()


def test_the_server_leaves_the_work_behind_to_the_worker() -> None:
    """Its login could not do it."""
    assert "--no-worker" in SERVICES["serve"]["command"]


def test_a_server_that_is_stopped_has_the_time_it_takes() -> None:
    grace = int(SERVICES["serve"]["stop_grace_period"].removesuffix("s"))
    drain = Settings.model_fields["drain_seconds"].default
    assert grace >= drain + CLOSE_SECONDS + LAST_BYTES_SECONDS


def test_prometheus_asks_where_metrics_are_told() -> None:
    config = yaml.safe_load((PROJECT / "docker" / "prometheus" / "prometheus.yml").read_text())
    asked = {each["static_configs"][0]["targets"][0] for each in config["scrape_configs"]}
    told = {
        f"{name}:{SERVICES[name]['environment'][f'{name.upper()}_METRICS_PORT']}"
        for name in ("serve", "worker")
    }
    assert asked == told
    for name in ("serve", "worker"):
        assert SERVICES[name]["environment"]["METRICS_HOST"] == "0.0.0.0"
        port = SERVICES[name]["environment"][f"{name.upper()}_METRICS_PORT"]
        assert not any(port in published for published in SERVICES[name].get("ports", []))


def test_what_is_mounted_is_there() -> None:
    named = ("prometheus", "grafana")
    volumes = [volume for name in named for volume in SERVICES[name]["volumes"]]
    sources = [PROJECT / volume.partition(":")[0] for volume in volumes if volume.startswith(".")]
    assert sources
    assert [source for source in sources if not source.exists()] == []


def test_nobody_can_sign_in_to_grafana_or_change_it() -> None:
    grafana = SERVICES["grafana"]["environment"]
    assert grafana["GF_AUTH_DISABLE_LOGIN_FORM"] == "true"
    assert grafana["GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION"] == "true"
    assert "GF_AUTH_ANONYMOUS_ORG_ROLE" not in grafana  # a viewer


def test_databases_have_no_way_out() -> None:
    assert COMPOSE["networks"]["data"]["internal"] is True
    assert SERVICES["postgres"]["networks"] == SERVICES["valkey"]["networks"] == ["data"]


def test_images_are_pinned() -> None:
    images = [service["image"] for service in SERVICES.values()]
    bases = re.findall(r"^FROM (\S+:\S+) ", (PROJECT / "Dockerfile").read_text(), re.MULTILINE)
    assert bases
    assert all(re.search(r":v?\d+\.\d+\.\d+", image) for image in images + bases)


def test_mlflow_server_is_of_the_clients_version() -> None:
    lock = (PROJECT / "requirements.lock").read_text()
    [version] = re.findall(r"^mlflow-skinny==(\S+)$", lock, re.MULTILINE)
    assert f"mlflow=={version}" in (PROJECT / "Dockerfile").read_text()
    assert SERVICES["mlflow"]["image"].endswith(f":{version}")
