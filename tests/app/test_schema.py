"""Which embedding model a program starts with."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import asyncpg
import pytest
from pydantic import SecretStr

from app.services import ServiceUrls, apply_migrations, database_model, prepare_schema
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL, Settings
from memory.errors import DimensionMismatch, InvalidSettings
from memory.types import EmbeddingModel
from migrations.runner import owner_connection, read_profile
from tests.migrations.rows import fill

LOCAL = EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS)
GONE = "all-MiniLM-L6-v2-int8"
OPENAI = EmbeddingModel("text-embedding-3-small", 1536)
OTHER = EmbeddingModel("other", 768)
KEY: dict[str, Any] = {"openai_api_key": SecretStr("sk-test")}
SERVER: dict[str, Any] = {"openai_base_url": "http://localhost:1/v1"}
NAMED: dict[str, Any] = {"embedding_model": OTHER.name, "embedding_dimensions": OTHER.dimensions}


@pytest.fixture
def addresses(own_database_url: str) -> ServiceUrls:
    """Of a data folder, made for the local model."""
    return ServiceUrls(own_database_url, own_database_url, "", embedded_database=True)


def given(settings: Settings, **fields: Any) -> Settings:
    return settings.model_copy(update=fields)


async def embed_one(url: str) -> None:
    """As a program does: the first vector that is made in the database."""
    owner = await asyncpg.connect(url)
    await owner.execute(
        "UPDATE messages SET needs_embedding = false,"
        " embedding_model = (SELECT model FROM embedding_profile),"
        " embedding = array_fill(0.05, ARRAY[(SELECT dimensions FROM embedding_profile)])::halfvec"
        " WHERE role = 'user'"
    )
    await owner.close()


async def test_until_the_first_vector_each_start_chooses_anew(
    addresses: ServiceUrls, settings: Settings
) -> None:
    await fill(addresses.owner_url)
    for fields, model in [
        (KEY, OPENAI),
        (KEY | SERVER, LOCAL),
        (NAMED | SERVER, OTHER),
        ({}, LOCAL),
    ]:
        assert await prepare_schema(addresses, given(settings, **fields)) == model
        assert await read_profile(addresses.owner_url) == model
        assert await database_model(addresses) is None


async def test_after_the_first_vector_it_stays(addresses: ServiceUrls, settings: Settings) -> None:
    await fill(addresses.owner_url)
    await prepare_schema(addresses, given(settings, **KEY))
    await embed_one(addresses.owner_url)
    assert await database_model(addresses) == OPENAI
    assert await prepare_schema(addresses, given(settings, **SERVER)) == OPENAI
    with pytest.raises(DimensionMismatch, match="run: python -m app reembed"):
        await prepare_schema(addresses, given(settings, **NAMED, **SERVER))


async def test_who_comes_back_without_the_server_is_told_the_command(
    addresses: ServiceUrls, settings: Settings
) -> None:
    await fill(addresses.owner_url)
    await prepare_schema(addresses, given(settings, **KEY))
    await embed_one(addresses.owner_url)
    command = f"python -m app reembed --model {LOCAL_MODEL}"
    with pytest.raises(InvalidSettings, match=command):
        await prepare_schema(addresses, settings)


@pytest.mark.parametrize("named", [{}, KEY, {"embedding_model": GONE}, NAMED | SERVER])
async def test_who_has_the_vectors_of_a_model_that_is_gone_is_told_the_command(
    addresses: ServiceUrls, settings: Settings, named: dict[str, Any]
) -> None:
    await fill(addresses.owner_url)
    await prepare_schema(addresses, settings)
    await embed_one(addresses.owner_url)
    async with owner_connection(addresses.owner_url) as connection:
        await connection.execute("UPDATE embedding_profile SET model = $1", GONE)
    with pytest.raises(InvalidSettings, match=f"{GONE}.* run: python -m app reembed --model"):
        await prepare_schema(addresses, given(settings, **named))


async def test_a_given_database_is_changed_by_migrate_alone(
    addresses: ServiceUrls, settings: Settings
) -> None:
    elsewhere = replace(addresses, embedded_database=False)
    assert await prepare_schema(elsewhere, given(settings, **KEY)) == LOCAL
    with pytest.raises(DimensionMismatch, match="run: python -m app reembed"):
        await prepare_schema(elsewhere, given(settings, **NAMED, **SERVER))
    await apply_migrations(elsewhere, given(settings, **NAMED, **SERVER))
    assert await prepare_schema(elsewhere, given(settings, **NAMED, **SERVER)) == OTHER
