"""Every setting by its type, its bounds and its default."""

from __future__ import annotations

import getpass
import os
import re
import sys
from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from croniter import CroniterError, croniter
from pydantic import (
    AfterValidator,
    Field,
    IPvAnyNetwork,
    SecretStr,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from memory.config.prices import Price, parse_prices
from memory.config.retention_rules import MAX_DAYS, parse_retention_rules
from memory.types import (
    BANKS,
    DEFAULT_BANK,
    DEFAULT_SPACE,
    MAX_USER_ID_CHARS,
    BankName,
    UnitInterval,
    refuse_no_user,
)

LOCAL_MODEL = "keepsake-e5-small-1"
LOCAL_DIMENSIONS = 384
# What earlier versions brought along: nothing can make its vectors any more.
RETIRED_MODELS = frozenset({"all-MiniLM-L6-v2-int8"})
# Named here, or the client would read the environment itself.
OPENAI_URL = "https://api.openai.com/v1"
OPENAI_EMBEDDING_MODEL = "text-embedding-3-small"
OPENAI_EMBEDDING_DIMENSIONS = 1536
# Vectors are stored within their row, and a row has to fit on a page of 8 kB.
MAX_DIMENSIONS = 3900
MIN_KEY_BYTES = 32
ENV_FILE = Path(".env")
# As a browser writes it: no path, no wildcard.
_ORIGIN = re.compile(r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:]+\])(?::[0-9]{1,5})?")
Weight = Annotated[float, Field(ge=0, le=10)]
LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
# Of public keys alone: with one of these a key that everybody may know signs nothing.
JwtAlgorithm = Literal[
    "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"
]
# The last part has a letter: one of digits alone is an address that is wrong.
_HOST_NAME = re.compile(r"(?=.{1,253}$)([\w-]{1,63}\.)*(?=[^.]*[a-zA-Z])[\w-]{1,63}", re.ASCII)
NEVER = "never"
_CRON_FIELDS = 5
_CRON_FIELD = re.compile(r"[0-9*/,-]+")


def _as_cron(text: str) -> str:
    fields = text.split()
    if fields == [NEVER]:
        return NEVER
    if len(fields) != _CRON_FIELDS or not all(map(_CRON_FIELD.fullmatch, fields)):
        raise ValueError("must be the five fields of a cron line, as in 0 3 * * *, or never")
    cron = " ".join(fields)
    try:
        croniter(cron).get_next()
    except CroniterError as error:
        raise ValueError("names no moment that ever comes; say for instance 0 3 * * *") from error
    return cron


Days = Annotated[int, Field(ge=1, le=MAX_DAYS)]
Cron = Annotated[str, AfterValidator(_as_cron)]


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


