from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from memory.config import MAX_DIMENSIONS, Settings, default_home, load_settings
from memory.errors import InvalidSettings

SECRET = "hunter2"
Load = Callable[..., Settings]


@pytest.fixture
def load(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Load:
    """Loads from a folder of the test's own, with these variables and this .env and no others."""
    for name in Settings.model_fields:
        monkeypatch.delenv(name.upper(), raising=False)
    monkeypatch.chdir(tmp_path)

    def run(dotenv: str | bytes | None = None, /, **environment: str) -> Settings:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        if dotenv is not None:
            content = dotenv.encode() if isinstance(dotenv, str) else dotenv
            (tmp_path / ".env").write_bytes(content)
        return load_settings()

    return run


def refusal(load: Load, *dotenv: str | bytes, **environment: str) -> str:
    with pytest.raises(InvalidSettings) as caught:
        load(*dotenv, **environment)
    said = str(caught.value)
    assert "\n" not in said
    assert SECRET not in said
    # What a traceback would show of how it came about.
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    return said


def test_the_defaults_are_the_specifications(load: Load) -> None:
    settings = load()
    expected: dict[str, Any] = {
        "token_budget": 1000,
        "min_relevance": 0.3,
        "max_results": 10,
        "memory_queries_per_minute": 10,
        "database_url": None,
        "redis_url": None,
        "openai_api_key": None,
        "openai_base_url": None,
        "embedding_model": None,
        "embedding_dimensions": None,
        "openai_tracing": False,
    }
    assert {name: getattr(settings, name) for name in expected} == expected
    assert settings.keepsake_home == default_home()
    assert not settings.has_model


def test_the_environment_is_read(load: Load) -> None:
    settings = load(
        TOKEN_BUDGET="500", MIN_RELEVANCE="0.5", MAX_RESULTS="3", KEEPSAKE_USER=" Zoë ",
        DATABASE_URL="postgresql://ada:p@h/x", REDIS_URL="rediss://h", OPENAI_API_KEY="k",
    )  # fmt: skip
    assert (settings.token_budget, settings.min_relevance, settings.max_results) == (500, 0.5, 3)
    assert settings.keepsake_user == "Zoë"
    assert settings.database_url == SecretStr("postgresql://ada:p@h/x")
    assert settings.has_model


@pytest.mark.parametrize("name", ["-", " - "])
def test_nobody_is_called_as_nobody_is(load: Load, name: str) -> None:
    """It is the store's name for the worker; `--user` sets the same."""
    assert "KEEPSAKE_USER" in refusal(load, KEEPSAKE_USER=name)
    with pytest.raises(InvalidSettings):
        load_settings(keepsake_user=name)


def test_the_env_file_is_read_and_the_environment_comes_first(load: Load) -> None:
    settings = load(
        '# a comment\nexport TOKEN_BUDGET=700\nMAX_RESULTS="4"\n\nKEEPSAKE_USER=Zoë # her\n',
        MAX_RESULTS="5",
    )
    assert (settings.token_budget, settings.max_results) == (700, 5)
    assert settings.keepsake_user == "Zoë"


def test_a_named_env_file_is_read(tmp_path: Path, load: Load) -> None:
    file = tmp_path / "other.env"
    file.write_text("TOKEN_BUDGET=42\n")
    assert load_settings(_env_file=file).token_budget == 42


def test_an_empty_variable_is_none(load: Load) -> None:
    settings = load("REDIS_URL=\nTOKEN_BUDGET=\n", DATABASE_URL="", OPENAI_API_KEY="")
    assert (settings.database_url, settings.redis_url, settings.openai_api_key) == (None,) * 3
    assert settings.token_budget == 1000


@pytest.mark.parametrize("name", ["KEEPSAKE_TOKEN_BUDGET", "KEEPSAKE_HOMES"])
def test_an_unknown_setting_of_ours_is_named(load: Load, name: str) -> None:
    assert f"{name} is not a setting" in refusal(load, **{name: SECRET})


def test_an_unknown_setting_in_the_file_is_named(load: Load) -> None:
    assert "TOKEN_BUGDET: is not a setting" in refusal(load, f"TOKEN_BUGDET={SECRET}\n")


def test_other_programs_variables_are_theirs(load: Load) -> None:
    assert load(TOKEN_BUGDET="1", PATH=os.environ["PATH"]).token_budget == 1000


def test_what_is_possible_needs_no_more_than_what_is_sure(load: Load) -> None:
    told = refusal(load, HIGH_CONFIDENCE="0.5", POSSIBLE_CONFIDENCE="0.6")
    assert "POSSIBLE_CONFIDENCE is more than HIGH_CONFIDENCE" in told


WRONG_VALUES = [
    ("TOKEN_BUDGET", SECRET),
    ("TOKEN_BUDGET", "0"),
    ("TOKEN_BUDGET", "12.5"),
    ("MIN_RELEVANCE", "1.5"),
    ("MIN_RELEVANCE", "nan"),
    ("MAX_RESULTS", "101"),
    ("MAX_RESULTS", "0"),
    ("OPENAI_TRACING", SECRET),
    ("OPENAI_API", SECRET),
    ("OPENAI_TIMEOUT_SECONDS", "0"),
    ("OPENAI_TIMEOUT_SECONDS", "inf"),
    ("RECALL_TIMEOUT_SECONDS", "-1"),
    ("EMBEDDING_DIMENSIONS", str(MAX_DIMENSIONS + 1)),
    ("EMBEDDING_DIMENSIONS", "0"),
    ("HISTORY_MESSAGES", "1"),
    ("KEEPSAKE_USER", "x" * 256),
    ("KEEPSAKE_USER", f"{SECRET}\nmore"),
    ("KEEPSAKE_USER", "  "),
    ("KEEPSAKE_HOME", f"~{SECRET}/x"),
    ("KEEPSAKE_LOG_LEVEL", SECRET),
    ("DATABASE_URL", f"mysql://ada:{SECRET}@h/x"),
    ("DATABASE_URL", SECRET),
    ("DATABASE_URL", f"postgresql://ada:{SECRET}@[h/x"),
    ("DATABASE_URL", f"postgresql://ada:℀{SECRET}@h/x"),
    ("MIGRATION_DATABASE_URL", f"https://{SECRET}"),
    ("REDIS_URL", f"http://:{SECRET}@h"),
    ("REDIS_URL", f"redis://:{SECRET}℀@h"),
]


def test_a_wrong_value_is_named_and_never_shown(
    load: Load, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = []
    for name, value in WRONG_VALUES:
        told.append((name, value, refusal(load, **{name: value})))
        monkeypatch.delenv(name)
    assert [each for each in told if f"{each[0]}: " not in each[2]] == []


def test_every_fault_is_said_at_once(load: Load) -> None:
    said = refusal(load, TOKEN_BUDGET="x", MAX_RESULTS="y")
    assert "TOKEN_BUDGET: " in said
    assert "; MAX_RESULTS: " in said


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (f"TOKEN_BUDGET=1\nno sign {SECRET}\n", "line 2"),
        (f"'{SECRET}", "line 1"),
        ("OPENAI_API_KEY\n", "line 1"),
        (b"OPENAI_API_KEY=\xff" + SECRET.encode(), "not UTF-8"),
    ],
)
def test_an_unreadable_env_file_is_refused(load: Load, content: str | bytes, reason: str) -> None:
    said = refusal(load, content)
    assert ".env" in said
    assert reason in said


