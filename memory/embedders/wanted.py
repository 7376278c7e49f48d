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

REEMBED_HERE = f"python -m app reembed --model {LOCAL_MODEL}"


def wanted_model(settings: Settings, stored: EmbeddingModel | None) -> EmbeddingModel:
    """Which embedding model to use.

    What the settings name; else the one that the database was made for, so that
    adding a key later changes the chat model alone; else, for a database that has
    no vector yet, OpenAI's where there is a key and no other server is named, and
    the local one everywhere else: many servers only chat. Raises InvalidSettings
    for a length that the local model does not have.
    """
    name = settings.embedding_model
    length = settings.embedding_dimensions
    if name is None and stored is not None and length in (None, stored.dimensions):
        return stored
    if name is None:
        at_openai = settings.openai_api_key is not None and settings.openai_base_url is None
        name = OPENAI_EMBEDDING_MODEL if at_openai else LOCAL_MODEL
    usual = LOCAL_DIMENSIONS if name == LOCAL_MODEL else OPENAI_EMBEDDING_DIMENSIONS
    if name == LOCAL_MODEL and length not in (None, usual):
        raise InvalidSettings(
            reason=f"EMBEDDING_DIMENSIONS: {LOCAL_MODEL} has {usual}; leave it out, or name "
            "another model in EMBEDDING_MODEL"
        )
    return EmbeddingModel(name, length or usual)


def can_be_asked(model: EmbeddingModel, settings: Settings) -> bool:
    """Whether it is on this machine, or at a server that the settings name."""
    return model.name == LOCAL_MODEL or settings.has_model


def refuse_keyless(model: EmbeddingModel, settings: Settings) -> None:
    """Raises InvalidSettings where memories would be sent to a server that nobody named."""
    if can_be_asked(model, settings):
        return
    if model.name == settings.embedding_model:
        raise InvalidSettings(
            reason=f"EMBEDDING_MODEL names {model.name}, which needs OPENAI_API_KEY or "
            "OPENAI_BASE_URL: set one of them, or take EMBEDDING_MODEL out"
        )
    raise InvalidSettings(
        reason=f"the embedding model {model.name}, which this database was made for, needs "
        "OPENAI_API_KEY or OPENAI_BASE_URL. Set one of them again; or, to have all vectors made "
        f"anew on this machine, which loses nothing, run: {REEMBED_HERE}"
    )
