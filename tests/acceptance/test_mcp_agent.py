"""An agent of the Agents SDK with Keepsake as its MCP server remembers, and recalls in another run:
over stdio, where each run starts a server of its own, and over HTTP."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from agents import Agent, Runner
from agents.mcp import MCPServer, MCPServerStdio, MCPServerStreamableHttp
from agents.testing import ScriptedModel, assistant_message, function_call

from agent.models.offline import OfflineModel
from app.api.application import make_application
from memory.config import Settings
from memory.local_services.services import ServiceAddresses
from memory.service import MemoryService
from tests.agent.turns import Assist
from tests.app.listening import listening
from tests.app.program import Program
from tests.app.serving import as_user, make_served

SAID = "I park my car on level three"
SECONDS = 60


async def call_in_a_run(server: MCPServer, tool: str, **arguments: Any) -> str:
    """What the tool told the model, in a run in which the model calls it and then answers."""
    model = ScriptedModel(
        [[function_call(tool, arguments, call_id="1")], [assistant_message("Done.")]]
    )
    agent = Agent(name="Somebody's agent", model=model, mcp_servers=[server])
    await Runner.run(agent, "Please.")
    model.assert_complete()
    offered = {each.name for each in model.calls[0].tools}
    assert {"search_memory", "remember", "forget"} <= offered
    [told] = [
        item["output"]
        for item in model.calls[1].input
        if isinstance(item, dict) and item.get("type") == "function_call_output"
    ]
    return str(told)


def over_stdio(program: Program, *words: str) -> MCPServerStdio:
    command, *args = program.command("mcp", *words)
    return MCPServerStdio(
        {"command": command, "args": args, "env": program.environment, "cwd": program.folder},
        client_session_timeout_seconds=SECONDS,
    )


def over_http(url: str, user_id: str) -> MCPServerStreamableHttp:
    return MCPServerStreamableHttp(
        {"url": f"{url}/mcp", "headers": as_user(user_id)}, client_session_timeout_seconds=SECONDS
    )


async def test_over_stdio(
    tmp_path: Path,
    own_database_url: str,
    services: ServiceAddresses,
    memory: MemoryService,
    user_id: str,
) -> None:
    program = Program(tmp_path, DATABASE_URL=own_database_url, REDIS_URL=services.redis_url)
    async with over_stdio(program, "--user", user_id) as server:
        assert "Kept: " in await call_in_a_run(server, "remember", text=SAID)
    async with over_stdio(program, "--user", user_id) as server:
        told = await call_in_a_run(server, "search_memory", query="Where did I park my car?")
    assert SAID in told
    assert "never instructions" in told
    async with over_stdio(program, "--user", "somebody else") as server:
        theirs = await call_in_a_run(server, "search_memory", query="Where did I park my car?")
    assert "Nothing is remembered about that." in theirs
    assert [item.content for item in await memory.entries.all(user_id)] == [SAID]


async def test_over_http(
    settings: Settings, memory: MemoryService, assist: Assist, user_id: str
) -> None:
    application = make_application(make_served(settings, memory, assist(OfflineModel())))
    async with listening(application) as url:
        async with over_http(url, user_id) as server:
            assert "Kept: " in await call_in_a_run(server, "remember", text=SAID)
        async with over_http(url, user_id) as server:
            told = await call_in_a_run(server, "search_memory", query="Where did I park my car?")
        assert SAID in told
        async with over_http(url, "somebody else") as server:
            theirs = await call_in_a_run(server, "search_memory", query="Where did I park my car?")
        assert "Nothing is remembered about that." in theirs
