"""What the scripts read of the answers is what `/openapi.json` describes: the shapes that are
written down in `shapes.js`, and every name with an underscore, which in a script is never ours."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import httpx2
import pytest

from tests.app.web.test_pages import SCRIPTS, STATIC, name_of

# The others read the tokens of markdown-it, which have such names too.
READERS = [each for each in SCRIPTS if each.parent.name != "markdown"]
SHAPES = STATIC / "js" / "shapes.js"
SHAPE = re.compile(r"@typedef \{object\} (\w+)")
PROPERTY = re.compile(r"@property \{([^}]+)\} (\w+)")
NAMED = re.compile(r"import\(\"[./]*shapes\.js\"\)\.(\w+)")
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
# In a script our names are written likeThis and LIKE_THIS: what is written like_this is the API's.
TOLD = re.compile(r"(?<![\w/-])[a-z]+(?:_[a-z]+)+(?![\w-])")
SIMPLE = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean"}


def shapes() -> dict[str, dict[str, str]]:
    """The properties of each shape with their types."""
    found: dict[str, dict[str, str]] = {}
    for line in SHAPES.read_text("utf-8").splitlines():
        if shape := SHAPE.search(line):
            properties = found[shape[1]] = {}
        elif given := PROPERTY.search(line):
            properties[given[2]] = given[1]
    return found


def type_of(schema: Mapping[str, Any], known: Mapping[str, Any]) -> str:
    """As JSDoc writes it; of an enumeration the type of its values."""
    if "$ref" in schema:
        name = str(schema["$ref"]).rpartition("/")[2]
        return name if known[name].get("type") == "object" else type_of(known[name], known)
    if "anyOf" in schema:
        return "|".join(type_of(each, known) for each in schema["anyOf"])
    match schema.get("type"):
        case "array":
            return f"{type_of(schema['items'], known)}[]"
        case "object":
            return f"Object<string, {type_of(schema['additionalProperties'], known)}>"
        case kind:
            return SIMPLE.get(str(kind), str(kind))


def names_in(described: Any) -> Iterator[str]:
    """Of properties and parameters, and the values of enumerations."""
    if isinstance(described, dict):
        yield from described.get("properties", {})
        yield from (each for each in described.get("enum", []) if isinstance(each, str))
        if isinstance(described.get("name"), str):
            yield described["name"]
        described = list(described.values())
    if isinstance(described, list):
        for each in described:
            yield from names_in(each)


@pytest.fixture
async def document(anyone: httpx2.AsyncClient) -> dict[str, Any]:
    described: dict[str, Any] = (await anyone.get("/openapi.json")).json()
    return described


async def test_each_shape_is_as_the_api_describes_it(document: dict[str, Any]) -> None:
    known = document["components"]["schemas"]
    read = shapes()

    assert len(read) > 20
    assert set(read) <= set(known)
    for shape, properties in read.items():
        described = known[shape]["properties"]
        missing = set(properties) - set(described)
        assert not missing, f"{shape} has no {missing}"
        for name, kind in properties.items():
            told = type_of(described[name], known)
            assert kind == told, f"{shape}.{name} is {told}"


async def test_every_name_of_the_api_in_a_script_is_one(document: dict[str, Any]) -> None:
    known = set(names_in(document))

    for script in READERS:
        read = set(TOLD.findall(COMMENT.sub("", script.read_text("utf-8"))))
        assert read <= known, f"{name_of(script)}: {read - known}"


def test_a_shape_says_only_what_a_script_reads() -> None:
    code = "\n".join(COMMENT.sub("", each.read_text("utf-8")) for each in SCRIPTS)
    words = set(re.findall(r"\w+", code))

    unread = {name for properties in shapes().values() for name in properties} - words
    assert unread == set()


def test_the_scripts_name_shapes_that_are_there() -> None:
    named = {name for each in SCRIPTS for name in NAMED.findall(each.read_text("utf-8"))}

    assert named
    assert named <= set(shapes())


def test_a_type_is_written_as_in_a_comment() -> None:
    known = json.loads('{"One": {"type": "object"}, "Kind": {"type": "string", "enum": ["a"]}}')
    maybe = {"anyOf": [{"$ref": "#/components/schemas/One"}, {"type": "null"}]}

    assert type_of(maybe, known) == "One|null"
    assert type_of({"$ref": "#/components/schemas/Kind"}, known) == "string"
    assert type_of({"type": "array", "items": {"type": "integer"}}, known) == "number[]"
