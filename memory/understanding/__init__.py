"""What a message means: its segments, each with its kind, as small trained models hear it."""

from memory.understanding.offline import OfflineReader
from memory.understanding.reading import (
    ASKING,
    COMMANDS,
    STATEMENTS,
    Category,
    CommandName,
    Kind,
    Lifetime,
    Message,
    Order,
    Reader,
    Reading,
    Segment,
    beside,
)

__all__ = [
    "ASKING",
    "COMMANDS",
    "STATEMENTS",
    "Category",
    "CommandName",
    "Kind",
    "Lifetime",
    "Message",
    "OfflineReader",
    "Order",
    "Reader",
    "Reading",
    "Segment",
    "beside",
]
