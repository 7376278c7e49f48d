"""Puts the memory together: the only place where its parts meet."""

from memory.assembly.embedding import make_embedder, refuse_keyless, wanted_model
from memory.assembly.whole import make_everyone, make_memory
from memory.assembly.writing import digest_key

__all__ = [
    "digest_key",
    "make_embedder",
    "make_everyone",
    "make_memory",
    "refuse_keyless",
    "wanted_model",
]
