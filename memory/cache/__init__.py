"""Everything Keepsake keeps in Redis, none of which it needs: each part degrades by itself."""

from memory.cache.connection import Cache, NoCache
from memory.cache.embeddings import EmbeddingCache
from memory.cache.rate_limit import RateLimiter
from memory.cache.session import CachedMessage, SessionCache, SessionState

__all__ = [
    "Cache",
    "CachedMessage",
    "EmbeddingCache",
    "NoCache",
    "RateLimiter",
    "SessionCache",
    "SessionState",
]
