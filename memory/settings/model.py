"""Every setting by its type, its bounds and its default."""

from __future__ import annotations

import getpass
import os
import re
import sys
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator
from pydantic_settings import NoDecode, SettingsConfigDict

from memory.models import (
    BANKS,
    DEFAULT_BANK,
    DEFAULT_SPACE,
    MAX_USER_ID_CHARS,
    BankName,
    Share,
)
from memory.settings.episodes import EpisodeSettings
from memory.settings.error_guard import ErrorGuardSettings
from memory.settings.lifecycle import LifecycleSettings
from memory.settings.operations import OperationsSettings
from memory.settings.retention_rules import read_rules
from memory.settings.signing_in import SignInSettings
from memory.settings.telemetry import TelemetrySettings

LOCAL_MODEL = "all-MiniLM-L6-v2-int8"
LOCAL_DIMENSIONS = 384
# Named here, or the client would read the environment itself.
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_EMBEDDING_MODEL = "text-embedding-3-small"
OPENAI_EMBEDDING_DIMENSIONS = 1536
# Vectors are stored within their row, and a row has to fit on a page of 8 kB.
MAX_DIMENSIONS = 3900
MIN_KEY_CHARS = 32
ENV_FILE = Path(".env")
# As a browser writes it: no path, no wildcard.
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")


Weight = Annotated[float, Field(ge=0, le=10)]


def default_home() -> Path:
    """The data folder where none is named: the platform's own place for a user's data.

    Root gets a folder under /var/lib, since PostgreSQL runs as another user there
    and root's own home is closed to it.
    """
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "keepsake"
    if os.geteuid() == 0:
        return Path("/var/lib/keepsake")
    data = os.environ.get("XDG_DATA_HOME") or str(Path.home() / ".local" / "share")
    return Path(data) / "keepsake"


def _this_person() -> str:
    try:
        return getpass.getuser()[:MAX_USER_ID_CHARS] or "me"
    except (OSError, KeyError):
        return "me"


