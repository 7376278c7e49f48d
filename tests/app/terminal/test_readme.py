"""What the README says of the chat: each of its sentences is said, and answered as it shows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest

from agent.commands.slash import find_slash_command
from app.terminal.commands import run_slash_command
from app.terminal.piped import NOTICE_SECONDS, PlainAnswerView
from app.terminal.session import TerminalSession
from tests.app.program import Program

README = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
_DATE = re.compile(r"\d{1,2} [A-Z][a-z]+ \d{4}|\d{4}-\d\d-\d\d")
# Of the table, in the order in which they make sense: what is said or typed, and what is answered.
SAID = (
    ("remember that the boiler is from 2014", "I will remember: “the boiler is from 2014”"),
    ("/remember my sister Maria lives in Oslo", "I will remember: “my sister Maria lives in Oslo”"),
    ("what do you remember?", "the boiler is from 2014"),
    ("/summary", "my sister Maria lives in Oslo"),
    ("/memories", "my sister Maria lives in Oslo"),
    ("what do you know about my sister?", "my sister Maria lives in Oslo"),
    ("/about sister", "my sister Maria lives in Oslo"),
    ("Where does my sister live?", "Based on what you told me"),
    ("why do you remember that?", "by you"),
    ("/why", "my sister Maria lives in Oslo"),
    ("remember that my bike is green", "I will remember"),
    ("change that to my bike is blue", "Before: “my bike is green” Now: “my bike is blue”"),
    ("undo", "my bike is green"),
    ("/undo", "nothing to undo"),
    ("no wait, my bike is black, not green", "Now: “my bike is black”"),
    ("undo", "Changed back: “my bike is green”"),
    ("/edit my bike is red", "Now: “my bike is red”"),
    ("correct my shoe size to 44", "I know nothing about “my shoe size”, so nothing was changed."),
    ("/about bike", "my bike is red"),
    ("pin this", "Pinned, so it is never trimmed: “my bike is red”"),
    ("unpin that", "No longer pinned: “my bike is red”"),
    ("/pin boiler", "Pinned, so it is never trimmed: “the boiler is from 2014”"),
    ("/unpin boiler", "No longer pinned: “the boiler is from 2014”"),
    ("forget that", "Shall I? Say yes or no."),
    ("yes", "Forgotten: “the boiler is from 2014”"),
    ("undo", "It is back: “the boiler is from 2014”"),
    ("remember that my ex lives in Rome", "I will remember"),
    ("forget about my ex", "This will be forgotten: “my ex lives in Rome”"),
    ("no", "All right, nothing is changed."),
    ("/forget bike", "Shall I? Say yes or no."),
    ("no", "All right, nothing is changed."),
    ("forget about my boiler for good", "This will be erased for good"),
    ("yes", "Erased for good."),
    ("don't remember this: I hate my boss", "Not kept: I keep nothing of that message"),
    ("remember it anyway", "I will remember"),
    ("turn memory off", "Memory is off"),
    ("turn memory on", "Memory is on"),
    ("turn memory read-only", "Memory is read-only"),
    ("/memory off", "Memory is off"),
    ("/memory on", "Memory is on"),
    ("go incognito", "Incognito from here on"),
    ("end incognito", "Incognito has ended"),
    ("/incognito", "Incognito from here on"),
    ("/incognito off", "Incognito has ended"),
    ("/incognito read-only", "I still recall what I know"),
    ("/incognito off", "Incognito has ended"),
    ("I am afraid of the boiler.", "noted: I am afraid of the boiler"),
    ("What did I say about the boiler?", "you said: “I am afraid of the boiler.”"),
    ("/doubts", "Nothing is in doubt."),
    ("what did you do with my memory?", "kept"),
    ("/audit", "forgotten"),
    ("/prove", "gone"),
    ("export my memories", "/export FILE"),
    ("/export mine.json", "Everything is in mine.json"),
    ("/import mine.json", "Imported: 0 new"),
    ("/private on", "begin incognito"),
    ("/private off", "begin as usual"),
    ("/redact off", "Messages are stored as you write them"),
    ("/redact on", "Secrets are taken out"),
    ("/space PestIQ", "This is the space “PestIQ”"),
    ("/new", "conversation"),
    ("/history", "Nothing was said"),
    ("/help", "Say what you want in your own words"),
    ("/space default", "This is the space “default”"),
    ("/erase", "Shall I? Say yes or no."),
    ("no", "All right, nothing is changed."),
    ("erase everything about me", "Shall I? Say yes or no."),
    ("yes", "rased"),
)


async def say(turns: TerminalSession, text: str) -> str:
    """All that the chat in a pipe shows of it, its lines joined."""
    typed, out = find_slash_command(text), StringIO()
    if typed is None:
        view = PlainAnswerView(out)
        await turns.take(text, view)
        view.close(await turns.noticed(NOTICE_SECONDS))
    else:
        out.write("\n".join(await run_slash_command(typed, turns, None)))
    return joined(out.getvalue())


def joined(text: str) -> str:
    """Without bullets, and with one space for each run of white space."""
    return " ".join(re.sub(r"^- ", "", text, flags=re.MULTILINE).split())


def rows() -> Iterator[str]:
    """Each sentence and each slash command of the table; “…” and FILE stand for any words."""
    for line in README.splitlines():
        if line.startswith(("| “", "| |")):
            said, typed, _ = (cell.strip() for cell in line.strip("|").split("|"))
            yield from re.findall("“([^”]+)”", said)
            yield from re.findall("`(/[^`]+)`", typed)


def is_said(row: str) -> bool:
    pattern = re.escape(row).replace("…", ".+").replace("FILE", ".+").replace("NAME", ".+")
    return any(re.fullmatch(pattern, said, re.IGNORECASE) for said, _ in SAID)


async def test_each_row_of_the_table_does_what_stands_beside_it(
    turns: TerminalSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for text, answer in SAID:
        assert answer in await say(turns, text), text


def test_each_row_of_the_table_is_said() -> None:
    told = [*rows()]
    assert len(told) > len(SAID) / 2
    assert [row for row in told if not is_said(row)] == ["read-only", "/quit"]


def transcripts() -> list[list[tuple[str, str]]]:
    """Of each block that shows a chat: what is said, and what is answered."""
    blocks = re.findall(r"```text\n(.*?)```", README, re.DOTALL)
    turns = [re.split(r"^› ", block, flags=re.MULTILINE)[1:] for block in blocks]
    return [[_turn(each) for each in block] for block in turns if block]


def _turn(text: str) -> tuple[str, str]:
    said, _, answer = text.partition("\n")
    return said, joined(answer)


@pytest.mark.xdist_group("program")
def test_the_transcripts_happen_as_they_are_shown(program: Program) -> None:
    """But for the days. Each block is a process of its own; what ends in “…” goes on."""
    program.settings["KEEPSAKE_USER"] = f"user-{uuid4().hex[:8]}"
    assert len(transcripts()) > 1
    for block in transcripts():
        said = "".join(f"{text}\n" for text, _ in block)
        shown = _DATE.sub("DAY", joined(program.run("chat", said=said, code=0).stdout))
        at = 0
        for text, answer in block:
            if text == "/quit":
                break
            expected = _DATE.sub("DAY", answer.removesuffix("…").strip())
            found = shown.find(expected, at)
            assert found == at if not answer.endswith("…") else found >= at, (text, shown[at:])
            at = found + len(expected) + 1
