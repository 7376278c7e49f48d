from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.progress import Progress

from eval.calibration.data import load_calibration_pairs
from eval.checks import Bound, check_bounds
from eval.page import build_sections, collect_page_content, render_page
from eval.report import Report
from eval.results import CaseResult, Returned
from eval.system import System
from eval.tuning.sources import TuningSources, read_sources
from tests.eval.conftest import TINY, write_golden

UNREAD = "What is the number of the unread case?"


@pytest.fixture
def sources(tmp_path: Path) -> TuningSources:
    cases: list[dict[str, Any]] = TINY["cases"]
    unread = cases[0] | {"id": "unread", "query": UNREAD, "held_back": True, "category": "unseen"}
    folder = write_golden(tmp_path, TINY | {"cases": [*cases, unread]})
    return replace(read_sources([folder]), pairs=load_calibration_pairs()[:2])


def _report() -> Report:
    hit = CaseResult(
        "uv", "preference", "?", frozenset("a"), (Returned("a", "", 0.9, frozenset("a")),), 7.0
    )
    silent = CaseResult("lock", "other_user", "?", frozenset(), (), 9.0)
    metrics = {"recall_at_5": 1.0, "held_back": {"recall_at_5": 0.625, "cases": 1}}
    bounds = [Bound("recall_at_5", 0.8, "blocking")]
    return Report("memory", {}, metrics, {}, check_bounds(metrics, bounds), [hit, silent])


async def test_the_page_tells_every_set_and_of_what_is_held_back_only_totals(
    system: System, progress: Progress, sources: TuningSources
) -> None:
    told = await collect_page_content(system, sources, [_report()], progress)
    assert [each.name for each in told.measured] == ["golden"]
    assert [case.id for case in told.measured[0].uncut] == ["uv", "town", "lock"]
    assert all(each.labels for each in told.judgements.values())
    page = render_page("title", {"commit": "abc"}, build_sections(told))
    for title in ("Checks", "Answers", "Calibration", "Latency", "golden, by category"):
        assert f"<h2>{title}</h2>" in page
    assert page.count("<img") >= 6
    assert "PASS" in page
    assert "0.625" in page
    assert UNREAD not in page
    assert "unseen" not in page
