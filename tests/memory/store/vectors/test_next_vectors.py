from __future__ import annotations

from collections.abc import AsyncIterator

import asyncpg
import pytest

from memory.store.database import WORKER_ROLE, Database
from memory.store.vectors import ROWS_PER_PAGE, NextVectorStore, ReembeddingProgress
from memory.types import EmbeddingModel
from migrations.vector_swap import open_vector_schema

ROWS = 5 * ROWS_PER_PAGE + 1
_KEEP = """
INSERT INTO memory_items (user_id, id, content, type, embedding_model, needs_embedding, embedding)
SELECT 'user ' || n % 3, gen_random_uuid(), 'User owns book ' || n, 'fact', 'old', false,
       array_fill(0.1, ARRAY[(SELECT dimensions FROM embedding_profile)])::halfvec
FROM generate_series(1, $1::integer) AS n
"""
# Fails where one transaction looks at more rows than so many.
_LIMIT = f"""
CREATE FUNCTION look_at_row() RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE seen integer := coalesce(nullif(current_setting('test.seen', true), ''), '0')::integer + 1;
BEGIN
    PERFORM set_config('test.seen', seen::text, true);
    IF seen > {4 * ROWS_PER_PAGE} THEN RAISE EXCEPTION 'looked at % rows', seen; END IF;
    RETURN true;
END $$;
CREATE POLICY looked_at ON memory_items AS RESTRICTIVE FOR SELECT TO keepsake_worker
    USING (look_at_row())
"""


@pytest.fixture
async def vectors(own_database_url: str) -> AsyncIterator[NextVectorStore]:
    """Of a database with so many vectors, and a model announced."""
    owner = await asyncpg.connect(own_database_url)
    await owner.execute(_KEEP, ROWS)
    async with open_vector_schema(own_database_url) as schema:
        await schema.begin(EmbeddingModel("new", 8))
    await owner.execute("ANALYZE memory_items")
    await owner.execute(_LIMIT)
    name = await owner.fetchval("SELECT current_database()")
    for way in ("sort", "hashjoin", "mergejoin"):  # a table so small would be read whole
        await owner.execute(f'ALTER DATABASE "{name}" SET enable_{way} = off')
    await owner.close()
    worker = await Database.open(own_database_url, role=WORKER_ROLE)
    yield NextVectorStore(worker)
    await worker.close()


async def test_all_rows_are_looked_at_a_page_at_a_time(vectors: NextVectorStore) -> None:
    """A table of years takes longer than a statement may."""
    assert await vectors.count("items") == ReembeddingProgress(0, ROWS)
    assert await vectors.count("messages") == ReembeddingProgress(0, 0)
    assert await vectors.mark_outdated("old") == 0
    assert await vectors.mark_outdated("another") == ROWS
    assert await vectors.mark_outdated("another") == 0
