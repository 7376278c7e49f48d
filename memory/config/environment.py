"""Reads the settings once, from the environment and from `.env`, and from nowhere else."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dotenv.parser import Binding, parse_stream
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from memory.config.settings import ENV_FILE, Settings
from memory.errors import InvalidSettings

OWN_PREFIX = "KEEPSAKE_"


def load_settings(**overrides: Any) -> Settings:
    """The settings of this process. Raises InvalidSettings with one line per fault, no values."""
    _refuse_unknown(os.environ)
    _refuse_unreadable(ENV_FILE)
    try:
        return Settings(**overrides)
    except ValidationError as error:
        raise InvalidSettings(reason="; ".join(_faults(error))) from None


def _refuse_unknown(environment: Mapping[str, str]) -> None:
    known = {name.upper() for name in Settings.model_fields}
    unknown = sorted(n for n in environment if n.startswith(OWN_PREFIX) and n not in known)
    if unknown:
        raise InvalidSettings(reason=f"{', '.join(unknown)} is not a setting (see .env.example)")


def _refuse_unreadable(file: Path) -> None:
    """A line that is not NAME=value would otherwise be left out without a word."""
    try:
        with file.open(encoding="utf-8") as stream:
            lines = [each.original.line for each in parse_stream(stream) if _is_broken(each)]
    except (FileNotFoundError, IsADirectoryError):
        return
    except OSError as error:
        raise InvalidSettings(reason=f"{file} cannot be read ({error.strerror})") from None
    except UnicodeDecodeError:
        raise InvalidSettings(reason=f"{file} is not UTF-8") from None
    if lines:
        raise InvalidSettings(reason=f"{file}, line {lines[0]}: is not of the form NAME=value")


def _is_broken(line: Binding) -> bool:
    return line.error or (line.key is not None and line.value is None)


def _faults(error: ValidationError) -> list[str]:
    return [
        ": ".join([*(str(part).upper() for part in fault["loc"]), _sentence(fault)])
        for fault in error.errors(include_input=False, include_url=False)
    ]


def _sentence(fault: ErrorDetails) -> str:
    if fault["type"] == "extra_forbidden":
        return "is not a setting (see .env.example)"
    return fault["msg"].removeprefix("Value error, ")
