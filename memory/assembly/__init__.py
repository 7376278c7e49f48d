"""Puts the memory together: the only place where its parts meet."""

from memory.assembly.embedding import make_embedder
from memory.assembly.guarding import make_guards, redis_counted
from memory.assembly.parts import uncached
from memory.assembly.succeeding import make_succession
from memory.assembly.whole import make_everyone, make_memory

__all__ = [
    "make_embedder",
    "make_everyone",
    "make_guards",
    "make_memory",
    "make_succession",
    "redis_counted",
    "uncached",
]
