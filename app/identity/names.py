"""Users' names as credentials tell them."""

from __future__ import annotations

from pydantic import TypeAdapter, ValidationError

from memory.errors import NotSignedIn
from memory.models import UserId

_USER = TypeAdapter(UserId)


def user_named(told: object) -> str:
    """The name as it is, never mended: two credentials whose names look alike are two users.
    Raises NotSignedIn for what is no text of printable characters, begins or ends with a space, or
    is longer than a name may be."""
    try:
        name = _USER.validate_python(told, strict=True)
    except ValidationError:
        raise NotSignedIn from None
    if name != name.strip():
        raise NotSignedIn
    return name
