from __future__ import annotations

from pathlib import Path

import pytest

from memory import store
from memory.store.database import load_queries

STORE = Path(store.__file__).parent
NOUNS = sorted(str(file.relative_to(STORE).with_suffix("")) for file in STORE.rglob("*.sql"))


def test_there_are_queries() -> None:
    assert {"memories", "messages", "audit"} <= set(NOUNS)


def test_every_query_of_a_file_is_found() -> None:
    for noun in NOUNS:
        text = STORE.joinpath(f"{noun}.sql").read_text(encoding="utf-8")
        queries = load_queries(noun)
        assert len(queries) == text.count("-- name: "), noun
        assert all(queries.values()), noun
        assert "".join(queries.values()).count("-- name:") == 0, noun


def test_every_query_is_run_by_the_module_beside_it() -> None:
    unused = []
    for noun in NOUNS:
        code = STORE.joinpath(f"{noun}.py").read_text(encoding="utf-8")
        for name in load_queries(noun):
            # `waiting_items`, `item_texts` and the like are named by their noun at run time.
            start, last = name.rpartition("_")[0], name.partition("_")[2]
            named = (f'"{name}"', f'f"{start}_{{', f'}}_{last}"')
            if not any(each in code for each in named):
                unused.append((noun, name))
    assert unused == []


def test_a_noun_without_queries_is_a_mistake() -> None:
    with pytest.raises(FileNotFoundError):
        load_queries("nothing")
