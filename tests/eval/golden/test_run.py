from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from rich.progress import Progress

from eval.datasets.golden import GOLDEN_NOW, GoldenDataset, GoldenRun, load_golden
from eval.system import System
from memory.store.search import MemorySearch, SearchScope
from memory.types import NewMemory
from tests.eval.conftest import HOPELESS, NEW_TOWN, OLD_TOWN, TINY, UV, write_golden


async def test_the_tiny_set_is_asked_through_the_product(
    system: System, tiny_golden: Path, progress: Progress
) -> None:
    results = await GoldenRun(system, load_golden(tiny_golden)).run(progress)
    uv, town, lock = results
    assert uv.returned[0].content == UV
    assert uv.covered[0] == uv.wanted
    assert NEW_TOWN in {item.content for item in town.returned}
    assert town.forbidden == 0
    assert lock.wanted == frozenset()
    assert lock.forbidden == lock.foreign == 0
    assert all(case.within_budget and case.latency_ms > 0 for case in results)


async def test_what_is_deleted_superseded_or_expired_is_stored_and_gone(
    system: System, tiny_golden: Path, progress: Progress
) -> None:
    golden = load_golden(tiny_golden)
    await GoldenRun(system, golden).run(progress)
    kept = await system.memory.list_recent("eval:store:sam")
    assert {item.content for item in kept} == {UV, NEW_TOWN}
    assert len(golden.stores["sam"].memories) == 5


async def test_the_report_has_the_figures_of_the_issue(
    system: System, tiny_golden: Path, progress: Progress
) -> None:
    report = await GoldenDataset(tiny_golden).run(system, progress)
    assert report.metrics["recall_at_5"] == 1.0
    assert report.metrics["no_answer_accuracy"] == 1.0
    assert report.metrics["cross_user_safety"] == 1.0
    assert set(report.by_category) == {"preference", "time", "other_user"}
    assert report.passed


async def test_a_set_whose_answers_do_not_come_back_fails(
    system: System, tmp_path: Path, progress: Progress
) -> None:
    report = await GoldenDataset(write_golden(tmp_path, HOPELESS)).run(system, progress)
    assert report.metrics["recall_at_5"] == 0.0
    assert not report.passed


async def test_a_cut_answer_is_recognised_by_its_id(
    system: System, tmp_path: Path, progress: Progress
) -> None:
    long = "The release checklist: " + "bump the version, tag the commit, tell support; " * 20
    golden: Any = copy.deepcopy(TINY)
    golden["cases"] = [
        {
            "id": "cut",
            "category": "over_budget",
            "setup_memories": [{"content": long.strip(), "type": "note"}],
            "query": "What is on the release checklist?",
            "token_budget": 30,
            "expected_retrievals": [long.strip()],
        }
    ]
    loaded = load_golden(write_golden(tmp_path, golden))
    [cut] = await GoldenRun(system, loaded).run(progress)
    assert cut.returned[0].content != long.strip()
    assert cut.covered == [cut.wanted]
    assert cut.within_budget


async def test_storing_gives_every_memory_a_vector(system: System) -> None:
    user_id = "eval:vectors"
    ids = await system.store(user_id, [NewMemory(content=OLD_TOWN), NewMemory(content=NEW_TOWN)])
    vector = await system.embedder.embed_query(OLD_TOWN)
    scope = SearchScope(user_id, GOLDEN_NOW)
    hits = await MemorySearch(system.database).search_by_vector(scope, vector, 10)
    assert {hit.id for hit in hits} == set(ids)
