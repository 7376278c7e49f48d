"""Every text a model is given, one file each."""

from __future__ import annotations

from functools import cache
from importlib.resources import files


@cache
def load_prompt(name: str) -> str:
    """The text of `prompts/{name}.md`, without the newline at its end."""
    return files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()
