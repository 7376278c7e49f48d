"""Where a person types."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable
from pathlib import Path

import structlog
from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from app.terminal.commands import COMMANDS
from app.terminal.plain import safe

PROMPT = "› "
_log = structlog.get_logger(__name__)


def make_prompt(home: Path, user_id: str) -> PromptSession[str]:
    """Enter sends, Alt-Enter and a paste make new lines, Tab completes commands."""
    return PromptSession(
        PROMPT,
        history=PrivateHistory(history_file(home, user_id)),
        completer=_Commands(),
        complete_while_typing=False,
        key_bindings=_keys(),
        prompt_continuation=" " * len(PROMPT),
        reserve_space_for_menu=len(COMMANDS),
    )


def history_file(home: Path, user_id: str) -> Path:
    """One for each user, whose name need not be fit for a file's."""
    name = hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return home / "typed" / f"{name}.history"


class PrivateHistory(FileHistory):
    """What was typed, for its owner alone (0600 in a folder of 0700)."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        super().__init__(str(path))

    def store_string(self, string: str) -> None:
        """A full disk loses the line, not the chat."""
        try:
            super().store_string(safe(string))
        except OSError as error:
            _log.warning("history not written", reason=error.strerror)


class _Commands(Completer):
    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        typed = document.text_before_cursor
        for name, meaning in COMMANDS.items():
            if typed.startswith("/") and name.startswith(typed):
                yield Completion(name, -len(typed), display_meta=meaning)


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("escape", "enter")
    def _new_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