def test_a_folder_called_env_is_no_env_file(load: Load, tmp_path: Path) -> None:
    (tmp_path / ".env").mkdir()
    assert load().token_budget == 1000


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_both_names_of_postgresql(load: Load, scheme: str) -> None:
    assert load(DATABASE_URL=f"{scheme}:///x").database_url is not None


@pytest.mark.parametrize("url", ["redis://h", "rediss://h", "unix:///run/redis.sock"])
def test_every_way_to_redis(load: Load, url: str) -> None:
    assert load(REDIS_URL=url).redis_url == SecretStr(url)


def test_no_secret_is_printed(load: Load) -> None:
    settings = load(
        DATABASE_URL=f"postgresql://a:{SECRET}@h/x",
        REDIS_URL=f"redis://:{SECRET}@h",
        OPENAI_API_KEY=SECRET,
    )
    assert SECRET not in f"{settings!r}{settings}{settings.model_dump_json()}"


def test_the_home_is_absolute(load: Load, tmp_path: Path) -> None:
    assert load(KEEPSAKE_HOME="data").keepsake_home == tmp_path / "data"
    assert load(KEEPSAKE_HOME="~/data").keepsake_home == Path.home() / "data"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS has a place of its own")
def test_a_users_data_lies_in_its_usual_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    root = os.geteuid() == 0
    assert default_home() == (Path("/var/lib/keepsake") if root else tmp_path / "keepsake")


def test_runs_are_tracked_in_the_home_unless_a_server_is_named(load: Load, tmp_path: Path) -> None:
    assert load(KEEPSAKE_HOME=str(tmp_path)).tracking_uri == f"sqlite:///{tmp_path}/mlflow.db"
    assert load(MLFLOW_TRACKING_URI="http://mlflow:5000").tracking_uri == "http://mlflow:5000"


def test_an_owner_of_no_database_is_refused(load: Load) -> None:
    said = refusal(load, MIGRATION_DATABASE_URL=f"postgresql://owner:{SECRET}@db/keepsake")
    assert "MIGRATION_DATABASE_URL is set without DATABASE_URL" in said