class Settings(
    OperationsSettings,
    LifecycleSettings,
    ErrorGuardSettings,
    EpisodeSettings,
    TelemetrySettings,
    SignInSettings,
):
    """The settings by their environment names, in capitals; `.env.example` explains each."""

    model_config = SettingsConfigDict(
        env_file=ENV_FILE,
        env_file_encoding="utf-8",
        extra="forbid",
        frozen=True,
        env_ignore_empty=True,
    )

    keepsake_home: Path = Field(default_factory=default_home)
    keepsake_user: Annotated[str, Field(min_length=1, max_length=MAX_USER_ID_CHARS)] = Field(
        default_factory=_this_person
    )
    keepsake_space: Annotated[str, Field(min_length=1, max_length=255)] = DEFAULT_SPACE
    keepsake_log_level: Literal["debug", "info", "warning", "error"] = "info"

    database_url: SecretStr | None = None
    migration_database_url: SecretStr | None = None
    redis_url: SecretStr | None = None

    openai_api_key: SecretStr | None = None
    openai_base_url: str | None = None
    openai_model: str = "gpt-5-mini"
    openai_api: Literal["responses", "chat_completions"] = "responses"
    openai_timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 60.0
    openai_tracing: bool = False

    embedding_model: str | None = None
    embedding_dimensions: Annotated[int, Field(ge=1, le=MAX_DIMENSIONS)] | None = None
    embedding_timeout_seconds: Annotated[float, Field(gt=0, le=60)] = 3.0

    token_budget: Annotated[int, Field(ge=1, le=100_000)] = 1000
    min_relevance: Share = 0.3
    max_results: Annotated[int, Field(ge=1, le=100)] = 10
    memory_queries_per_minute: Annotated[int, Field(ge=0, le=100_000)] = 10
    recall_timeout_seconds: Annotated[float, Field(gt=0, le=60)] = 3.0
    ranking_preset: Literal["relevance", "theoria", "quality", "rfc"] = "relevance"
    relevance_weight: Annotated[float, Field(gt=0, le=10)] | None = None
    recency_weight: Weight | None = None
    importance_weight: Weight | None = None
    recency_curve: Literal["exponential", "half_life", "hourly"] | None = None
    recency_days: Annotated[float, Field(gt=0, le=36_500)] | None = None
    usage_rule: Literal["off", "penalty", "boost"] | None = None
    mmr_lambda: Share = 1.0
    rerank: bool = False
    rerank_skip_above: Share = 0.93
    rerank_timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 10.0
    rrf_k: Annotated[int, Field(ge=1, le=10_000)] = 60
    history_messages: Annotated[int, Field(ge=2, le=200)] = 20

    learn_roles: Annotated[tuple[Literal["user", "assistant"], ...], NoDecode] = ("user",)
    learn_min_chars: Annotated[int, Field(ge=1, le=1000)] = 8
    learn_shortcut: bool = True
    learn_timeout_seconds: Annotated[float, Field(gt=0, le=600)] = 60.0
    memory_banks: Annotated[tuple[BankName, ...], NoDecode, Field(min_length=1)] = BANKS
    default_bank: BankName = DEFAULT_BANK
    memory_cap: Annotated[int, Field(ge=1, le=1_000_000)] = 200
    prune_strategy: Literal["lowest_score", "fifo", "least_relevant", "oldest_accessed"] = (
        "lowest_score"
    )
    prune_batch_size: Annotated[int, Field(ge=1, le=10_000)] = 10
    digest_key: SecretStr | None = None

    serve_host: str = "127.0.0.1"
    serve_port: Annotated[int, Field(ge=0, le=65_535)] = 8765
    resume_seconds: Annotated[float, Field(ge=0, le=3600)] = 15.0
    cors_origins: Annotated[tuple[str, ...], NoDecode] = ()
    api_requests_per_minute: Annotated[int, Field(ge=0, le=1_000_000)] = 600
    chats_per_minute: Annotated[int, Field(ge=0, le=100_000)] = 60
    max_body_bytes: Annotated[int, Field(ge=1_000, le=100_000_000)] = 1_000_000
    drain_seconds: Annotated[float, Field(ge=0, le=600)] = 30.0

    worker_poll_seconds: Annotated[float, Field(gt=0, le=60)] = 5.0

    mlflow_tracking_uri: str | None = None

    @field_validator("keepsake_home")
    @classmethod
    def _absolute(cls, home: Path) -> Path:
        try:
            return home.expanduser().absolute()
        except RuntimeError:
            raise ValueError("names the home of a user who does not exist") from None

    @field_validator("keepsake_user", "keepsake_space")
    @classmethod
    def _one_line(cls, name: str) -> str:
        if not name.isprintable() or not name.strip():
            raise ValueError("must be a name without control characters")
        return name.strip()

    @field_validator("database_url", "migration_database_url", "backup_database_url")
    @classmethod
    def _postgres(cls, url: SecretStr | None) -> SecretStr | None:
        return _of_scheme(url, {"postgres", "postgresql"})

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, url: SecretStr | None) -> SecretStr | None:
        return _of_scheme(url, {"redis", "rediss", "unix"})

    @field_validator("learn_roles", "memory_banks", "cors_origins", mode="before")
    @classmethod
    def _listed(cls, names: object) -> object:
        """Names parted by commas."""
        if not isinstance(names, str):
            return names
        return tuple(name.strip() for name in names.split(",") if name.strip())

    @field_validator("cors_origins")
    @classmethod
    def _origins(cls, origins: tuple[str, ...]) -> tuple[str, ...]:
        for origin in origins:
            if not _ORIGIN.fullmatch(origin):
                raise ValueError("lists origins by scheme and host: https://notes.example.org")
        return origins

    @field_validator("digest_key")
    @classmethod
    def _long_enough(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and len(key.get_secret_value()) < MIN_KEY_CHARS:
            raise ValueError(f"needs at least {MIN_KEY_CHARS} characters: openssl rand -hex 32")
        return key

    @model_validator(mode="after")
    def _bank_is_one(self) -> Self:
        if self.default_bank not in self.memory_banks:
            raise ValueError("DEFAULT_BANK is not one of MEMORY_BANKS")
        return self

    @model_validator(mode="after")
    def _rules_are_of_banks(self) -> Self:
        named = [rule.bank for rule in read_rules(self.retention_rules or "")]
        unknown = sorted({bank for bank in named if bank} - {*self.memory_banks})
        if unknown:
            raise ValueError(
                f"RETENTION_RULES names {', '.join(unknown)}, which MEMORY_BANKS does not: it has "
                f"{', '.join(self.memory_banks)}"
            )
        return self

    @model_validator(mode="after")
    def _owner_of_what(self) -> Self:
        if self.migration_database_url is not None and self.database_url is None:
            raise ValueError("MIGRATION_DATABASE_URL is set without DATABASE_URL; set both")
        return self

    @property
    def tracking_uri(self) -> str:
        """Where MLflow keeps the runs: SQLite in the data folder unless a server is named."""
        return self.mlflow_tracking_uri or f"sqlite:///{self.keepsake_home / 'mlflow.db'}"

    @property
    def has_model(self) -> bool:
        """Whether a model can be called: a key, or a base URL of one's own that needs none."""
        return self.openai_api_key is not None or self.openai_base_url is not None


def _of_scheme(url: SecretStr | None, schemes: set[str]) -> SecretStr | None:
    if url is not None and _scheme(url) not in schemes:
        raise ValueError(f"must begin with one of {', '.join(sorted(schemes))} and ://")
    return url


def _scheme(url: SecretStr) -> str:
    try:
        return urlsplit(url.get_secret_value()).scheme
    except ValueError:
        # Its own words quote the URL, and with it the password.
        raise ValueError("is not a URL") from None
