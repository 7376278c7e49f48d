"""The settings of a process: what they are (`settings`), and where they are read
(`environment`)."""

from memory.config.environment import load_settings
from memory.config.settings import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    MAX_DIMENSIONS,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    OPENAI_URL,
    RETIRED_MODELS,
    Settings,
    default_home,
)

__all__ = [
    "LOCAL_DIMENSIONS",
    "LOCAL_MODEL",
    "MAX_DIMENSIONS",
    "OPENAI_EMBEDDING_DIMENSIONS",
    "OPENAI_EMBEDDING_MODEL",
    "OPENAI_URL",
    "RETIRED_MODELS",
    "Settings",
    "default_home",
    "load_settings",
]
