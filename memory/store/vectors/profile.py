"""For which embedding model the database was made, as a running program reads it."""

from __future__ import annotations

from memory.database import Database
from memory.models import EmbeddingModel, EmbeddingProfile
from memory.store.queries import load_queries

_SQL = load_queries("vectors/profile")
_NOBODY = "-"


async def read_embedding_profile(database: Database) -> EmbeddingProfile:
    """Raises DatabaseUnavailable and SchemaOutdated."""
    async with database.as_user(_NOBODY) as connection:
        row = await connection.fetchrow(_SQL["read"])
    assert row is not None
    following = row["next_model"]
    return EmbeddingProfile(
        EmbeddingModel(row["model"], row["dimensions"]),
        EmbeddingModel(following, row["next_dimensions"]) if following else None,
    )
