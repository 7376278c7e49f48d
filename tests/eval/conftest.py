"""A system on the test's own database, and small sets to run on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from eval.system import System
from memory.cache import Cache
from memory.config import LOCAL_DIMENSIONS, LOCAL_MODEL, Settings
from memory.embeddings.protocol import Embedder
from memory.service import MemoryService
from memory.store.database import Database
from memory.store.memories import MemoryStore
from memory.tokens import TokenCounter
from memory.types import EmbeddingModel

UV = "I prefer uv over pip for Python packages."
OLD_TOWN = "I live in Bergen."
NEW_TOWN = "I live in Trondheim now."
SECRET = "The code of the bicycle lock is 4417."

TINY: dict[str, Any] = {
    "version": "1.0.0",
    "stores": {
        "sam": {
            "memories": [
                {"content": UV, "type": "preference"},
                {"content": OLD_TOWN, "type": "fact", "superseded": True},
                {"content": NEW_TOWN, "type": "fact"},
                {"content": "I live in Oslo.", "type": "fact", "deleted": True},
                {
                    "content": "I live in a tent until the house is ready.",
                    "type": "note",
                    "expires_at": "2026-05-01T00:00:00+00:00",
                },
            ]
        }
    },
    "cases": [
        {
            "id": "uv",
            "category": "preference",
            "store": "sam",
            "query": "Do I prefer uv or pip for Python packages?",
            "expected_retrievals": [UV],
        },
        {
            "id": "town",
            "category": "time",
            "store": "sam",
            "query": "Where do I live now?",
            "expected_retrievals": [NEW_TOWN],
            "forbidden_retrievals": [OLD_TOWN, "I live in Oslo."],
        },
        {
            "id": "lock",
            "category": "other_user",
            "store": None,
            "setup_memories": [{"content": "I like long walks.", "type": "preference"}],
            "other_user_memories": [{"content": SECRET, "type": "note"}],
            "types": ["note"],
            "query": "What is the code of the bicycle lock?",
            "expected_retrievals": [],
            "forbidden_retrievals": [SECRET],
        },
    ],
}

# No memory is a decision, so nothing can come back, whatever the relevance says.
HOPELESS = TINY | {"cases": [case | {"types": ["decision"]} for case in TINY["cases"]]}


@pytest.fixture
def system(  # noqa: PLR0917 - pytest passes fixtures by name
    database: Database,
    own_database_url: str,
    cache: Cache,
    counter: TokenCounter,
    embedder: Embedder,
    memory: MemoryService,
    settings: Settings,
) -> System:
    return System(
        settings=settings,
        model=EmbeddingModel(LOCAL_MODEL, LOCAL_DIMENSIONS),
        database=database,
        owner_url=own_database_url,
        cache=cache,
        counter=counter,
        embedder=embedder,
        memory=memory,
        items=MemoryStore(database),
    )


@pytest.fixture
def progress() -> Progress:
    return Progress(disable=True)


@pytest.fixture
def tiny_golden(tmp_path: Path) -> Path:
    return write_golden(tmp_path, TINY)


def write_golden(folder: Path, golden: dict[str, Any]) -> Path:
    (folder / "memory.json").write_text(json.dumps(golden), encoding="utf-8")
    return folder


def write_rows(path: Path, rows: list[dict[str, Any]]) -> None:
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n", encoding="utf-8")


@pytest.fixture
def tiny_locomo(tmp_path: Path) -> Path:
    """Two conversations of two turns, of which an observation rests on the first only."""
    first = _talk("c1", "Ann", "Ben", "kitten", "bicycle")
    second = _talk("c2", "Cora", "Dan", "puppy", "radio")
    for name, rows in first.items():
        write_rows(tmp_path / f"{name}.jsonl", rows + second[name])
    return tmp_path


def _talk(chat: str, one: str, other: str, pet: str, thing: str) -> dict[str, list[dict[str, Any]]]:
    turn = {"conversation": chat, "session": 1, "at": "1:56 pm on 8 May, 2023"}
    asked = {"conversation": chat, "answer": "?"}
    return {
        "turns": [
            turn
            | {"id": "D1:1", "speaker": one, "text": f"I adopted a grey {pet}."}
            | {"image_caption": f"a {pet} on a sofa"},
            turn
            | {"id": "D1:2", "speaker": other, "text": f"I repaired my old {thing}."}
            | {"image_caption": None},
        ],
        "observations": [
            turn
            | {"id": "o1", "speaker": one, "text": f"{one} has a {pet}.", "evidence": ["D1:1"]},
        ],
        "queries": [
            _query(asked, "q1", f"Which pet did {one} adopt?", "single_hop", ["D1:1"]),
            _query(asked, "q2", f"What did {other} repair?", "single_hop", ["D1:2"]),
            _query(asked, "q3", f"What did {one} repair?", "adversarial", ["D1:2"]),
            _query(asked, "q4", "Who knows?", "open_domain", []),
        ],
    }


def _query(
    base: dict[str, Any], name: str, question: str, category: str, evidence: list[Any]
) -> dict[str, Any]:
    return base | {"id": name, "question": question, "category": category, "evidence": evidence}


@pytest.fixture
def tiny_beam(tmp_path: Path) -> Path:
    """Two chats of three messages, one of them too long for a memory."""
    first = _chat("100K/1", "sprint", "Flask")
    second = _chat("100K/2", "rehearsal", "Django")
    for name, rows in first.items():
        write_rows(tmp_path / f"{name}.jsonl", rows + second[name])
    return tmp_path


def _chat(chat: str, event: str, tool: str) -> dict[str, list[dict[str, Any]]]:
    asked = {"conversation": chat, "answer": "?"}
    said = {"conversation": chat, "role": "user"}
    return {
        "messages": [
            said
            | {"id": 0, "order": 1, "at": "March-15-2024", "text": f"My {event} ends on Friday."},
            said
            | {"id": 1, "order": 2, "at": None, "text": f"The login page is in {tool}."}
            | {"role": "assistant"},
            said | {"id": 2, "order": 3, "at": "April-02-2024", "text": "x y " * 5_000},
        ],
        "queries": [
            _query(asked, "a", f"When does my {event} end?", "information_extraction", [0]),
            _query(asked, "b", "Which whales did I photograph?", "abstention", []),
        ],
    }
