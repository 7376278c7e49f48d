"""The settings of the episodes (004, tier 2)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field
from pydantic_settings import BaseSettings

from memory.models import Share


class EpisodeSettings(BaseSettings):
    """See `.env.example` for each."""

    episodes_enabled: bool = False
    episode_midpoint: Share = 0.65
    episode_value_threshold: Share = 0.18
    episode_cap: Annotated[int, Field(ge=1, le=100_000)] = 1000
