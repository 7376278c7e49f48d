"""What a message means: its segments, each with its kind, as small trained models hear it."""

from memory.understanding.reader import OfflineReader
from memory.understanding.types import (
    ASKING,
    COMMANDS,
    ORDERS,
    STATEMENTS,
    Category,
    CommandMention,
    CommandName,
    Interpretation,
    Kind,
    Lifetime,
    MessageReader,
    MessageText,
    Segment,
    remaining_segments,
    without_left_out,
)

__all__ = [
    "ASKING",
    "COMMANDS",
    "ORDERS",
    "STATEMENTS",
    "Category",
    "CommandMention",
    "CommandName",
    "Interpretation",
    "Kind",
    "Lifetime",
    "MessageReader",
    "MessageText",
    "OfflineReader",
    "Segment",
    "remaining_segments",
    "without_left_out",
]
