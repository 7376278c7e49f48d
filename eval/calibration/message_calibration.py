"""Fits the relevance model of past messages. It learns from the own dialogues alone."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.progress import Progress

from eval.calibration.calibrate import FOLDER, keep_fit
from eval.calibration.dialogues import load_dialogues
from eval.calibration.message_training import MessageGatherer
from eval.system import open_system
from memory.settings import Settings


async def calibrate_messages(
    settings: Settings, console: Console, progress: Progress, folder: Path = FOLDER / "messages"
) -> Path:
    """Writes `<model>.json` into the folder and returns its path.

    Raises DatasetUnreadable, ReportNotWritten, VectorsMissing, RecallIncomplete.
    """
    corpora = load_dialogues()
    async with open_system(settings, console.print) as system:
        with progress:
            training = await MessageGatherer(system).gather(corpora, progress)
        return keep_fit(system, corpora, training, noun="messages", console=console, folder=folder)
