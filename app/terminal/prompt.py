"""Where a person types."""

from __future__ import annotations

from collections.abc import Iterable

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from app.terminal.commands import COMMANDS
from app.terminal.turns import Turns
from app.terminal.typed import TypedHistory, history_file

PROMPT = "› "
INCOGNITO_PROMPT = "incognito › "
MENU_ROWS = 8


def make_prompt(turns: Turns) -> PromptSession[str]:
    """Enter sends, Alt-Enter and a paste make new lines, Tab completes commands. What is typed
    incognito is not written down."""
    home = turns.keepsake.settings.keepsake_home
    history = TypedHistory(
        history_file(home, turns.user_id), writes=lambda: turns.privacy == "normal"
    )
    return PromptSession(
        lambda: PROMPT if turns.privacy == "normal" else INCOGNITO_PROMPT,
        history=history,
        completer=_Commands(),
        complete_while_typing=False,
        key_bindings=_keys(),
        prompt_continuation=" " * len(PROMPT),
        reserve_space_for_menu=MENU_ROWS,
    )


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
