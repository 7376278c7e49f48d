"""CONTRIBUTING, style 1: functions have thirty lines at most."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
ROOMS = ("app", "agent", "memory", "eval", "prompts", "migrations")
MOST = 30


def lengths(source: str) -> Iterator[tuple[str, int]]:
    """Each function with its lines, without those of its docstring, comments and blank ones."""
    lines = source.splitlines()
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        said: set[int] = set()
        first = node.body[0]
        if ast.get_docstring(node) is not None:
            said = set(range(first.lineno, (first.end_lineno or first.lineno) + 1))
        held = set(range(node.lineno, (node.end_lineno or node.lineno) + 1)) - said
        texts = (lines[number - 1].strip() for number in held)
        yield node.name, sum(bool(text) and not text.startswith("#") for text in texts)


def test_no_function_is_longer_than_thirty_lines() -> None:
    files = [path for room in ROOMS for path in (ROOT / room).rglob("*.py")]
    assert len(files) > 300
    assert [
        (str(path.relative_to(ROOT)), name, length)
        for path in files
        for name, length in lengths(path.read_text())
        if length > MOST
    ] == []


def test_what_is_said_of_a_function_does_not_count() -> None:
    source = 'def one():\n    """It\n    says."""\n    # why\n\n    return 1\n'
    assert list(lengths(source)) == [("one", 2)]
