"""What is not usable about a field, in words for whoever filled it in. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

# A body of another type is handed on as text, and then is no object to whoever reads fields of it.
_NO_OBJECT = {"model_attributes_type", "model_type", "dict_type"}
_NOT_JSON = "Send a JSON object, and say so: Content-Type: application/json"


def named(errors: Sequence[Mapping[str, Any]]) -> list[dict[str, str]]:
    """Where each error of pydantic is, and why it is one; never what was sent, which may be
    private."""
    return [{"where": _where(each), "why": _why(each)} for each in errors]


def sentence(errors: Sequence[Mapping[str, Any]]) -> str:
    """All of them in one."""
    said = "; ".join(f"{each['where']}: {each['why']}" for each in named(errors))
    return f"Not usable: {said}."


def _where(error: Mapping[str, Any]) -> str:
    place = error["loc"]
    if error["type"] == "json_invalid":  # a place in the text, which is no field
        place = place[:1]
    return ".".join(map(str, place))


def _why(error: Mapping[str, Any]) -> str:
    kind, told = error["type"], error.get("ctx", {})
    if kind == "json_invalid":
        return f"This is no JSON ({told['error']}, character {error['loc'][-1]})"
    if kind in _NO_OBJECT and tuple(error["loc"]) == ("body",):
        return _NOT_JSON
    if kind == "value_error":
        return str(told["error"])
    if isinstance(error.get("input"), str) and kind == "too_long":
        return f"String should have at most {told['max_length']} characters"
    if isinstance(error.get("input"), str) and kind == "too_short":
        return "String should not be empty"
    return str(error["msg"])
