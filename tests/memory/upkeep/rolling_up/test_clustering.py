from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.maintenance.clusters import Cluster, ClusterRules
from memory.maintenance.clusters import find_clusters as with_tags_borne
from memory.store.lifecycle import RollUpSource
from tests.memory.fakes import unit
from tests.memory.upkeep.rolling_up.sources import source

TEA = [source(n, f"I drink green tea every morning {n}", tags=("tea",)) for n in range(4)]
RUNS = [source(10 + n, f"I ran along the river bank {n}", tags=("run",)) for n in range(3)]


def clusters_of(sources: Sequence[RollUpSource], by: ClusterRules) -> list[Cluster]:
    return with_tags_borne(sources, by, {})


def ids(clusters: Sequence[Sequence[RollUpSource]]) -> list[set[int]]:
    return [{each.id.int for each in cluster} for cluster in clusters]


@pytest.mark.parametrize("strategy", ["embeddings", "tags", "hybrid"])
def test_what_belongs_together_comes_together(strategy: str) -> None:
    by = ClusterRules(strategy, similarity=0.6)  # type: ignore[arg-type]
    mixed = [each for pair in zip(TEA, [*RUNS, source(99, "Oslo")], strict=True) for each in pair]
    assert sorted(map(sorted, ids(clusters_of(mixed, by)))) == [[0, 1, 2, 3], [10, 11, 12]]


def test_fewer_than_the_least_are_no_cluster() -> None:
    assert clusters_of(TEA[:2], ClusterRules("embeddings", 0.6)) == []


def test_no_cluster_has_more_than_the_most() -> None:
    by = ClusterRules("embeddings", 0.6, least=2, most=2)
    assert sorted(map(len, clusters_of(TEA, by))) == [2, 2]


@pytest.mark.parametrize(
    "other",
    [
        {"space": "work"},
        {"bank": "Work"},
        {"type": "note"},
        {"role": "assistant"},
        {"occurred_at": datetime(2026, 3, 1, tzinfo=UTC)},
    ],
)
def test_what_a_filter_would_part_is_never_put_together(other: dict[str, object]) -> None:
    parted = [*TEA[:2], source(7, TEA[2].content, tags=("tea",), **other)]
    for strategy in ("embeddings", "tags", "hybrid"):
        assert clusters_of(parted, ClusterRules(strategy, 0.6)) == []


def test_hybrid_needs_a_tag_in_common() -> None:
    untagged = [source(n, each.content) for n, each in enumerate(TEA)]
    assert clusters_of(untagged, ClusterRules("hybrid", 0.6)) == []
    assert len(clusters_of(TEA, ClusterRules("hybrid", 0.6))) == 1


def test_each_cluster_has_the_oldest_first() -> None:
    [cluster] = clusters_of(TEA[::-1], ClusterRules("embeddings", 0.6))
    assert [each.id for each in cluster] == [each.id for each in TEA]


vectors = st.lists(
    st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(
        lambda v: sum(x * x for x in v) > 0.1
    ),
    max_size=12,
)


@given(vectors, st.sampled_from(["embeddings", "tags", "hybrid"]), st.floats(0, 1))
def test_clusters_are_disjoint_and_each_member_near_the_centre(
    drawn: list[list[float]], strategy: str, similarity: float
) -> None:
    members = [
        source(n, "x", embedding=unit(np.array(v, dtype=np.float32)), tags=(f"t{n % 3}",))
        for n, v in enumerate(drawn)
    ]
    found = clusters_of(members, ClusterRules(strategy, similarity, 2, 4))  # type: ignore[arg-type]
    flat = [each.id for cluster in found for each in cluster]
    assert len(flat) == len(set(flat))
    assert all(2 <= len(cluster) <= 4 for cluster in found)
    if strategy != "tags":
        for cluster in found:
            vectors = np.stack([each.embedding for each in cluster])
            centre = vectors.mean(axis=0)
            length = float(np.linalg.norm(centre)) or 1.0
            assert (vectors @ centre / length >= similarity - 1e-3).all()
            assert (vectors @ vectors.T >= similarity / 2 - 1e-5).all()


def test_the_mark_of_a_summary_is_nothing_in_common() -> None:
    marked = [source(n, each.content, tags=("summarized",)) for n, each in enumerate(TEA)]
    assert clusters_of(marked, ClusterRules("hybrid", 0.6)) == []


def test_a_tag_that_far_more_bear_says_nothing_of_what_one_is_about() -> None:
    by = ClusterRules("hybrid", 0.6)
    assert len(with_tags_borne(TEA, by, {"tea": 48})) == 1
    assert with_tags_borne(TEA, by, {"tea": 49}) == []
    assert with_tags_borne(TEA, ClusterRules("tags"), {"tea": 49}) == []


def test_each_two_of_a_hybrid_cluster_share_a_label() -> None:
    chained = [
        source(1, TEA[1].content, tags=("a", "b")),
        source(2, TEA[2].content, tags=("b", "c")),
        source(3, TEA[3].content, tags=("c", "d")),
    ]
    assert clusters_of(chained, ClusterRules("hybrid", 0.6)) == []
    assert len(clusters_of(chained, ClusterRules("embeddings", 0.6))) == 1
