from __future__ import annotations

from uuid import uuid4

import pytest

from app.api.turns import ConversationLocks
from memory.errors import TurnUnderWay


def test_nothing_begins_until_the_last_has_left() -> None:
    shut, chat = ConversationLocks(), uuid4()
    with shut.shut("ada", chat):
        with shut.shut("ada", chat):
            pass
        with pytest.raises(TurnUnderWay):
            shut.refuse("ada", chat)
        shut.refuse("ada", uuid4())
        shut.refuse("bob", chat)
    shut.refuse("ada", chat)
