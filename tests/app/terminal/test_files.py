from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from agent.turn.events import TurnEvent
from app.terminal.commands import export_file, import_file
from app.terminal.session import TerminalSession
from memory.errors import Incognito, InvalidInput
from memory.types import NewMemory
from tests.memory.exports import a_memory, export_of

SISTER = "My sister Maria lives in Oslo"


class Unseen:
    """A view that nobody looks at."""

    def show(self, event: TurnEvent) -> None:
        pass

    def say(self, line: str) -> None:
        pass


async def contents(turns: TerminalSession) -> list[str]:
    found = await turns.keepsake.memory.entries.all(turns.user_id, turns.space)
    return sorted(item.content for item in found)


async def test_everything_goes_into_a_file_for_its_owner_alone(
    turns: TerminalSession, tmp_path: Path
) -> None:
    await turns.keepsake.memory.remember(turns.user_id, NewMemory(content=SISTER))
    path = tmp_path / "mine.json"
    [told] = await export_file(str(path), turns)
    assert str(path) in told
    assert path.stat().st_mode & 0o777 == 0o600
    exported = json.loads(path.read_text())
    assert [each["content"] for each in exported["memories"]] == [SISTER]


async def test_no_file_is_written_over(turns: TerminalSession, tmp_path: Path) -> None:
    path = tmp_path / "mine.json"
    path.write_text("precious")
    with pytest.raises(InvalidInput, match="exists already"):
        await export_file(str(path), turns)
    assert path.read_text() == "precious"


async def test_an_export_comes_back_and_a_second_time_adds_nothing(
    turns: TerminalSession, tmp_path: Path
) -> None:
    memory = turns.keepsake.memory
    await memory.remember(turns.user_id, NewMemory(content=SISTER, pinned=True))
    await export_file(str(tmp_path / "mine.json"), turns)
    await memory.portability.erase_everything(turns.user_id)
    assert await contents(turns) == []
    assert "1 new" in (await import_file(str(tmp_path / "mine.json"), turns))[0]
    assert "0 new, 1 known already" in (await import_file(str(tmp_path / "mine.json"), turns))[0]
    [back] = await memory.list_recent(turns.user_id)
    assert (back.content, back.pinned) == (SISTER, True)


async def test_another_assistants_lines_come_in_without_their_secrets(
    turns: TerminalSession, tmp_path: Path
) -> None:
    path = tmp_path / "memories.txt"
    path.write_text("\ufeff- I prefer uv over pip\n- My card is 4111 1111 1111 1111\n")
    [told] = await import_file(str(path), turns)
    assert "1 new" in told
    assert "secret" in told
    assert await contents(turns) == ["I prefer uv over pip"]


async def test_what_another_program_knew_of_a_memory_is_kept_and_the_rest_is_told(
    turns: TerminalSession, tmp_path: Path
) -> None:
    path = tmp_path / "open-webui.json"
    row = {"id": "1", "content": SISTER, "created_at": 1714557600, "source": "chat"}
    path.write_text(json.dumps([row]))
    [told] = await import_file(str(path), turns)
    assert "source of 1" in told
    [item] = await turns.keepsake.memory.list_recent(turns.user_id)
    assert item.created_at.isoformat() == "2024-05-01T10:00:00+00:00"


async def test_what_cannot_be_read_or_written_is_told(
    turns: TerminalSession, tmp_path: Path
) -> None:
    latin = tmp_path / "latin.txt"
    latin.write_bytes("Zoë".encode("latin-1"))
    for name, reason in (("", "Say which file"), (str(tmp_path / "no"), "cannot be read")):
        with pytest.raises(InvalidInput, match=reason):
            await import_file(name, turns)
    with pytest.raises(InvalidInput, match="not UTF-8"):
        await import_file(str(latin), turns)
    with pytest.raises(InvalidInput, match="cannot be written"):
        await export_file(str(tmp_path / "no" / "such" / "folder"), turns)


async def test_a_file_of_any_size_is_read_as_far_as_it_is_wanted(
    turns: TerminalSession, tmp_path: Path
) -> None:
    """An export was refused for what its conversations and log have in bytes."""
    path = tmp_path / "huge.json"
    said = json.dumps(export_of(a_memory(SISTER), audit=[{"words": "x" * 1_000}] * 110_000))
    path.write_text(said)
    assert path.stat().st_size > 100_000_000
    assert "1 new" in (await import_file(str(path), turns))[0]
    assert await contents(turns) == [SISTER]


async def test_an_export_that_fails_leaves_no_part_of_a_file(
    turns: TerminalSession, tmp_path: Path
) -> None:
    path = tmp_path / "mine.json"
    writing = asyncio.create_task(export_file(str(path), turns))
    await asyncio.sleep(0)
    writing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert not path.exists()


async def test_nothing_goes_in_or_out_of_an_incognito_conversation(
    turns: TerminalSession, tmp_path: Path
) -> None:
    await turns.keepsake.memory.remember(turns.user_id, NewMemory(content=SISTER))
    lines = tmp_path / "lines.txt"
    lines.write_text("- I prefer uv over pip\n")
    await turns.take("Go incognito", Unseen())
    with pytest.raises(Incognito):
        await export_file(str(tmp_path / "mine.json"), turns)
    with pytest.raises(Incognito):
        await import_file(str(lines), turns)
    assert not (tmp_path / "mine.json").exists()
    assert await contents(turns) == [SISTER]
