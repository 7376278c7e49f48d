"""The settings of what happens to memories after they were kept."""

from __future__ import annotations

import re
from typing import Annotated, Literal, Self

from croniter import CroniterError, croniter
from pydantic import AfterValidator, Field, field_validator, model_validator
from pydantic_settings import BaseSettings

from memory.models import Share
from memory.settings.retention_rules import MOST_DAYS, read_rules

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


Days = Annotated[int, Field(ge=1, le=MOST_DAYS)]
Cron = Annotated[str, AfterValidator(_as_cron)]


class LifecycleSettings(BaseSettings):
    """See `.env.example` for each, and docs/lifecycle.md for 004's names."""

    roll_up: bool = True
    roll_up_schedule: Cron = "0 2 * * *"
    roll_up_min_age_days: Days = 7
    roll_up_strategy: Literal["embeddings", "tags", "hybrid"] = "hybrid"
    roll_up_similarity: Share = 0.7
    roll_up_found: Share = 0.6
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
    audit_days: Annotated[int, Field(ge=30, le=MOST_DAYS)] = 365
    tombstone_days: Days = 365
    expiry_schedule: Cron = "0 5 * * *"

    usage_half_life_days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = None
    importance_half_life_days: Annotated[float, Field(gt=0, le=MOST_DAYS)] | None = None

    @field_validator("retention_rules")
    @classmethod
    def _rules(cls, text: str | None) -> str | None:
        read_rules(text or "")
        return text

    @model_validator(mode="after")
    def _sizes_in_order(self) -> Self:
        if self.roll_up_min_size > self.roll_up_max_size:
            raise ValueError("ROLL_UP_MIN_SIZE is more than ROLL_UP_MAX_SIZE")
        return self
