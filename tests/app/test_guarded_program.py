"""The whole program with a model whose server is away."""

from __future__ import annotations

import socket
from collections.abc import AsyncIterator, Iterator
from uuid import UUID

import pytest
from pydantic import SecretStr

from app.bootstrap import Keepsake, open_keepsake
from memory.config import LOCAL_MODEL, Settings
from memory.local_services.services import ServiceAddresses
from tests.agent.turns import read_exchange, take_turn


@pytest.fixture
def nobody() -> Iterator[str]:
    """An address of this machine at which nobody listens, as long as the test goes on."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{bound.getsockname()[1]}/v1"


@pytest.fixture
async def keepsake(
    own_database_url: str, services: ServiceAddresses, settings: Settings, nobody: str, user_id: str
) -> AsyncIterator[Keepsake]:
    addressed = settings.model_copy(
        update={
            "database_url": SecretStr(own_database_url),
            "redis_url": SecretStr(services.redis_url),
            "openai_base_url": nobody,
            "openai_api_key": SecretStr(f"sk-{user_id}"),
            "embedding_model": LOCAL_MODEL,
        }
    )
    async with open_keepsake(addressed, lambda _: None) as opened:
        yield opened


async def test_after_a_few_failures_the_answer_comes_at_once_and_says_when_to_try(
    keepsake: Keepsake, user_id: str, conversation: UUID
) -> None:
    """What is said meanwhile is stored, and learned from by the rules."""
    assistant = keepsake.assistant
    errors = []
    for text in ("Hello?", "Are you there?", "My sister Maria lives in Oslo."):
        told = await take_turn(assistant, user_id, conversation, text)
        errors.append(str(told.error))
    assert "cannot be reached" in errors[0]
    assert "is tried again in" in errors[2]
    said = [content for role, content, _ in await read_exchange(keepsake.database, user_id)]
    assert "My sister Maria lives in Oslo." in said
    await assistant.noticed(user_id, conversation, keepsake.settings.keepsake_space)
    kept = await keepsake.memory.list_recent(user_id)
    assert [item.content for item in kept] == ["My sister Maria lives in Oslo"]
