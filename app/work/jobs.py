"""All kinds of work. Who adds one writes it beside this file and adds a line."""

from __future__ import annotations

from app.work.job import Job

JOBS: tuple[Job, ...] = ()
