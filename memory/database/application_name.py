"""The name under which the database server shows and logs what Keepsake does."""

from __future__ import annotations

import structlog

PROGRAM = "keepsake"


def application_name() -> str:
    """“keepsake”, and the correlation id of the request or turn, or else the job, as every line
    of Keepsake's own log has it. PostgreSQL cuts it at 63 bytes; an id has 36."""
    known = structlog.contextvars.get_contextvars()
    if correlation_id := known.get("correlation_id"):
        return f"{PROGRAM} {correlation_id}"
    if job := known.get("job"):
        return f"{PROGRAM} {job} {known.get('job_id', '')}"
    return PROGRAM
