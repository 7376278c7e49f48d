"""The findings as a table, as plain lines, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.doctor.finding import Finding, State

_STYLES: dict[State, str] = {"ok": "green", "warning": "yellow", "broken": "bold red"}


def show(findings: Sequence[Finding], *, as_json: bool) -> None:
    """On stdout: a table on a terminal, one line for each part where it is piped."""
    console = Console(highlight=False)
    if as_json:
        print(json.dumps([asdict(each) for each in findings], ensure_ascii=False, indent=2))  # noqa: T201
    elif console.is_terminal:
        console.print(_table(findings))
    else:
        print("\n".join(map(_line, findings)))  # noqa: T201


def _table(findings: Sequence[Finding]) -> Table:
    table = Table("part", "state", "found", "how to mend it", box=None, pad_edge=False)
    for each in findings:
        state = Text(each.state, style=_STYLES[each.state])
        table.add_row(Text(each.part), state, Text(each.found), Text(each.mend))
    return table


def _line(finding: Finding) -> str:
    mend = f" -> {finding.mend}" if finding.mend else ""
    return f"{finding.state}\t{finding.part}: {finding.found}{mend}"
