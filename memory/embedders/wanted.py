"""Which embedding model is used."""

from __future__ import annotations

from memory.errors import InvalidSettings
from memory.models import EmbeddingModel
from memory.settings import (
    LOCAL_DIMENSIONS,
    LOCAL_MODEL,
    OPENAI_EMBEDDING_DIMENSIONS,
    OPENAI_EMBEDDING_MODEL,
    Settings,
)


def wanted_model(settings: Settings, stored: EmbeddingModel | None) -> EmbeddingModel:
    """Which embedding model to use.

    What the settings name; else the one that the database was made for, so that
    adding a key later changes the chat model alone; else, for a new database,
    OpenAI's where there is a key, and the local one where there is none. Raises
    InvalidSettings for a length that the local model does not have.
    """
    name = settings.embedding_model
    length = settings.embedding_dimensions
    if name is None and stored is not None and length in (None, stored.dimensions):
        return stored
    if name is None:
        name = OPENAI_EMBEDDING_MODEL if settings.openai_api_key else LOCAL_MODEL
    usual = LOCAL_DIMENSIONS if name == LOCAL_MODEL else OPENAI_EMBEDDING_DIMENSIONS
    if name == LOCAL_MODEL and length not in (None, usual):
        raise InvalidSettings(
            reason=f"EMBEDDING_DIMENSIONS: {LOCAL_MODEL} has {usual}; leave it out, or name "
            "another model in EMBEDDING_MODEL"
        )
    return EmbeddingModel(name, length or usual)


def refuse_keyless(model: EmbeddingModel, settings: Settings) -> None:
    """Raises InvalidSettings where memories would be sent to a server that nobody named."""
    if model.name != LOCAL_MODEL and not settings.has_model:
        raise InvalidSettings(
            reason=f"the embedding model {model.name} needs OPENAI_API_KEY or OPENAI_BASE_URL; "
            "this database was made for it, so set one of them again, or use another KEEPSAKE_HOME "
            "or DATABASE_URL"
        )
