"""What a message means: its segments, each with its kind, as small trained models hear it."""

from memory.understanding.offline import OfflineReader
from memory.understanding.reading import (
    ASKING,
    STATEMENTS,
    Category,
    Kind,
    Lifetime,
    Message,
    Reader,
    Reading,
    Segment,
    beside,
)

__all__ = [
    "ASKING",
    "STATEMENTS",
    "Category",
    "Kind",
    "Lifetime",
    "Message",
    "OfflineReader",
    "Reader",
    "Reading",
    "Segment",
    "beside",
]
