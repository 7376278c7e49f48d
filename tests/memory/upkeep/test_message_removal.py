from __future__ import annotations

from uuid import UUID, uuid4

from hypothesis import given
from hypothesis import strategies as st

from memory.actions.forgetting.erasure import plan_removal
from memory.actions.forgetting.redaction import FORGOTTEN_MARK, contains_memory
from memory.store.erasure import ErasureScope, PendingErasure, RelatedMessage
from memory.store.forgetting import HistoryChoice
from memory.store.messages import title_from

CHAT = uuid4()


def condemned(
    content: str | None, history: HistoryChoice = "redact", *sources: UUID
) -> PendingErasure:
    return PendingErasure(uuid4(), content, True, history, frozenset(sources))


def message(content: str, *rested_on: UUID) -> RelatedMessage:
    return RelatedMessage(uuid4(), CHAT, uuid4(), content, frozenset(rested_on))


@given(st.lists(st.text(max_size=60), max_size=5), st.text(min_size=1, max_size=20))
def test_no_message_or_title_that_is_left_holds_it(texts: list[str], content: str) -> None:
    messages = tuple(message(f"{text} {content}") for text in texts)
    titles = {uuid4(): text for text in texts if text}
    removal = plan_removal(ErasureScope((condemned(content),), messages, titles))
    left = {each.id: removal.reworded.get(each.id, each.content) for each in messages}
    assert not any(contains_memory(text, content) for text in left.values())
    named = {key: removal.titles.get(key, title) for key, title in titles.items()}
    assert not any(contains_memory(title or "", content) for title in named.values())


def test_each_memory_works_on_what_the_ones_before_it_left() -> None:
    said = message("I live in Oslo. I drink milk. I am Ada.")
    two = (condemned("User lives in Oslo"), condemned("User drinks milk"))
    removal = plan_removal(ErasureScope(two, (said,), {CHAT: title_from(said.content) or ""}))
    assert removal.reworded == {said.id: f"{FORGOTTEN_MARK} I am Ada."}
    assert removal.titles == {CHAT: f"{FORGOTTEN_MARK} I am Ada."}
    counted = [dict(removal.counts[each.id]) for each in two]
    assert [each["messages_redacted"] for each in counted] == [1, 1]


def test_a_message_is_deleted_once_and_its_title_goes() -> None:
    said = message("I live in Oslo and drink milk.")
    two = (condemned("User lives in Oslo", "delete"), condemned("User drinks milk", "delete"))
    removal = plan_removal(ErasureScope(two, (said,), {CHAT: title_from(said.content) or ""}))
    assert (removal.taken, removal.reworded, removal.titles) == ((said.id,), {}, {CHAT: None})
    assert [removal.counts[each.id]["messages_deleted"] for each in two] == [1, 0]


def test_one_that_is_kept_and_one_whose_row_is_gone_change_nothing() -> None:
    said = message("I live in Oslo.")
    both = (condemned("User lives in Oslo", "keep"), condemned(None))
    removal = plan_removal(
        ErasureScope(both, (said,), {CHAT: "I live in Oslo."}), caches_cleared=False
    )
    assert (removal.taken, removal.reworded, removal.titles) == ((), {}, {})
    assert removal.counts[both[1].id] == {"caches_cleared": 0}
    assert removal.counts[both[0].id]["items"] == 1


def test_a_title_of_a_message_that_is_not_there_any_more_is_redacted() -> None:
    removal = plan_removal(
        ErasureScope((condemned("User lives in Oslo"),), (), {CHAT: "I live in Oslo."})
    )
    assert removal.titles == {CHAT: FORGOTTEN_MARK}


def test_what_was_asked_in_a_turn_that_recalled_or_quoted_it_goes_too() -> None:
    doomed = condemned("My cousin Ottoline lives in Wexcombe")
    recalled, quoted = uuid4(), uuid4()
    said = [
        RelatedMessage(uuid4(), CHAT, turn, content, frozenset(rested_on))
        for turn, content, rested_on in (
            (recalled, "Where is Ottoline at home?", ()),
            (recalled, "You told me that.", (doomed.id,)),
            (quoted, "forget about Ottoline", ()),
            (quoted, "Shall I forget “My cousin Ottoline lives in Wexcombe”?", ()),
            (uuid4(), "Ottoline came by.", ()),
        )
    ]
    removal = plan_removal(ErasureScope((doomed,), tuple(said), {}))
    assert set(removal.reworded) == {said[0].id, said[2].id, said[3].id}


def test_a_title_that_a_person_gave_goes_where_the_conversation_told_of_it() -> None:
    doomed = condemned("My cousin Ottoline lives in Wexcombe")
    said, elsewhere = message("My cousin Ottoline lives in Wexcombe. Is it far?"), uuid4()
    titles = {CHAT: "Ottoline's place", elsewhere: "Places to see"}
    removal = plan_removal(ErasureScope((doomed,), (said,), titles))
    assert removal.titles == {CHAT: FORGOTTEN_MARK}
    assert removal.counts[doomed.id]["titles_redacted"] == 1


def test_a_title_without_a_word_of_it_stays() -> None:
    said = message("My cousin Ottoline lives in Wexcombe.")
    doomed = condemned("My cousin Ottoline lives in Wexcombe")
    removal = plan_removal(ErasureScope((doomed,), (said,), {CHAT: "Family"}))
    assert removal.titles == {}
