from __future__ import annotations

from dataclasses import dataclass, field

import structlog

from agent.turn.events import TurnEvent
from app.terminal.session import TerminalSession
from memory.store.database import application_name
from tests.agent.turns import read_messages


@dataclass
class Watches:
    """A view that notes under which name the database knows what runs."""

    names: set[str] = field(default_factory=set)

    def show(self, event: TurnEvent) -> None:
        self.names.add(application_name())

    def say(self, line: str) -> None:
        raise AssertionError(line)


async def test_a_turn_is_known_by_one_id_from_the_log_to_the_database(
    turns: TerminalSession,
) -> None:
    view = Watches()
    await turns.take("What is a kayak?", view)
    await turns.keepsake.assistant.aclose()
    messages = await read_messages(turns.keepsake.database, turns.user_id)
    assert len(messages) == 2
    assert view.names == {f"keepsake {each['correlation_id']}" for each in messages}
    assert "correlation_id" not in structlog.contextvars.get_contextvars()
