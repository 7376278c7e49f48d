"""Schemathesis as it is run here, and what it found."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

import httpx2
from schemathesis import BaseSchema, openapi
from schemathesis.config import (
    CacheConfig,
    ChecksConfig,
    CoveragePhaseConfig,
    ExamplesPhaseConfig,
    FuzzingPhaseConfig,
    GenerationConfig,
    PhasesConfig,
    PositiveDataAcceptanceConfig,
    ProjectConfig,
    ProjectsConfig,
    SchemathesisConfig,
    StatefulPhaseConfig,
)
from schemathesis.engine import events, from_schema
from structlog.testing import capture_logs

SEED = 5
EXAMPLES = 5
STEPS = 6
REQUEST_SECONDS = 60
_DESCRIPTION: dict[str, Any] = {}


@dataclass
class Asked:
    """The statuses that each operation answered with, and what was found wrong."""

    statuses: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    faults: list[str] = field(default_factory=list)

    @property
    def never_well(self) -> set[str]:
        """The operations that gave no good answer."""
        return {
            operation
            for operation, statuses in self.statuses.items()
            if not any(200 <= status < 300 for status in statuses)
        }

    def take(self, event: events.EngineEvent) -> None:
        if isinstance(event, events.FatalError):
            self.faults.append(repr(event.exception))
        elif isinstance(event, events.NonFatalError):
            self.faults.append(f"{event.label}: {event.value!r}")
        elif isinstance(event, events.ScenarioFinished):
            self._take_scenario(event)

    def _take_scenario(self, event: events.ScenarioFinished) -> None:
        for key, interaction in event.recorder.interactions.items():
            if interaction.response is not None:
                operation = event.recorder.cases[key].value.operation.label
                self.statuses[operation].add(interaction.response.status_code)
        for checks in event.recorder.checks.values():
            told = [check.failure_info for check in checks if check.failure_info is not None]
            self.faults += [f"{each.failure}\n{each.code_sample}" for each in told]


def _configuration(
    site: str, headers: dict[str, str], alone: bool, chains: bool
) -> SchemathesisConfig:
    """The same requests in every run. What fits the description may be refused nevertheless, with
    422: a cursor that nobody gave out, fields that contradict one another."""
    generation = GenerationConfig(max_examples=EXAMPLES, deterministic=True, database="none")
    project = ProjectConfig(
        base_url=site,
        headers=headers,
        request_timeout=REQUEST_SECONDS,
        generation=generation,
        checks=ChecksConfig(positive_data_acceptance=PositiveDataAcceptanceConfig(enabled=False)),
        phases=PhasesConfig(
            examples=ExamplesPhaseConfig(enabled=alone),
            coverage=CoveragePhaseConfig(enabled=alone),
            fuzzing=FuzzingPhaseConfig(enabled=alone),
            stateful=StatefulPhaseConfig(enabled=chains, generation=generation, max_steps=STEPS),
        ),
    )
    return SchemathesisConfig(
        seed=SEED,
        cache=CacheConfig(enabled=False),
        projects=ProjectsConfig(default=project),
    )


async def described_by(
    site: str, headers: dict[str, str], *, alone: bool = True, chains: bool = True
) -> BaseSchema:
    """What the application says of itself. With `alone` each operation is asked for itself, with
    `chains` requests are made of what earlier answers told."""
    config = _configuration(site, headers, alone, chains)
    return openapi.from_dict(await _read_description(site), config=config)


async def _read_description(site: str) -> dict[str, Any]:
    """Read once in a process: to write it takes the application a second."""
    if not _DESCRIPTION:
        async with httpx2.AsyncClient(base_url=site, timeout=REQUEST_SECONDS) as client:
            _DESCRIPTION.update((await client.get("/openapi.json")).raise_for_status().json())
    return deepcopy(_DESCRIPTION)


async def ask(schema: BaseSchema) -> Asked:
    """All that Schemathesis makes of a description. An error in mid-stream, or behind an answer, is
    in the log alone."""
    asked = Asked()

    def run() -> None:
        for event in from_schema(schema).execute():
            asked.take(event)

    with capture_logs() as logs:
        await asyncio.to_thread(run)
    asked.faults += [str(entry) for entry in logs if entry["log_level"] in {"error", "critical"}]
    return asked
