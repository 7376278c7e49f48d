from __future__ import annotations

from rich.progress import Progress

from eval.bench.reader import ReaderBench, awkward_messages
from eval.system import System


async def test_messages_of_each_length_are_read_beside_their_vectors(
    system: System, progress: Progress
) -> None:
    report = await ReaderBench(items=20).run(system, progress)
    for name, figures in report.by_category.items():
        assert figures["p50_ms"] <= figures["p95_ms"]
        assert (figures["ratio"] is None) == (name in awkward_messages())
    assert report.metrics["weights_mb"] < 50
