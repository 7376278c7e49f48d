"""What is not usable about a field, in words."""

from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from app.schemas.fields import PlainText, invalid_fields, invalid_fields_text


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid")

    text: Annotated[str, PlainText, Field(min_length=1, max_length=5)]
    many: list[int] = Field(default=[], max_length=2)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"text": "too long"}, "text: String should have at most 5 characters"),
        ({"text": ""}, "text: String should not be empty"),
        ({"text": "a\0"}, "text: has a NUL character or half a surrogate pair in it"),
        ({"text": 5}, "text: Input should be a valid string"),
        (
            {"text": "a", "many": [1, 2, 3]},
            "many: List should have at most 2 items after validation, not 3",
        ),
        ({"text": "a", "user_id": "b"}, "user_id: Extra inputs are not permitted"),
    ],
    ids=["long", "empty", "nul", "number", "list", "unknown"],
)
def test_it_says_what_the_field_takes(fields: dict[str, object], why: str) -> None:
    with pytest.raises(ValidationError) as refused:
        Sent.model_validate(fields)
    assert invalid_fields_text(refused.value.errors()) == f"Not usable: {why}."


def test_a_body_that_breaks_off_is_told_by_its_place() -> None:
    broken = {"type": "json_invalid", "loc": ("body", 8), "msg": "JSON decode error"}
    [told] = invalid_fields([broken | {"ctx": {"error": "Expecting value"}}])
    assert told == {"where": "body", "why": "This is no JSON (Expecting value, character 8)"}


def test_a_body_of_another_type_is_told_which_to_send() -> None:
    error = {"type": "model_attributes_type", "loc": ("body",), "msg": "…", "input": "text=a"}
    assert "Content-Type: application/json" in invalid_fields_text([error])
