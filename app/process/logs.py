"""The log: JSON lines, without anything that people said or that is remembered of them."""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import MutableMapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

import structlog

from app.process.tracebacks import add_trace
from memory.embedded.home import Home
from memory.settings import Settings

ROOMS = ("app", "agent", "memory", "migrations", "prompts")
MAX_BYTES = 5 * 1024 * 1024
OLD_FILES = 2  # beside the one that is written: three in all


def log_file(settings: Settings) -> Path:
    return Home(settings.keepsake_home).logs / "keepsake.log"


def log_to_home(settings: Settings) -> None:
    """Into the data folder, which has been prepared; nothing to the terminal."""
    _configure(PrivateLogFile(log_file(settings)), settings.keepsake_log_level)


def log_to_stdout(settings: Settings) -> None:
    """For a container, whose log is its output."""
    _configure(logging.StreamHandler(sys.stdout), settings.keepsake_log_level)


class PrivateLogFile(RotatingFileHandler):
    """Three files of 5 MB that their owner alone reads, shared by the programs of one home: when
    another of them has turned the file over, this one follows."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, maxBytes=MAX_BYTES, backupCount=OLD_FILES, encoding="utf-8")

    def _open(self) -> TextIOWrapper:
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
        return os.fdopen(os.open(self.baseFilename, flags, 0o600), "a", encoding="utf-8")

    def emit(self, record: logging.LogRecord) -> None:
        try:
            if self.stream is not None and self._turned_over(self.stream):
                self.stream.close()
                self.stream = self._open()
        except OSError:
            self.handleError(record)
        super().emit(record)

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802
        """A full disk is no reason to write on somebody's terminal."""

    def _turned_over(self, written: TextIOWrapper) -> bool:
        try:
            named = Path(self.baseFilename).stat()
        except OSError:
            return True
        return not os.path.samestat(named, os.fstat(written.fileno()))


def _configure(handler: logging.Handler | logging.StreamHandler[TextIO], level: str) -> None:
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        add_trace,
    ]
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[_without_words, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False, default=_name_of),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for room in ROOMS:
        logging.getLogger(room).setLevel(level.upper())
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *shared,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _without_words(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Of a library's warning the place it comes from: its words may quote a prompt or a reply."""
    record: logging.LogRecord = event["_record"]
    event["event"] = f"{record.module}:{record.lineno}"
    return event


def _name_of(value: object) -> str:
    return str(value) if isinstance(value, os.PathLike) else type(value).__name__
