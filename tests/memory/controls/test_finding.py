"""On a small set that was written for this, with the embedding model that ships."""

from __future__ import annotations

import pytest
from pgvector import HalfVector

from memory.actions.entries import Entries
from memory.actions.forgetting.proof import TombstoneDigester
from memory.actions.matching import extract_topic, find_names_of
from memory.embeddings.protocol import Embedder
from memory.fingerprints import KeyedDigester
from memory.store.memory_entries import MemoryEntryStore
from memory.text import to_first_person
from tests.memory.controls.conftest import Kept
from tests.memory.fakes import BrokenEmbedder

MARKER = TombstoneDigester(KeyedDigester(b"k" * 32))
SISTER = "User's sister Maria lives in Oslo"
VEGETARIAN = "Maria is a vegetarian"
OSLO = "User lives in Oslo"
ACME = "User works at Acme as a data engineer"
UV = "User prefers uv over pip"
EX = "User's ex-girlfriend Lena moved to Berlin"
BIKE = "Lena still has User's bike"
MOTHER = "User's mother's birthday is on May 4th"
DOG = "User's dog Rex is five years old"
FRIDAYS = "Never deploy on Fridays"
BROTHER = "User's brother Tom studies medicine"
MILK = "User drinks oat milk in coffee"
MANAGER = "Sara is User's manager at Acme"
MIGRAINES = "User takes ibuprofen for migraines"
WIFE = "User's wife Anna is pregnant"
PEANUTS = "User is allergic to peanuts"
OTHERS = [
    "User decided to use PostgreSQL for PestIQ",
    "User likes hiking in the mountains",
    "User runs every morning before breakfast",
    "User hates loud restaurants",
    "User is learning Norwegian",
    "User was born in Tromsø",
]
KNOWN = [
    *(SISTER, VEGETARIAN, OSLO, ACME, UV, EX, BIKE, MOTHER, DOG, FRIDAYS, BROTHER, MILK),
    *(MANAGER, MIGRAINES, WIFE, PEANUTS, *OTHERS),
]


@pytest.fixture
async def known(kept: Kept, embedder: Embedder, user_id: str) -> None:
    vectors = await embedder.embed_texts([to_first_person(text) for text in KNOWN])
    for text, vector in zip(KNOWN, vectors, strict=True):
        await kept.item(user_id, text, embedding=HalfVector(vector))


@pytest.fixture
def entries(kept: Kept, embedder: Embedder) -> Entries:
    return Entries(MemoryEntryStore(kept.database), embedder, MARKER, embedding_timeout=30)


ABOUT: list[tuple[str, set[str]]] = [
    ("my sister", {SISTER, VEGETARIAN}),
    ("my sister?", {SISTER, VEGETARIAN}),
    ("Maria", {SISTER, VEGETARIAN}),
    ("my ex", {EX, BIKE}),
    ("my mom", {MOTHER}),
    ("my dog", {DOG}),
    ("my job", {ACME}),
    ("my boss", {MANAGER}),
    ("Acme", {ACME, MANAGER}),
    ("uv", {UV}),
    ("deployment", {FRIDAYS}),
    ("coffee", {MILK}),
    ("my migraines", {MIGRAINES}),
    ("Oslo", {SISTER, OSLO}),
    ("my boat", set()),
    ("quantum physics", set()),
]


@pytest.mark.usefixtures("known")
async def test_everything_about_some_words_is_listed(entries: Entries, user_id: str) -> None:
    for words, wanted in ABOUT:
        found = await entries.about(user_id, "default", words)
        assert {item.content for item in found} == wanted, words


@pytest.mark.usefixtures("known")
async def test_a_family_is_its_members(entries: Entries, user_id: str) -> None:
    found = await entries.about(user_id, "default", "my family")
    assert {SISTER, VEGETARIAN, MOTHER, BROTHER, WIFE} <= {item.content for item in found}
    assert not {ACME, UV, FRIDAYS} & {item.content for item in found}


PLAINLY_MEANT: list[tuple[str, list[str]]] = [
    ("that I live in Oslo", [OSLO]),
    ("I live in Oslo", [OSLO]),
    ("where I live", [OSLO]),
    ("that my sister lives in Oslo", [SISTER]),
    ("about my ex", [EX, BIKE]),
    ("the one about uv", [UV]),
    ("everything about my sister", [SISTER, VEGETARIAN]),
    ("the thing about peanuts", [PEANUTS]),
    ("my migraine medication", [MIGRAINES]),
    ("that I prefer uv", [UV]),
    ("my boat", []),
    ("that I have three children", []),
    ("", []),
]


@pytest.mark.usefixtures("known")
async def test_only_what_is_plainly_meant_is_found(entries: Entries, user_id: str) -> None:
    for words, wanted in PLAINLY_MEANT:
        found = await entries.find_matching(user_id, "default", words)
        assert [item.content for item in found] == wanted, words


@pytest.mark.usefixtures("known")
async def test_without_an_embedder_the_words_are_found(kept: Kept, user_id: str) -> None:
    entries = Entries(
        MemoryEntryStore(kept.database), BrokenEmbedder(), MARKER, embedding_timeout=30
    )
    found = await entries.find_matching(user_id, "default", "my ex")
    assert {item.content for item in found} == {EX, BIKE}
    assert await entries.about(user_id, "elsewhere", "my ex") == []
    assert await entries.about(f"{user_id}-other", "default", "my ex") == []


TOPICS = [
    ("about my ex", "my ex"),
    ("everything about my ex?", "my ex"),
    ("that I live in Oslo", "I live in Oslo"),
    ("the fact that I live in Oslo.", "I live in Oslo"),
    ("the one about uv", "uv"),
    ("“my sister”", "my sister"),
    ("what", "what"),
]


OF_OTHERS = [
    "Ma collègue Odile garde la clé du local à vélos",
    "Je ne mange pas de crevettes, ça me gonfle la gorge",
    "La fête de la rue est le samedi, on y va à pied",
    "J'ai prêté la tondeuse à la voisine de gauche",
    "Le mardi je nage à la piscine de la gare",
]


async def test_words_of_anything_do_not_tell_what_a_wish_means(
    kept: Kept, embedder: Embedder, entries: Entries, user_id: str
) -> None:
    vectors = await embedder.embed_texts(OF_OTHERS)
    for text, vector in zip(OF_OTHERS, vectors, strict=True):
        await kept.item(user_id, text, embedding=HalfVector(vector))
    meant = await entries.meant(user_id, "default", "l'histoire de la clé")
    assert [each.item.content for each in meant] == OF_OTHERS[:1]


def test_the_topic_of_a_command() -> None:
    assert [(words, got) for words, asked in TOPICS if (got := extract_topic(words)) != asked] == []


NAMES: list[tuple[str, list[str]]] = [
    ("User's sister Maria lives in Oslo", ["Maria"]),
    ("My sister is called Maria", ["Maria"]),
    ("Maria is my older sister", ["Maria"]),
    ("Maria, User's sister, is ill", ["Maria"]),
    ("User's sister lives in Oslo", []),
    ("Oslo is where my sister lives", []),
]


def test_who_is_called_what_was_asked_for() -> None:
    assert [
        (content, got)
        for content, names in NAMES
        if (got := find_names_of("my sister", [content])) != names
    ] == []
