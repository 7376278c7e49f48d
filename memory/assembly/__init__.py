"""Puts the memory together: the only place where its parts meet."""

from memory.assembly.embedding import make_embedder, refuse_keyless, wanted_model
from memory.assembly.guarding import make_guards, redis_counted
from memory.assembly.parts import uncached
from memory.assembly.succeeding import make_succession
from memory.assembly.whole import make_everyone, make_memory
from memory.assembly.writing import digest_key

__all__ = [
    "digest_key",
    "make_embedder",
    "make_everyone",
    "make_guards",
    "make_memory",
    "make_succession",
    "redis_counted",
    "refuse_keyless",
    "uncached",
    "wanted_model",
]
