from __future__ import annotations

import re

from agent.commands.command import Command
from agent.commands.which import LISTED
from agent.wording.wording import IN_ENGLISH
from memory.models import NewItem
from tests.agent.chatting import Chat


async def test_the_summary_is_by_bank(chat: Chat) -> None:
    assert await chat.say("What do you know about me?") == IN_ENGLISH.say("nothing_is_known")
    await chat.memory.remember_all(
        chat.user_id,
        [
            NewItem(content="I live in Oslo", bank="Personal"),
            NewItem(content="I use vim", bank="Work", pinned=True),
            NewItem(content="I deploy on Mondays", bank="Work"),
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
    assert await chat.say("Why do you know that?") == IN_ENGLISH.say("no_memory_is_meant")
    await chat.say("Remember that I live in Oslo")
    told = await chat.say("Why do you know that?")
    assert "“I live in Oslo”: you asked me to keep it" in told
    assert "kept" in told
    await chat.say("My sister Maria plays the cello.")
    await chat.noticed()
    told = await chat.do(Command("why", about="Maria"))
    assert "learned from what you said" in told
    assert re.search(r"heard as .+ \(.+, .+\), \d+% sure", told)


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
    assert await chat.say("Export my data") == IN_ENGLISH.say("how_to_export")
    assert await chat.do(Command("import")) == IN_ENGLISH.say("how_to_import")
