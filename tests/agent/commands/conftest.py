from __future__ import annotations

import pytest

from agent.models.offline import OfflineModel
from memory.service import MemoryService
from memory.store.database import Database
from tests.agent.chatting import Chat
from tests.agent.turns import Assist


@pytest.fixture
def chat(assist: Assist, memory: MemoryService, database: Database, user_id: str) -> Chat:
    return Chat(assist(OfflineModel()), memory, database, user_id)
