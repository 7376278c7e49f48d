"""How a turn begins: as private as its conversation was made, whichever process that was in."""

from __future__ import annotations

from uuid import UUID

import pytest

from agent.models.offline import OfflineModel
from memory.service import MemoryService
from memory.types import Origin, Privacy
from tests.agent.turns import Assist, take_turn


@pytest.mark.parametrize("privacy", ["incognito", "incognito_read_only"])
async def test_a_stored_conversation_goes_on_as_private_as_it_was_made(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID, privacy: Privacy
) -> None:
    await take_turn(assist(OfflineModel()), user_id, conversation, "I like rye bread.")
    await memory.privacy_marks.mark(user_id, conversation, privacy)

    told = await take_turn(assist(OfflineModel()), user_id, conversation, "I like secret bread.")

    assert told.closed.privacy == privacy
    said = await memory.conversations.read_recent(user_id, conversation, 9)
    assert "I like secret bread." not in [each.content for each in said]


async def test_one_that_was_made_private_is_not_less_so_by_the_spaces_setting(
    assist: Assist, memory: MemoryService, user_id: str, conversation: UUID
) -> None:
    await take_turn(assist(OfflineModel()), user_id, conversation, "I like rye bread.")
    await memory.modes.change(user_id, "default", Origin(), incognito_default=True)
    await memory.privacy_marks.mark(user_id, conversation, "incognito_read_only")

    told = await assist(OfflineModel()).privacy(user_id, conversation, "default")

    assert told == "incognito_read_only"
