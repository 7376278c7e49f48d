from __future__ import annotations

import json

from memory.local_services.services import ServiceAddresses
from tests.app.program import MakeProgram

COMMANDS = (["serve"], ["doctor"])


def test_a_fresh_installation_is_well_and_says_so_in_json(make_program: MakeProgram) -> None:
    ended = make_program().run("doctor", "--json", code=0)
    findings = {each["part"]: each for each in json.loads(ended.stdout)}
    assert {"settings", "data folder", "PostgreSQL", "schema", "Redis", "embedding"} <= set(
        findings
    )
    assert not [each for each in findings.values() if each["state"] == "broken"]


def test_a_database_that_is_away_does_not_hide_the_rest(make_program: MakeProgram) -> None:
    nowhere = "postgresql://ada@127.0.0.1:1/keepsake"
    ended = make_program(DATABASE_URL=nowhere).run("doctor", code=1)
    lines = ended.stdout.splitlines()
    assert any(line.startswith("broken\tdatabase: ") and "->" in line for line in lines)
    assert any(line.startswith("ok\tRedis: ") for line in lines)


def test_settings_that_are_refused_at_start_are_refused_with_the_same_words(
    make_program: MakeProgram,
) -> None:
    for wrong in ({"RETENTION_RULES": "Wrok/fact:365"}, {"METRICS_HOST": "http://127.0.0.1"}):
        said = [make_program(**wrong).run(*command, code=2).stderr for command in COMMANDS]
        assert said[0] == said[1]
        assert next(iter(wrong)) in said[0]


def test_settings_with_which_nothing_starts_are_broken(
    make_program: MakeProgram, database_url: str, services: ServiceAddresses
) -> None:
    given = {"DATABASE_URL": database_url, "REDIS_URL": services.redis_url}
    endpoint = "http://127.0.0.1:1"
    ended = make_program(OTEL_EXPORTER_OTLP_ENDPOINT=endpoint, **given).run("doctor", code=1)
    [line] = [each for each in ended.stdout.splitlines() if "\ttraces: " in each]
    assert line.startswith("broken") and "pip install 'keepsake[otel]'" in line
