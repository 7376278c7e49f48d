from __future__ import annotations

from agent.run import KEEP_SECONDS, Reply


def test_a_reply_is_due_once_a_second_while_it_grows() -> None:
    reply = Reply()
    assert not reply.is_due(100.0)
    assert not reply.is_due(100.0 + KEEP_SECONDS), "there is nothing to keep yet"
    reply.text = "Once upon"
    assert reply.is_due(100.0 + KEEP_SECONDS)
    assert not reply.is_due(100.1 + KEEP_SECONDS)
    assert reply.is_due(100.0 + 2 * KEEP_SECONDS)
