"""The settings of backups."""

from __future__ import annotations

from pydantic import SecretStr
from pydantic_settings import BaseSettings


class OperationsSettings(BaseSettings):
    """`backup_database_url` is a login that sees the rows of all users."""

    backup_database_url: SecretStr | None = None
