"""The settings of the error guard (003, phase 6)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings


class ErrorGuardSettings(BaseSettings):
    """See `.env.example` for each."""

    error_guard: bool = True
    error_guard_threshold: Annotated[int, Field(ge=1, le=1000)] = 5
    error_guard_window_seconds: Annotated[float, Field(gt=0, le=86_400)] = 600.0
    error_guard_cooldown_seconds: Annotated[float, Field(gt=0, le=86_400)] = 300.0
