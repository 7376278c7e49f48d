"""What the commands that need no assistant import: with it each would take two seconds more."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIGHT = (
    "app.ops",
    "app.ops.backup",
    "app.ops.backup",
    "app.ops.doctor",
    "app.ops.jobs",
    "app.ops.api_keys",
    "app.services",
    "app.ops.reembed",
    "app.ops.stats",
)


def test_no_command_that_needs_no_assistant_imports_one() -> None:
    program = f"import sys, {', '.join(LIGHT)}; print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", program],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        timeout=60,
        check=True,
        text=True,
    )
    imported = set(ended.stdout.split())
    assert imported.isdisjoint({"agents", "mcp", "fastapi", "app.bootstrap"})
