"""A second judge of the assistant's replies, beside the rules: the configured model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from pydantic import BaseModel

from agent.models.structured import StructuredModel


class Judgement(BaseModel):
    """See `prompts/judge.md` for what each of them means."""

    solves: bool
    cites: bool
    invents: bool
    why: str


class ReplyJudge(Protocol):
    """A second judge, beside the rules."""

    async def judge(
        self,
        task: str,
        reply: str,
        *,
        facts: Sequence[str],
        forbidden: Sequence[str],
        recalled: Sequence[str],
    ) -> Judgement: ...


class ModelJudge:
    """Whether a reply solved its task, and cited its memory as it should (SC-005 of specification
    001)."""

    def __init__(self, model: StructuredModel[Judgement]) -> None:
        self._model = model

    async def judge(
        self,
        task: str,
        reply: str,
        *,
        facts: Sequence[str],
        forbidden: Sequence[str],
        recalled: Sequence[str],
    ) -> Judgement:
        """Raises what the run raises."""
        parts = {
            "task": [task],
            "facts": facts,
            "must_not_hold": forbidden,
            "recalled_memories": recalled,
            "reply": [reply],
        }
        return await self._model.ask("\n".join(_quoted(*each) for each in parts.items()))


def _quoted(name: str, lines: Sequence[str]) -> str:
    """The lines between tags that nothing in them can close."""
    words = "\n".join(lines or ["(none)"]).replace("</", "< /")
    return f"<{name}>\n{words}\n</{name}>"
