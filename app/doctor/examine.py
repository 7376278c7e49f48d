"""`python -m app doctor`: every part is looked at, whatever the others are like."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence

import structlog

from app.addresses import Addresses, open_addresses
from app.doctor.database import look_at_database
from app.doctor.finding import Finding, broken, ok
from app.doctor.folder import look_at_folder
from app.doctor.outside import (
    look_at_embedder,
    look_at_metrics,
    look_at_mlflow,
    look_at_model,
    look_at_redis,
    look_at_tokenizer,
    look_at_traces,
)
from app.doctor.showing import show
from app.process.progress import Progress
from app.process.running import FAILED, Command
from app.process.signals import Leaving
from memory.errors import InvalidSettings, KeepsakeError
from memory.settings import Settings

PART_SECONDS = 30.0
LOOK_IN_THE_LOG = "look in the log in the data folder, or start with KEEPSAKE_LOG_LEVEL=debug"
_log = structlog.get_logger(__name__)


def doctor(*, as_json: bool) -> Command:
    """Ends with 1 where something is broken; warnings alone end with 0."""

    async def command(settings: Settings, _leaving: Leaving) -> int:
        findings = await examine(settings, Progress())
        show(findings, as_json=as_json)
        return FAILED if any(each.state == "broken" for each in findings) else 0

    return command


async def examine(settings: Settings, progress: Progress) -> list[Finding]:
    """In the order in which one part needs another."""
    findings = [_settings(settings)]
    findings += await asyncio.to_thread(look_at_folder, settings)
    findings += await _guarded("tokenizer", look_at_tokenizer())
    try:
        async with open_addresses(settings, progress) as (addresses, _services):
            findings += await _services_of(settings, addresses)
    except KeepsakeError as error:
        findings.append(broken("services", str(error), "mend that first, then ask again"))
    findings += await _guarded("chat model", look_at_model(settings))
    findings += await _guarded("MLflow", look_at_mlflow(settings))
    findings += await _guarded("metrics", look_at_metrics(settings))
    findings += await _guarded("traces", look_at_traces(settings))
    return findings


def _settings(settings: Settings) -> Finding:
    given = sorted(name.upper() for name in settings.model_fields_set - {"keepsake_user"})
    return ok("settings", f"{len(given)} set: {', '.join(given)}" if given else "the defaults")


async def _services_of(settings: Settings, addresses: Addresses) -> list[Finding]:
    return [
        *await _guarded("database", _database(settings, addresses)),
        *await _guarded("Redis", look_at_redis(addresses)),
        *await _guarded("embedding", look_at_embedder(settings, addresses)),
    ]


async def _database(settings: Settings, addresses: Addresses) -> list[Finding]:
    findings: list[Finding] = []
    try:
        findings.extend([each async for each in look_at_database(settings, addresses)])
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
