from __future__ import annotations

import pytest

from agent.models.offline_model import OfflineModel
from memory.database import Database
from memory.service import Memory
from tests.agent.chatting import Chat
from tests.agent.turns import Assist


@pytest.fixture
def chat(assist: Assist, memory: Memory, database: Database, user_id: str) -> Chat:
    return Chat(assist(OfflineModel()), memory, database, user_id)
