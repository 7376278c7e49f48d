"""What was said, as it may be stored. Pure functions."""

from __future__ import annotations

from memory.errors import MessageRefused
from memory.models import MAX_MESSAGE_CHARS
from memory.text import storable


def clean_message(text: str) -> str:
    """What was said, in a form that every store and model takes.

    See `memory.text.storable`. Raises MessageRefused where nothing is left or it is longer than
    MAX_MESSAGE_CHARS, in which case nothing is stored.
    """
    _refuse_too_long(text)
    text = storable(text)
    _refuse_too_long(text)  # composed characters can come apart into several
    if not any(character.isprintable() and not character.isspace() for character in text):
        raise MessageRefused(reason="there is nothing in it to read.")
    return text


def _refuse_too_long(text: str) -> None:
    if len(text) > MAX_MESSAGE_CHARS:
        raise MessageRefused(
            reason=f"it is {len(text):,} characters long and the most is {MAX_MESSAGE_CHARS:,}. "
            "Send it in parts."
        )
