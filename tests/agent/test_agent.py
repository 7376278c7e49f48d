from __future__ import annotations

import pytest
from agents import FunctionTool, ModelSettings
from agents.testing import ScriptedModel

from agent.assistant import make_agent

TOLD = {"query", "types", "include_messages", "content", "action", "about", "text"}


@pytest.mark.parametrize("episodes", [False, True])
def test_no_tool_has_a_way_to_name_a_user(episodes: bool) -> None:
    agent = make_agent(ScriptedModel([]), ModelSettings(), episodes=episodes)
    tools = [tool for tool in agent.tools if isinstance(tool, FunctionTool)]
    assert len(tools) == len(agent.tools) > 2
    for tool in tools:
        names = set(tool.params_json_schema["properties"])
        assert not {name for name in names if "user" in name or "owner" in name}
        assert tool.params_json_schema["additionalProperties"] is False


def test_the_tools_of_memory_are_told_these_and_nothing_else() -> None:
    for tool in make_agent(ScriptedModel([]), ModelSettings()).tools:
        assert isinstance(tool, FunctionTool)
        assert set(tool.params_json_schema["properties"]) <= TOLD
