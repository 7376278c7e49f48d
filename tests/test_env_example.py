""".env.example against memory/config/settings.py."""

from __future__ import annotations

import io
import re
from pathlib import Path

from dotenv import dotenv_values

from memory.config import Settings

EXAMPLE = (Path(__file__).parents[1] / ".env.example").read_text(encoding="utf-8")
SHOWN = dict(re.findall(r"^#([A-Z_]+)=(.*)$", EXAMPLE, re.MULTILINE))
FIXED = {
    name.upper(): field.default
    for name, field in Settings.model_fields.items()
    if field.default is not None and field.default_factory is None
}


def test_names_every_setting_once() -> None:
    names = re.findall(r"^#?([A-Z_]+)=", EXAMPLE, re.MULTILINE)
    assert sorted(names) == sorted(name.upper() for name in Settings.model_fields)


def test_sets_nothing_as_it_is() -> None:
    """A copy changes nothing until a line is uncommented."""
    lines = [line for line in EXAMPLE.splitlines() if line.strip()]
    assert all(line.startswith("#") for line in lines)


def test_each_setting_is_explained() -> None:
    """A comment in words stands above each block of settings."""
    for block in EXAMPLE.strip().split("\n\n"):
        assert block.startswith("# "), block


def test_shows_the_default() -> None:
    given = {name: Settings.model_validate({name.lower(): SHOWN[name]}) for name in FIXED}
    assert {name: getattr(each, name.lower()) for name, each in given.items()} == FIXED


def test_every_line_is_a_valid_setting() -> None:
    uncommented = "\n".join(f"{name}={value}" for name, value in SHOWN.items())
    read = dotenv_values(stream=io.StringIO(uncommented))
    Settings.model_validate({name.lower(): value for name, value in read.items()})
