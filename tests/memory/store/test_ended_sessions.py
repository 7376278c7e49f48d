from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from memory.store.credentials import EndedSessionStore
from memory.store.database import Database


@pytest.fixture
def ended(database: Database) -> EndedSessionStore:
    return EndedSessionStore(database)


async def test_what_was_ended_stays_so(ended: EndedSessionStore) -> None:
    session, until = uuid4(), datetime.now(UTC) + timedelta(hours=12)
    assert not await ended.has_ended(session)
    await ended.end(session, until)
    await ended.end(session, until)
    assert await ended.has_ended(session)
    assert not await ended.has_ended(uuid4())


async def test_what_would_have_ended_long_ago_is_swept(ended: EndedSessionStore) -> None:
    now = datetime.now(UTC)
    sessions = [(uuid4(), now - timedelta(hours=hours)) for hours in (48, 1, 0)]
    for session, ends in sessions:
        await ended.end(session, ends)
    assert [await ended.has_ended(session) for session, _ in sessions] == [False, True, True]
