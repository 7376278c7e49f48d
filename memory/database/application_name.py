"""The name under which the database server shows and logs what Keepsake does."""

from __future__ import annotations

import structlog

PROGRAM = "keepsake"


def application_name() -> str:
    """“keepsake”, and the correlation id of the request, turn or job where there is one, as every
    line of Keepsake's own log has it. PostgreSQL cuts it at 63 bytes; an id has 36."""
    correlation_id = structlog.contextvars.get_contextvars().get("correlation_id")
    return f"{PROGRAM} {correlation_id}" if correlation_id else PROGRAM
