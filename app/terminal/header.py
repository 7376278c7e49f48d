"""The first lines of a chat. Pure but for what it is told."""

from __future__ import annotations

from importlib.metadata import version
from urllib.parse import urlsplit

from agent.wording.wording import IN_ENGLISH
from memory.models import Privacy
from memory.settings import Settings
from memory.store.modes import SpaceSettings


def header_lines(settings: Settings, user_id: str) -> list[str]:
    """Who you are and who answers, where the data lies, and how to find out more."""
    answers = f"{settings.openai_model}{_server(settings)}" if settings.has_model else "offline"
    lines = [f"Keepsake {version('keepsake')} · you are {user_id} · {answers}"]
    if not settings.has_model:
        lines.append(IN_ENGLISH.say("about_me"))
    return [*lines, f"/help shows what can be typed · your data: {_place(settings)}"]


def mode_lines(known: SpaceSettings, privacy: Privacy) -> list[str]:
    """A line where memory is not on, or the conversation incognito; else none."""
    lines = []
    if known.memory_mode != "full":
        name = known.memory_mode.replace("_", "-")
        lines.append(f"Memory is {name} in this space. /memory on changes that.")
    if privacy != "normal":
        lines.append(
            "This conversation is incognito: nothing of it is kept. /incognito off ends it."
        )
    return lines


def _server(settings: Settings) -> str:
    host = urlsplit(settings.openai_base_url or "").hostname
    return f" at {host}" if host else ""


def _place(settings: Settings) -> str:
    """The folder, or the database server by its name alone: a URL may carry a password."""
    if settings.database_url is None:
        return str(settings.keepsake_home)
    url = urlsplit(settings.database_url.get_secret_value())
    return f"database {url.path.lstrip('/') or 'by its URL'} at {url.hostname or 'this machine'}"