class Settings(BaseSettings):
    """The settings by their environment names, in capitals; `.env.example` explains each, and
    docs/lifecycle.md 004's names."""

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
    # A login that sees the rows of all users.
    backup_database_url: SecretStr | None = None
    redis_url: SecretStr | None = None
    redis_dedicated: bool = False

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
    min_relevance: UnitInterval = 0.3
    high_confidence: UnitInterval = 0.8
    possible_confidence: UnitInterval = 0.1
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
    mmr_lambda: UnitInterval = 1.0
    rerank: bool = False
    rerank_skip_above: UnitInterval = 0.93
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

    roll_up: bool = True
    roll_up_schedule: Cron = "0 2 * * *"
    roll_up_min_age_days: Days = 7
    roll_up_strategy: Literal["embeddings", "tags", "hybrid"] = "hybrid"
    roll_up_similarity: UnitInterval = 0.7
    roll_up_found: UnitInterval = 0.6
    roll_up_min_size: Annotated[int, Field(ge=2, le=50)] = 3
    roll_up_max_size: Annotated[int, Field(ge=2, le=50)] = 8
    roll_ups_a_night: Annotated[int, Field(ge=1, le=10_000)] = 50

    retention_days: Days = 180
    retention_undo_days: Days = 30
    retention_rules: str | None = None
    retention_schedule: Cron = "30 3 * * *"

    cleanup_min_chars: Annotated[int, Field(ge=0, le=1000)] = 8

    vector_age_days: Days = 30
    replaced_vector_age_days: Days = 365
    prune_schedule: Cron = "0 3 * * *"
    keyword_level: Literal["memory", "roll-up"] = "memory"
    keyword_age_days: Days = 30
    rebuild_schedule: Cron = "0 4 * * 0"

    cap_schedule: Cron = "30 2 * * *"
    audit_days: Annotated[int, Field(ge=30, le=MAX_DAYS)] = 365
    tombstone_days: Days = 365
    expiry_schedule: Cron = "0 5 * * *"

    usage_half_life_days: Annotated[float, Field(gt=0, le=MAX_DAYS)] | None = None
    importance_half_life_days: Annotated[float, Field(gt=0, le=MAX_DAYS)] | None = None

    # 004, tier 2.
    episodes_enabled: bool = False
    episode_midpoint: UnitInterval = 0.65
    episode_value_threshold: UnitInterval = 0.18
    episode_cap: Annotated[int, Field(ge=1, le=100_000)] = 1000

    # 003, phase 6.
    error_guard: bool = True
    error_guard_threshold: Annotated[int, Field(ge=1, le=1000)] = 5
    error_guard_window_seconds: Annotated[float, Field(gt=0, le=86_400)] = 600.0
    error_guard_cooldown_seconds: Annotated[float, Field(gt=0, le=86_400)] = 300.0

    metrics_host: str = "127.0.0.1"
    serve_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    worker_metrics_port: Annotated[int, Field(ge=0, le=65_535)] = 0
    model_prices: str = "gpt-5-mini=0.25/2,text-embedding-3-small=0.02"
    otel_exporter_otlp_endpoint: str | None = None
    mlflow_tracing: bool = False
    mlflow_tracking_uri: str | None = None

    auth_mode: Literal["local", "token", "jwt", "proxy"] = "local"

    jwt_issuer: str | None = None
    jwt_audience: str | None = None
    jwt_jwks_url: str | None = None
    jwt_jwks_file: Path | None = None
    jwt_secret: SecretStr | None = None
    jwt_algorithms: Annotated[tuple[JwtAlgorithm, ...], NoDecode, Field(min_length=1)] = (
        "RS256",
        "ES256",
    )
    jwt_user_claim: Annotated[str, Field(pattern=r"^[\x21-\x7e]{1,100}$")] = "sub"

    proxy_addresses: Annotated[tuple[IPvAnyNetwork, ...] | None, NoDecode, Field(min_length=1)] = (
        None
    )
    proxy_user_header: Annotated[str, Field(pattern=r"^[A-Za-z0-9-]{1,100}$")] = "X-Forwarded-User"

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

    @field_validator("keepsake_user")
    @classmethod
    def _somebody(cls, name: str) -> str:
        return refuse_no_user(name)

    @field_validator("database_url", "migration_database_url", "backup_database_url")
    @classmethod
    def _postgres(cls, url: SecretStr | None) -> SecretStr | None:
        return _of_scheme(url, {"postgres", "postgresql"})

    @field_validator("redis_url")
    @classmethod
    def _redis(cls, url: SecretStr | None) -> SecretStr | None:
        return _of_scheme(url, {"redis", "rediss", "unix"})

    @field_validator(
        "learn_roles",
        "memory_banks",
        "cors_origins",
        "jwt_algorithms",
        "proxy_addresses",
        mode="before",
    )
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

    @field_validator("digest_key", "jwt_secret")
    @classmethod
    def _long_enough(cls, key: SecretStr | None) -> SecretStr | None:
        if key is not None and len(key.get_secret_value().encode()) < MIN_KEY_BYTES:
            raise ValueError(f"needs at least {MIN_KEY_BYTES} bytes: openssl rand -hex 32")
        return key

    @field_validator("retention_rules")
    @classmethod
    def _rules(cls, text: str | None) -> str | None:
        parse_retention_rules(text or "")
        return text

    @field_validator("metrics_host")
    @classmethod
    def _is_an_address(cls, host: str) -> str:
        if not _is_ip_address(host) and _HOST_NAME.fullmatch(host) is None:
            raise ValueError(
                "must be an address of this machine without a port: 127.0.0.1 for this machine "
                "alone, 0.0.0.0 for everybody who reaches it"
            )
        return host

    @field_validator("model_prices")
    @classmethod
    def _readable(cls, text: str) -> str:
        parse_prices(text)
        return text

    @field_validator("otel_exporter_otlp_endpoint")
    @classmethod
    def _is_a_url(cls, url: str | None) -> str | None:
        if url is not None and urlsplit(url).scheme not in {"http", "https"}:
            raise ValueError("must begin with http:// or https://")
        return url

    @field_validator("jwt_jwks_url")
    @classmethod
    def _fetched_safely(cls, url: str | None) -> str | None:
        if url is not None and not _is_safe(url):
            raise ValueError(
                "must begin with https:// (http:// is for this machine's own address; another "
                "way without https is to save the keys and name the file in JWT_JWKS_FILE)"
            )
        return url

    @field_validator("proxy_addresses")
    @classmethod
    def _not_everybody(
        cls, addresses: tuple[IPvAnyNetwork, ...] | None
    ) -> tuple[IPvAnyNetwork, ...] | None:
        if any(network.prefixlen == 0 for network in addresses or ()):
            raise ValueError("must not hold every address: whoever connects could name any user")
        return addresses

    @model_validator(mode="after")
    def _confidences_in_order(self) -> Self:
        if self.possible_confidence > self.high_confidence:
            raise ValueError("POSSIBLE_CONFIDENCE is more than HIGH_CONFIDENCE")
        return self

    @model_validator(mode="after")
    def _bank_is_one(self) -> Self:
        if self.default_bank not in self.memory_banks:
            raise ValueError("DEFAULT_BANK is not one of MEMORY_BANKS")
        return self

    @model_validator(mode="after")
    def _rules_are_of_banks(self) -> Self:
        named = [rule.bank for rule in parse_retention_rules(self.retention_rules or "")]
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

    @model_validator(mode="after")
    def _sizes_in_order(self) -> Self:
        if self.roll_up_min_size > self.roll_up_max_size:
            raise ValueError("ROLL_UP_MIN_SIZE is more than ROLL_UP_MAX_SIZE")
        return self

    @model_validator(mode="after")
    def _mode_has_what_it_needs(self) -> Self:
        if self.auth_mode == "proxy" and self.proxy_addresses is None:
            raise ValueError(
                "AUTH_MODE=proxy needs PROXY_ADDRESSES, the addresses that the proxy connects from"
            )
        if self.auth_mode == "jwt":
            self._refuse_half_of_jwt()
        return self

    def _refuse_half_of_jwt(self) -> None:
        needed = {"JWT_ISSUER": self.jwt_issuer, "JWT_AUDIENCE": self.jwt_audience}
        missing = [name for name, value in needed.items() if not value]
        if missing:
            raise ValueError(f"AUTH_MODE=jwt needs {' and '.join(missing)}")
        sources = (self.jwt_jwks_url, self.jwt_jwks_file, self.jwt_secret)
        if sum(source is not None for source in sources) != 1:
            raise ValueError(
                "AUTH_MODE=jwt needs one of JWT_JWKS_URL, JWT_JWKS_FILE and JWT_SECRET, and no two"
            )

    @property
    def tracking_uri(self) -> str:
        """Where MLflow keeps the runs: SQLite in the data folder unless a server is named."""
        return self.mlflow_tracking_uri or f"sqlite:///{self.keepsake_home / 'mlflow.db'}"

    @property
    def has_dedicated_redis(self) -> bool:
        """Whether Redis holds nothing but Keepsake's: the embedded one, or one that is said to."""
        return self.redis_url is None or self.redis_dedicated

    @property
    def has_model(self) -> bool:
        """Whether a model can be called: a key, or a base URL of one's own that needs none."""
        return self.openai_api_key is not None or self.openai_base_url is not None

    @property
    def prices(self) -> Mapping[str, Price]:
        """By the name of the model, in dollars for a million tokens."""
        return parse_prices(self.model_prices)


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


def _is_safe(url: str) -> bool:
    try:
        parts = urlsplit(url)
        host = parts.hostname
    except ValueError:
        return False
    if parts.username is not None or not host:
        return False
    return parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK_NAMES)


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
