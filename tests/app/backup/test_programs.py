from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.backup.programs import run_program, without_password
from memory.errors import ProgramFailed

CHARACTERS = st.characters(codec="utf-8", exclude_categories=["Cc"])


@given(st.text(min_size=1, max_size=30, alphabet=CHARACTERS))
def test_no_password_stays_in_the_url(password: str) -> None:
    url = f"postgresql://ada:{quote(password, safe='')}@db.example:5433/keepsake?sslmode=require"
    assert without_password(url) == (
        "postgresql://ada@db.example:5433/keepsake?sslmode=require",
        password,
    )


@pytest.mark.parametrize(
    "url", ["postgresql://ada@/keepsake?host=/tmp/sockets&port=5432", "postgresql:///keepsake"]
)
def test_a_url_without_one_stays_as_it_is(url: str) -> None:
    assert without_password(url) == (url, None)


async def test_what_the_program_said_is_told() -> None:
    with pytest.raises(ProgramFailed, match="pg_restore"):
        await run_program("pg_restore", "--file=-", "/nowhere/at/all")
