"""`python -m app doctor`: every part is looked at, whatever the others are like."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Sequence
from dataclasses import asdict

import structlog
from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.console import Progress
from app.ops.doctor_checks import (
    Finding,
    State,
    broken,
    check_chat_model,
    check_database,
    check_embedder,
    check_folder,
    check_metrics,
    check_mlflow,
    check_redis,
    check_tokenizer,
    check_traces,
    ok,
)
from app.runner import FAILED, CliCommand, Shutdown
from app.services import ServiceUrls, open_services
from memory.config import Settings
from memory.errors import InvalidSettings, KeepsakeError

_STYLES: dict[State, str] = {"ok": "green", "warning": "yellow", "broken": "bold red"}
_log = structlog.get_logger(__name__)


def print_findings(findings: Sequence[Finding], *, as_json: bool) -> None:
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


PART_SECONDS = 30.0
LOOK_IN_THE_LOG = "look in the log in the data folder, or start with KEEPSAKE_LOG_LEVEL=debug"


def doctor(*, as_json: bool) -> CliCommand:
    """Ends with 1 where something is broken; warnings alone end with 0."""

    async def command(settings: Settings, _leaving: Shutdown) -> int:
        findings = await examine(settings, Progress())
        print_findings(findings, as_json=as_json)
        return FAILED if any(each.state == "broken" for each in findings) else 0

    return command


async def examine(settings: Settings, progress: Progress) -> list[Finding]:
    """In the order in which one part needs another."""
    findings = [_settings(settings)]
    findings += await asyncio.to_thread(check_folder, settings)
    findings += await _guarded("tokenizer", check_tokenizer())
    try:
        async with open_services(settings, progress) as (addresses, _services):
            findings += await _services_of(settings, addresses)
    except KeepsakeError as error:
        findings.append(broken("services", str(error), "mend that first, then ask again"))
    findings += await _guarded("chat model", check_chat_model(settings))
    findings += await _guarded("MLflow", check_mlflow(settings))
    findings += await _guarded("metrics", check_metrics(settings))
    findings += await _guarded("traces", check_traces(settings))
    return findings


def _settings(settings: Settings) -> Finding:
    given = sorted(name.upper() for name in settings.model_fields_set - {"keepsake_user"})
    return ok("settings", f"{len(given)} set: {', '.join(given)}" if given else "the defaults")


async def _services_of(settings: Settings, addresses: ServiceUrls) -> list[Finding]:
    return [
        *await _guarded("database", _database(settings, addresses)),
        *await _guarded("Redis", check_redis(addresses)),
        *await _guarded("embedding", check_embedder(settings, addresses)),
    ]


async def _database(settings: Settings, addresses: ServiceUrls) -> list[Finding]:
    findings: list[Finding] = []
    try:
        findings.extend([each async for each in check_database(settings, addresses)])
    except KeepsakeError as error:
        findings.append(broken("database", str(error), "mend that first, then ask again"))
    return findings


async def _guarded(part: str, looking: Awaitable[Finding | Sequence[Finding]]) -> list[Finding]:
    """One part that cannot be looked at does not hide the others."""
    try:
        async with asyncio.timeout(PART_SECONDS):
            found = await looking
    except TimeoutError:
        return [broken(part, f"gave no answer within {PART_SECONDS:.0f} seconds", LOOK_IN_THE_LOG)]
    except InvalidSettings as error:
        return [broken(part, str(error), "mend the settings: nothing starts with them")]
    except KeepsakeError as error:
        return [broken(part, str(error), LOOK_IN_THE_LOG)]
    except Exception as error:  # it is what this command is there to find
        _log.error("doctor", part=part, exc_info=error)
        return [broken(part, f"failed with {type(error).__name__}", LOOK_IN_THE_LOG)]
    return [found] if isinstance(found, Finding) else list(found)
