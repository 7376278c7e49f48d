"""How long the offline reader takes for a message, by its length, beside the vector of the same
text; what it takes to start, and how large its weights are."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.progress import Progress

import memory.understanding
from eval.life.dataset import FOLDER, load_conversations
from eval.measures import checks
from eval.measures.metrics import percentile
from eval.measures.summary import Figures
from eval.report.report import Report, describe
from eval.system import System
from memory.clock import local_clock
from memory.understanding import Message, OfflineReader

# Characters from which a message is no longer of the class before it.
_CLASSES = {
    "to 80 characters": 0,
    "to 160 characters": 81,
    "to 400 characters": 161,
    "longer": 401,
}
_USUAL = ("to 80 characters", "to 160 characters")
_AWKWARD_TIMES = 3
_STARTS = 3
_START = (
    "import time; began = time.perf_counter();"
    "from datetime import datetime, UTC;"
    "from memory.understanding import Message, OfflineReader;"
    "OfflineReader().read(Message('I live in Oslo', datetime.now(UTC)));"
    "print(time.perf_counter() - began)"
)


def awkward_messages() -> Mapping[str, str]:
    """Long and odd ones, which take bounded time."""
    sentence = "We moved the boat to the other side of the harbour in May. "
    return {
        "10,000 characters": sentence * 170,
        "100,000 characters": sentence * 1_700,
        "20,000 spaces": " " * 20_000,
        "a thousand lines": "a line\n" * 1_000,
        "one word of 20,000": "a" * 20_000,
    }


class ReadingBench:
    """`items` of the messages of the project's own conversations, each read once."""

    def __init__(self, items: int = 600) -> None:
        self._items = items

    async def run(self, system: System, progress: Progress) -> Report:
        said = [turn.say for each in load_conversations(FOLDER, None) for turn in each.turns]
        reader, classes = OfflineReader(), _by_length(said[:: max(1, len(said) // self._items)])
        reader.read(Message(said[0], local_clock()))
        task = progress.add_task("reading messages", total=sum(map(len, classes.values())))
        cases: dict[str, Figures] = {}
        usual: list[float] = []
        for name, texts in classes.items():
            took = [_milliseconds(reader, each) for each in texts]
            embedded = [await _embedding_milliseconds(system, each) for each in texts]
            usual += took if name in _USUAL else []
            cases[name] = _figures(took, embedded)
            progress.advance(task, len(texts))
        for name, text in awkward_messages().items():
            cases[name] = _figures([_milliseconds(reader, text) for _ in range(_AWKWARD_TIMES)])
        metrics: Figures = {
            "usual_p50_ms": percentile(usual, 50),
            "usual_p95_ms": percentile(usual, 95),
            "start_seconds": percentile([_start_seconds() for _ in range(_STARTS)], 50),
            "weights_mb": sum(each.stat().st_size for each in _weights()) / 1e6,
        }
        return Report(
            dataset="bench-reading",
            settings=describe(system, messages=len(said)),
            metrics=metrics,
            by_category=cases,
            checks=checks.check(metrics, checks.BENCH_READING),
        )


def _weights() -> list[Path]:
    folder = Path(memory.understanding.__file__).parent
    return [each for each in folder.iterdir() if each.suffix in {".npz", ".onnx"}]


def _by_length(texts: Sequence[str]) -> dict[str, list[str]]:
    classes: dict[str, list[str]] = {name: [] for name in _CLASSES}
    for text in texts:
        name = max(_CLASSES, key=lambda each: (_CLASSES[each] <= len(text), _CLASSES[each]))
        classes[name].append(text)
    return {name: texts for name, texts in classes.items() if texts}


def _milliseconds(reader: OfflineReader, text: str) -> float:
    began = time.perf_counter()
    reader.read(Message(text, local_clock()))
    return (time.perf_counter() - began) * 1000


async def _embedding_milliseconds(system: System, text: str) -> float:
    began = time.perf_counter()
    await system.embedder.embed_query(text)
    return (time.perf_counter() - began) * 1000


def _figures(took: Sequence[float], embedded: Sequence[float] = ()) -> Figures:
    """`ratio` is how many times as long as its vector a message takes."""
    middle, plain = percentile(took, 50), percentile(embedded, 50)
    return {
        "messages": len(took),
        "p50_ms": middle,
        "p95_ms": percentile(took, 95),
        "ratio": middle / plain if middle and plain else None,
    }


def _start_seconds() -> float:
    """From nothing to the first reading, in a process of its own."""
    done = subprocess.run(  # noqa: S603 - our own interpreter and words
        [sys.executable, "-c", _START], capture_output=True, check=True, text=True, timeout=60
    )
    return float(done.stdout)
