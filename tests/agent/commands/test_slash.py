"""What is typed with a slash: how it is read, and what is answered to it in a conversation."""

from __future__ import annotations

from datetime import UTC, datetime
from uuid import uuid4

import pytest

from agent.commands.parser import Command
from agent.commands.slash import (
    COMMANDS,
    LISTED,
    SlashCommand,
    conversation_lines,
    filter_from,
    find_slash_command,
    help_lines,
    history_lines,
    memory_command,
    unknown_command_text,
)
from memory.errors import InvalidInput, NotFound
from memory.store.memories import MemoryFilter
from memory.types import (
    BANKS,
    MessageStatus,
    NewMemory,
    Origin,
    Role,
    StoredConversation,
    StoredMessage,
)
from tests.agent.chatting import Chat

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("line", "typed"),
    [
        ("/help", SlashCommand("/help")),
        ("  /History all ", SlashCommand("/history", "all")),
        ("/memores", SlashCommand("/memores")),
        ("/remember this:\n- tea", SlashCommand("/remember", "this:\n- tea")),
        ("/usr/bin is where it lies", None),
        ("/5 of them", None),
        ("what is /help?", None),
        ("/", None),
        ("", None),
    ],
)
def test_a_command_is_a_slash_and_a_word(line: str, typed: SlashCommand | None) -> None:
    assert find_slash_command(line) == typed


@pytest.mark.parametrize(
    ("typed", "meant"), [("/memores", "/memories"), ("/exit", "/quit"), ("/hlep", "/help")]
)
def test_an_unknown_command_gets_the_nearest_one(typed: str, meant: str) -> None:
    assert f"Did you mean {meant}?" in unknown_command_text(typed)


def test_one_that_is_like_none_is_told_where_they_stand() -> None:
    told = "There is no /foo. /help shows what can be typed."
    assert unknown_command_text("/foo") == told


def test_help_names_every_command() -> None:
    assert all(any(line.startswith(name) for line in help_lines()) for name in COMMANDS)


MEANT = (
    ("/remember", "I like tea", Command("remember", text="I like tea")),
    ("/forget", "", Command("forget")),
    ("/forget", "my sister", Command("forget", about="my sister")),
    ("/forget", "my sister for good", Command("forget", about="my sister", for_good=True)),
    ("/forget", "For Good", Command("forget", for_good=True)),
    ("/pin", "uv", Command("pin", about="uv")),
    ("/memory", "off", Command("memory_off")),
    ("/memory", "Read-Only", Command("memory_read_only")),
    ("/incognito", "", Command("incognito_on")),
    ("/incognito", "off", Command("incognito_off")),
    ("/why", "", Command("why")),
    ("/why", "#2", Command("why", about="#2")),
    ("/forget", "#2 for good", Command("forget", about="#2", for_good=True)),
    ("/edit", "I live in Oslo", Command("edit", text="I live in Oslo")),
    ("/edit", "#2  I live in Oslo", Command("edit", about="#2", text="I live in Oslo")),
    ("/edit", "#music is on", Command("edit", text="#music is on")),
)


def test_a_slash_stands_for_a_command() -> None:
    found = [(name, words, memory_command(SlashCommand(name, words))) for name, words, _ in MEANT]
    assert found == list(MEANT)


def test_missing_or_wrong_words_are_told() -> None:
    for name, words in (
        *(("/remember", ""), ("/about", ""), ("/memory", "of"), ("/edit", "")),
        ("/edit", "#2"),
    ):
        with pytest.raises(InvalidInput, match=name):
            memory_command(SlashCommand(name, words))


def test_other_commands_change_no_memory() -> None:
    assert memory_command(SlashCommand("/help")) is None


def _message(role: Role, content: str, status: MessageStatus = "complete") -> StoredMessage:
    return StoredMessage(
        id=uuid4(),
        conversation_id=uuid4(),
        role=role,
        content=content,
        status=status,
        correlation_id=uuid4(),
        position=1,
        created_at=NOON,
    )


def test_history_says_who_said_what_and_what_was_cut_off() -> None:
    said = [_message("user", "go"), _message("assistant", "so far", "interrupted")]
    assert history_lines(said, {}) == ["you: go", "keepsake: so far (interrupted)"]
    assert "Nothing was said" in history_lines([], {})[0]


def test_conversations_are_one_line_each() -> None:
    found = [StoredConversation(id=uuid4(), title="go\nthere", created_at=NOON, updated_at=NOON)]
    [line] = conversation_lines(found)
    assert line.endswith("go there")


ALL = MemoryFilter(space="work", limit=LISTED)


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("", {}),
        ("pinned", {"pinned": True}),
        ("Pinned", {"pinned": True}),
        ("decision", {"type": "decision"}),
        ("Decisions", {"type": "decision"}),
        ("health", {"bank": "Health"}),
        ("my sister", {"text": "my sister"}),
        ("pinned things", {"text": "pinned things"}),
    ],
)
def test_words_are_a_filter(words: str, wanted: dict[str, object]) -> None:
    assert filter_from(words, "work", BANKS) == ALL.model_copy(update=wanted)


def test_banks_are_those_of_the_settings() -> None:
    assert filter_from("garden", "work", ("Garden",)).bank == "Garden"
    assert filter_from("health", "work", ("Garden",)).text == "health"


