from __future__ import annotations

from itertools import pairwise

from agent.turn.run import GROWTH, KEEP_SECONDS, MAX_KEEP_SECONDS, TurnReply


def test_a_reply_is_due_a_second_after_it_began() -> None:
    reply = TurnReply()
    assert not reply.is_due(100.0)
    assert not reply.is_due(100.0 + KEEP_SECONDS), "there is nothing to keep yet"
    reply.text = "Once upon"
    assert reply.is_due(100.0 + KEEP_SECONDS)
    assert not reply.is_due(100.1 + KEEP_SECONDS)


def test_the_longer_it_grows_the_less_often_it_is_due() -> None:
    reply = TurnReply(text="Once upon")
    reply.is_due(0.0)
    due = [now / 4 for now in range(2_400) if reply.is_due(now / 4)]
    pauses = [later - earlier for earlier, later in pairwise(due)]

    assert KEEP_SECONDS <= pauses[0] <= GROWTH * KEEP_SECONDS + 0.25
    assert pauses == sorted(pauses)
    assert pauses[-1] == MAX_KEEP_SECONDS
