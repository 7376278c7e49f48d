from __future__ import annotations

from agent.commands.display import (
    HOW_TO_EXPORT,
    HOW_TO_IMPORT,
    LISTED,
    NOTHING_KNOWN,
    NOTHING_MEANT,
)
from agent.commands.parser import Command
from memory.types import NewMemory
from tests.agent.chatting import Chat


async def test_the_summary_is_by_bank(chat: Chat) -> None:
    assert await chat.say("What do you know about me?") == NOTHING_KNOWN
    await chat.memory.remember_all(
        chat.user_id,
        [
            NewMemory(content="I live in Oslo", bank="Personal"),
            NewMemory(content="I use vim", bank="Work", pinned=True),
            NewMemory(content="I deploy on Mondays", bank="Work"),
        ],
    )
    told = await chat.say("What do you know about me?")
    assert told.startswith("Work (2, 1 pinned)")
    assert "- I use vim (pinned)" in told
    assert "Personal (1)\n- I live in Oslo" in told


async def test_about_lists_what_is_known_and_that_then_means_it(chat: Chat) -> None:
    await chat.hold("My sister lives in Oslo", "I park on level three")
    told = await chat.say("What do you know about my sister?")
    assert "My sister lives in Oslo" in told
    assert "level three" not in told
    await chat.say("Pin that")
    [pinned] = [each for each in await chat.memory.list_recent(chat.user_id) if each.pinned]
    assert pinned.content == "My sister lives in Oslo"
    assert "nothing in memory about “my brother”" in await chat.do(
        Command("about", about="my brother")
    )


async def test_a_long_list_is_cut_and_says_so(chat: Chat) -> None:
    names = [chr(ord("A") + number) * 3 for number in range(LISTED + 3)]
    await chat.hold(*(f"{name} is a friend of mine" for name in names))
    told = await chat.do(Command("forget", everything=True))
    assert told.count("is a friend of mine") == LISTED
    assert "- and 3 more" in told


async def test_why_says_where_a_memory_comes_from(chat: Chat) -> None:
    assert await chat.say("Why do you know that?") == NOTHING_MEANT
    await chat.say("Remember that I live in Oslo")
    told = await chat.say("Why do you know that?")
    assert "“I live in Oslo”: you asked me to keep it" in told
    assert "kept" in told
    await chat.say("My sister Maria plays the cello.")
    await chat.noticed()
    assert "learned from what you said" in await chat.do(Command("why", about="Maria"))


async def test_the_audit_names_actions_and_no_content(chat: Chat) -> None:
    await chat.say("Remember that I live in Oslo")
    await chat.say("Forget that")
    await chat.say("yes")
    told = await chat.say("Show me the audit log")
    assert "kept" in told
    assert "forgotten" in told
    assert "by you" in told
    assert "Oslo" not in told


async def test_files_are_for_the_terminal(chat: Chat) -> None:
    assert await chat.say("Export my data") == HOW_TO_EXPORT
    assert await chat.do(Command("import")) == HOW_TO_IMPORT