async def test_the_list_is_of_the_space_and_by_the_filter(chat: Chat) -> None:
    assert "Nothing is remembered yet" in await chat.say("/memories")
    await chat.memory.remember_all(
        chat.user_id,
        [
            NewMemory(content="I use vim", bank="Work"),
            NewMemory(content="I decided to learn Norwegian", type="decision", pinned=True),
            NewMemory(content="I park on level three", space="elsewhere"),
        ],
    )
    assert len((await chat.say("/memories")).splitlines()) == 2
    for words in ("pinned", "decisions", "Norwegian"):
        [line] = (await chat.say(f"/memories {words}")).splitlines()
        assert line.endswith("decision    I decided to learn Norwegian"), words
    [line] = (await chat.say("/memories work")).splitlines()
    assert line.endswith("I use vim")
    assert "“tea”" in await chat.say("/memories tea")


async def test_more_than_a_page_says_so(chat: Chat) -> None:
    await chat.hold(*(f"Note number {number}" for number in range(LISTED + 1)))
    lines = (await chat.say("/memories")).splitlines()
    assert len(lines) == LISTED + 1
    assert lines[-1].startswith("and more")


async def test_the_proof_of_a_forgotten_memory(chat: Chat) -> None:
    [kept] = await chat.hold("I park on level three")
    await chat.memory.forgetting.forget(chat.user_id, [kept.id], Origin(), for_good=True)
    lines = (await chat.say(f"/prove {kept.id} Where do I park?")).splitlines()
    assert lines[-1] == "It is gone."
    assert "Its row: gone" in lines
    assert "level three" not in str(lines)


async def test_the_beginning_of_an_id_names_it_and_no_id_the_last_one(chat: Chat) -> None:
    forgetting = chat.memory.forgetting
    ids = []
    for content in ("I park on level three", "My boat is green"):
        [kept] = await chat.hold(content)
        await forgetting.forget(chat.user_id, [kept.id], Origin())
        ids.append(kept.id)
    assert await forgetting.named(chat.user_id, str(ids[0])[:8].upper()) == ids[0]
    assert await forgetting.named(chat.user_id, "") == ids[1]
    assert (await chat.say(f"/prove {str(ids[0])[:8]}")).startswith("Forgotten: ")
    with pytest.raises(NotFound):
        await forgetting.named("somebody else", str(ids[0])[:8])


async def test_what_cannot_be_proved_is_told(chat: Chat) -> None:
    assert "/prove ID" in await chat.say("/prove my sister")
    for words in ("", " 1234", f" {uuid4()}"):
        assert "no such memory" in await chat.say(f"/prove{words}")


async def test_in_a_conversation_they_do_what_they_do_in_a_terminal(chat: Chat) -> None:
    await chat.say("/remember I use vim")
    assert await chat.known() == {"I use vim"}
    assert "I use vim" in await chat.say("/pin")
    assert "I use vim" in await chat.say("/summary")
    assert "Say yes or no" in await chat.say("/forget vim")
    await chat.say("yes")
    assert await chat.known() == set()
    assert "It is back" in await chat.say("/undo")
    assert await chat.known() == {"I use vim"}
    assert "forgot" in await chat.say("/audit")
    assert "Nothing is in doubt" in await chat.say("/doubts")
    assert "you: yes" in await chat.say("/history")


async def test_nothing_of_them_is_kept(chat: Chat) -> None:
    """Neither as talk nor as a memory, known or not."""
    for typed in ("/foo I own a red kayak", "/help", "/about my kayak", "/remember"):
        await chat.say(typed)
    assert await chat.noticed() == []
    assert await chat.said() == []
    assert await chat.known() == set()


async def test_what_they_lack_is_said(chat: Chat) -> None:
    assert await chat.say("/foo") == "There is no /foo. /help shows what can be typed."
    assert "/remember WORDS" in await chat.say("/remember")
    assert "/memory on, /memory off" in await chat.say("/memory perhaps")


async def test_what_belongs_to_a_terminal_says_where_else_it_is_done(chat: Chat) -> None:
    for typed in ("/export x", "/import x", "/quit", "/new", "/space Work"):
        assert "page" in await chat.say(typed), typed


async def test_the_help_of_a_conversation_names_what_can_be_said_and_typed(chat: Chat) -> None:
    told = await chat.say("/help")
    assert "“forget about …”" in told
    assert [name for name in COMMANDS if name not in told] == ["/quit"]


async def test_how_conversations_begin_can_be_set_in_an_incognito_one(chat: Chat) -> None:
    await chat.say("/private on")
    other = chat.elsewhere()
    assert "as usual" in await other.say("/private off")
    assert other.told.closed.privacy == "incognito"


async def test_a_question_is_taken_back_by_what_is_typed(chat: Chat) -> None:
    await chat.hold("I use vim")
    await chat.say("/forget vim")
    await chat.say("/memories")
    await chat.say("yes")
    assert await chat.known() == {"I use vim"}


async def test_what_is_said_incognito_is_not_listed_again(chat: Chat) -> None:
    """Whoever opens the conversation elsewhere would read it there."""
    await chat.say("/incognito")
    await chat.say("nobody knows that I am pregnant")
    assert "pregnant" not in await chat.say("/history")


async def test_history_shows_no_word_of_what_was_forgotten(chat: Chat) -> None:
    """Neither while that waits for an undo."""
    await chat.say("Remember that I like rye bread")
    [kept] = await chat.memory.list_recent(chat.user_id)
    await chat.memory.forgetting.forget(chat.user_id, [kept.id], Origin("user"))
    shown = await chat.say("/history")
    assert "you: [forgotten]" in shown
    assert "rye bread" not in shown
