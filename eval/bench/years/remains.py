"""What is left of a user's memories, and what it takes up."""

from __future__ import annotations

from eval.measures.summary import Figures
from memory.database import Database

_COUNT = """
SELECT count(*) AS rows,
       count(*) FILTER (WHERE deleted_at IS NULL AND superseded_by IS NULL) AS in_recall,
       count(*) FILTER (WHERE deleted_at IS NULL AND summary_of <> '{}') AS roll_ups,
       count(*) FILTER (WHERE removed_because = 'archived') AS archived,
       count(*) FILTER (WHERE superseded_by IS NOT NULL) AS replaced,
       count(embedding) AS vectors,
       sum(pg_column_size(item.*)) / 1024.0 AS kilobytes
FROM memory_items AS item WHERE user_id = $1
"""
_TOLD = """
SELECT coalesce(sum(cardinality(summary_of)), 0) FROM memory_items
WHERE user_id = $1 AND deleted_at IS NULL
"""


async def remains_of(database: Database, user_id: str) -> Figures:
    """Rows, those in recall, roll-ups, what they tell of, what is archived or replaced, vectors,
    and kilobytes of rows."""
    async with database.as_user(user_id) as connection:
        row = await connection.fetchrow(_COUNT, user_id)
        told = await connection.fetchval(_TOLD, user_id)
    assert row is not None
    figures: Figures = {name: float(value) for name, value in row.items()}
    return {**figures, "rolled_up": float(told)}
