"""The way into PostgreSQL: a pool (`pool`), and transactions that belong to a user
(`transactions`)."""

from memory.database.pool import CONNECTION_ERRORS, REFUSALS, plain_reason, refusal
from memory.database.transactions import (
    APPLICATION_ROLE,
    WORKER_ROLE,
    Access,
    Connection,
    Database,
)

__all__ = [
    "APPLICATION_ROLE",
    "CONNECTION_ERRORS",
    "REFUSALS",
    "WORKER_ROLE",
    "Access",
    "Connection",
    "Database",
    "plain_reason",
    "refusal",
]
