"""What the tables of a database are like."""

from __future__ import annotations

import asyncpg


async def catalogue(database_url: str) -> list[str]:
    """Columns with their rights, triggers, policies, indexes and functions, without the vectors'
    length."""
    owner = await asyncpg.connect(database_url)
    try:
        rows = await owner.fetch(
            """
            SELECT format('%s.%s %s %s', attrelid::regclass, attname, attstorage, attacl)
            FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
            WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND attnum > 0
              AND NOT attisdropped
            UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
            UNION ALL SELECT format('%s %s %s', relname, relrowsecurity, relforcerowsecurity)
            FROM pg_class WHERE relnamespace = 'public'::regnamespace
            UNION ALL SELECT concat_ws(' ', tablename, policyname, roles, qual, with_check)
            FROM pg_policies WHERE schemaname = 'public'
            UNION ALL SELECT concat_ws(' ', pg_get_functiondef(oid), proowner::regrole, proacl)
            FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
                SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid
                AND deptype = 'e')
            UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
            ORDER BY 1
            """
        )
    finally:
        await owner.close()
    return [row[0] for row in rows]
