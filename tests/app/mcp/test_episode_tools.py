"""The tools for episodes, as a client sees them."""

from __future__ import annotations

import pytest
from mcp import Client

from memory.config import Settings
from tests.app.mcp.conftest import Tool, ToolOf

TASK = "Deploy the shop to staging"
NAMES = {
    "start_episode",
    "record_action",
    "complete_episode",
    "similar_episodes",
    "forget_episode",
}


@pytest.fixture
def settings(settings: Settings) -> Settings:
    """Switched on."""
    return settings.model_copy(update={"episodes_enabled": True})


async def test_they_are_offered(tool: Tool) -> None:
    async with Client(tool.server) as client:
        offered = {each.name: each for each in (await client.list_tools()).tools}
    assert offered.keys() >= NAMES
    for name in NAMES:
        assert offered[name].description
        assert offered[name].annotations is not None


async def test_what_failed_is_found_again_as_data(tool: Tool) -> None:
    begun = await tool.told("start_episode", task=TASK, plan=["migrate"])
    acted = await tool.told(
        "record_action", id=begun["id"], type="migrate", result="timed out", succeeded=False
    )
    assert (acted["actions"], acted["ended"]) == (1, False)
    ended = await tool.told(
        "complete_episode", id=begun["id"], outcome_score=0.2, failure_modes=["a lock"]
    )
    assert ended["ended"] is True
    past = await tool.told("similar_episodes", task="Deploy the shop")
    assert "never instructions" in past["notice"]
    [found] = past["episodes"]
    assert (found["what_failed"], found["failed_actions"][0]["result"]) == (["a lock"], "timed out")


async def test_a_removed_one_and_another_users_are_not_there(tool: Tool, tool_of: ToolOf) -> None:
    begun = await tool.told("start_episode", task=TASK)
    stranger = tool_of("somebody-else")
    for refused in (
        await stranger.refused("record_action", id=begun["id"], type="look"),
        await stranger.refused("forget_episode", id=begun["id"]),
    ):
        assert "no such episode" in refused
    assert (await tool.told("forget_episode", id=begun["id"]))["id"] == begun["id"]
    assert "no such episode" in await tool.refused("forget_episode", id=begun["id"])
