"""Every text a model is given, one file each, and how data is quoted to it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def load_prompt(name: str) -> str:
    """The text of `prompts/{name}.md`, without the newline at its end."""
    return files("prompts").joinpath(f"{name}.md").read_text(encoding="utf-8").strip()


def quote_json(data: Any) -> str:
    """As JSON whose strings stay on their line, and close neither their quotes nor a tag."""
    text = json.dumps(data, ensure_ascii=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e")
