"""What a test stands on is marked by itself, so that `make test-fast` can leave it out."""

from __future__ import annotations

import pytest

from memory.embeddings.protocol import Embedder
from tests.conftest import MARKS


def marks(request: pytest.FixtureRequest) -> set[str]:
    return {mark.name for mark in request.node.iter_markers()} & MARKS.keys()


def test_what_needs_nothing_has_no_mark(request: pytest.FixtureRequest) -> None:
    assert marks(request) == set()


@pytest.mark.usefixtures("database")
def test_a_database_is_marked(request: pytest.FixtureRequest) -> None:
    assert marks(request) == {"database", "cache"}


def test_the_model_behind_an_embedder_is_marked(
    request: pytest.FixtureRequest, embedder: Embedder
) -> None:
    assert marks(request) == {"database", "cache", "model"}
