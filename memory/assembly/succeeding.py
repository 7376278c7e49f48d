"""Following the database from one embedding model to the next, put together."""

from __future__ import annotations

from functools import partial

from memory.database import Database
from memory.embedders.protocol import Embedder
from memory.embedders.succession import OpenModel, Succession
from memory.embedders.wanted import refuse_keyless
from memory.models import EmbeddingModel
from memory.settings import Settings
from memory.store.vectors.profile import read_embedding_profile


def make_succession(
    first: EmbeddingModel, open_model: OpenModel, database: Database, settings: Settings
) -> Succession:
    """Begins with the embedder of `first`; what the settings do not suffice for is not opened."""

    def open_usable(model: EmbeddingModel) -> Embedder:
        refuse_keyless(model, settings)
        return open_model(model)

    return Succession(open_model(first), open_usable, partial(read_embedding_profile, database))
