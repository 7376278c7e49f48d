"""The log: JSON lines, without anything that people said or that is remembered of them."""

from __future__ import annotations

import logging
import os
import sys
import traceback
from collections.abc import Iterator, MutableMapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Any, TextIO

import structlog

from memory.config import Settings
from memory.errors import KeepsakeError
from memory.local_services.data_folder import DataFolder

# Theirs are written here or by the system; a validation or database error quotes its input.
_SAFE_MESSAGES: tuple[type[BaseException], ...] = (KeepsakeError, OSError)


def add_trace(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Replaces `exc_info` by `trace`: lines of code and names of exceptions."""
    given = event.pop("exc_info", None)
    if isinstance(given, tuple):
        given = given[1]
    error = given if isinstance(given, BaseException) else sys.exception() if given else None
    if error is not None:
        event["trace"] = "".join(trace_lines(error))
    return event


def trace_lines(error: BaseException) -> Iterator[str]:
    """The exception after what it came from; a message only where it cannot hold user text."""
    cause = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    if cause is not None:
        yield from trace_lines(cause)
        yield "and then\n"
    yield from traceback.format_tb(error.__traceback__)
    message = f": {error}" if isinstance(error, _SAFE_MESSAGES) else ""
    yield f"{type(error).__module__}.{type(error).__qualname__}{message}\n"


LOGGED_PACKAGES = ("app", "agent", "memory", "migrations", "prompts")
MAX_BYTES = 5 * 1024 * 1024
OLD_FILES = 2  # beside the one that is written: three in all


def log_file(settings: Settings) -> Path:
    return DataFolder(settings.keepsake_home).logs / "keepsake.log"


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
            foreign_pre_chain=[_drop_message, *shared],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False, default=_type_name),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    for room in LOGGED_PACKAGES:
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


def _drop_message(
    _logger: object, _method: str, event: MutableMapping[str, Any]
) -> MutableMapping[str, Any]:
    """Of a library's warning the place it comes from: its words may quote a prompt or a reply."""
    record: logging.LogRecord = event["_record"]
    event["event"] = f"{record.module}:{record.lineno}"
    return event


def _type_name(value: object) -> str:
    return str(value) if isinstance(value, os.PathLike) else type(value).__name__
