"""Claims on messages that wait to be learned from, as programs of before left them."""

from __future__ import annotations

import subprocess
import sys

from memory.store.database import Database

_MAKE = "from memory.ingestion.claims import new_claim; print(new_claim())"


def claim_of_an_ended_program() -> str:
    """As a program of this machine made it that was killed."""
    made = subprocess.run([sys.executable, "-c", _MAKE], capture_output=True, text=True, check=True)
    return made.stdout.strip()


async def leave_claimed(database: Database, user_id: str, claim: str, ago: str = "0") -> None:
    """All messages of the user that wait, for so long already."""
    async with database.as_user(user_id) as connection:
        await connection.execute(
            "UPDATE messages SET claimed_by = $1, claimed_at = now() - $2::text::interval"
            " WHERE needs_learning",
            claim,
            ago,
        )
