"""`python -m app admin`."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from pgvector import HalfVector
from pydantic import SecretStr

from app.ops.admin import (
    apply_retention,
    clean_up,
    prune_vectors,
    rebuild_keywords,
    roll_up,
    undo_cleanup,
)
from app.runner import CliCommand, Shutdown
from memory.config import Settings
from memory.embeddings.local import LocalEmbedder
from memory.local_services.services import ServiceAddresses
from memory.store.database import Database
from memory.text import to_first_person
from tests.app.program import MakeProgram
from tests.memory.controls.conftest import Kept

OLD = datetime.now(UTC) - timedelta(days=40)
TEAS = [
    f"User has a tin of {kind} tea at work too" for kind in ("green", "mint", "oolong", "rooibos")
]


class Runs:
    """Commands one after the other, and what each of them says."""

    def __init__(self, settings: Settings, said: Callable[[], str]) -> None:
        self.settings = settings
        self._said = said

    async def __call__(self, command: CliCommand) -> str:
        assert await command(self.settings, Shutdown()) == 0
        return self._said()


@pytest.fixture
def run(
    settings: Settings,
    own_database_url: str,
    services: ServiceAddresses,
    capsys: pytest.CaptureFixture[str],
) -> Runs:
    addressed = {
        "database_url": SecretStr(own_database_url),
        "redis_url": SecretStr(services.redis_url),
        "keepsake_user": "ada",
        "retention_rules": "note:30",
    }
    return Runs(settings.model_copy(update=addressed), lambda: capsys.readouterr().out)


async def living(kept: Kept) -> int:
    query = "SELECT count(*) FROM memory_items WHERE deleted_at IS NULL"
    return int(await kept.value("ada", query))


async def test_a_cleanup_is_shown_done_and_undone(run: Runs, database: Database) -> None:
    kept = Kept(database)
    for content in ("ok", "What is the capital of France?", "User likes\x1b[31m tea"):
        await kept.item("ada", content)
    shown = await run(clean_up(None, questions=True, apply=False))
    assert "Would clean away 2 memories of ada" in shown
    assert "too short" in shown
    assert "What is the capital of France?" in shown
    assert "--apply" in shown
    assert await living(kept) == 3
    assert "Cleaned away 2 memories" in await run(clean_up(8, questions=True, apply=True))
    assert await living(kept) == 1
    assert "Brought back 2 memories of ada." in await run(undo_cleanup)
    longer = await run(clean_up(50, questions=False, apply=False))
    assert "Would clean away 3 memories" in longer
    run.settings = run.settings.model_copy(update={"cleanup_min_chars": 50})
    assert "Would clean away 3 memories" in await run(clean_up(None, questions=False, apply=False))
    assert "Would clean away 1 memory" in await run(clean_up(8, questions=False, apply=False))
    assert "\x1b[31m" not in longer


async def test_roll_ups_and_retention_are_shown_first(
    run: Runs, database: Database, local_embedder: LocalEmbedder
) -> None:
    kept = Kept(database)
    vectors = await local_embedder.embed_texts([to_first_person(each) for each in TEAS])
    for content, vector in zip(TEAS, vectors, strict=True):
        embedding = HalfVector(vector)
        await kept.item("ada", content, tags=["tea"], created_at=OLD, embedding=embedding)
    await kept.item("ada", "The plumber comes on Monday", type="note", created_at=OLD)
    shown = await run(roll_up(all_users=True, apply=False))
    assert "ada: Would make 1 roll-up" in shown
    assert all(f"{content}." in " ".join(shown.split()) for content in TEAS)
    shown = await run(apply_retention(all_users=False, apply=False))
    assert "Would take 1 memory out of recall, and removed for good: 0 memories" in shown
    assert "after 30 days" in shown
    assert await living(kept) == 5
    assert "Made 1 roll-up" in await run(roll_up(all_users=False, apply=True))
    assert "Took 1 memory" in await run(apply_retention(all_users=True, apply=True))
    assert await living(kept) == 1


async def test_the_indexes_are_kept_by_hand(run: Runs, database: Database) -> None:
    kept = Kept(database)
    await kept.item("ada", "archived", deleted_at=OLD, removed_because="archived")
    await kept.item("bob", "archived", deleted_at=OLD, removed_because="archived")
    await kept.item("ada", "User likes tea", created_at=OLD)
    assert "Dropped 1 vector" in await run(prune_vectors(None, all_users=False))
    assert "Dropped 1 vector" in await run(prune_vectors(30, all_users=True))
    built = await run(rebuild_keywords("roll-up", None, all_users=False))
    assert "1 memory went in or out" in built


def test_what_it_does_not_know_is_refused(make_program: MakeProgram) -> None:
    program = make_program()
    refused = program.run("admin", "rebuild-keywords", "--min-level", "day", code=2)
    assert "roll-up" in refused.stderr
