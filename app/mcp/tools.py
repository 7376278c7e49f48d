"""The tools, and whose memory each call works on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, TypeAlias, TypeVar
from uuid import UUID

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from app.mcp.results import (
    ToolForgetResult,
    ToolMemoryPage,
    ToolMemoryResult,
    ToolSearchResult,
    ToolSummary,
    ToolWriteResult,
    forgotten_text,
    is_injection,
    listed_text,
    notice,
    pinned_text,
    remembered_text,
    restored_text,
    search_text,
    summarised_text,
    to_search_result,
    to_summary,
    to_tool_memories,
    to_tool_memory,
    to_write_result,
)
from app.schemas.fields import BankName, MemoryText, SearchText, SpaceName, TagNames
from app.schemas.memories import NewEntry
from app.schemas.pagination import Cursor, decode_place, encode_place
from memory.config import Settings
from memory.errors import MessageRefused
from memory.ingestion.classification import bank_for_search
from memory.service import MemoryService
from memory.store.memories import MemoryFilter
from memory.text import to_storable
from memory.types import MemoryQueryRequest, MemoryType, Origin
from prompts import load_prompt


@dataclass(frozen=True)
class ToolCall:
    """One call: whose memory, found out anew and never an argument of the tool, and under which id
    the log and the audit know it."""

    memory: MemoryService
    user_id: str
    correlation_id: UUID

    @property
    def origin(self) -> Origin:
        """The assistant: a tool is called by a model, on its own reading of what the user wants.
        The audit then tells what programs did from what the user did by hand, as it does for the
        tools of Keepsake's own model."""
        return Origin("assistant", self.correlation_id)


IdentifyCall: TypeAlias = Callable[[Context[Any, Any]], Awaitable[ToolCall]]


Limit = Annotated[int, Field(ge=1, le=50)]
Query = Annotated[
    str, Field(min_length=1, max_length=2000, description=load_prompt("query_memory_query"))
]
Types = Annotated[list[MemoryType], Field(max_length=7)]
Banks = Annotated[list[BankName], Field(max_length=50)]
GuessedType = Annotated[
    MemoryType | None, Field(description="Found out from the words where it is left out.")
]
GuessedBank = Annotated[
    BankName | None, Field(description="Found out from the words where it is left out.")
]
Space = Annotated[
    SpaceName | None,
    Field(
        description="A project or a part of life with memories of its own. Leave it out for the "
        "usual one; name one only where the user did."
    ),
]
OnlyBank = Annotated[BankName | None, Field(description="Only memories of this bank.")]
OnlyType = Annotated[MemoryType | None, Field(description="Only memories of this type.")]
OnlyWords = Annotated[
    SearchText | None, Field(description="Only memories with these words in them.")
]
PageAfter = Annotated[
    Cursor | None, Field(description="`next` of the page before; left out at first.")
]
MemoryId = Annotated[UUID, Field(description="The id of the memory, as a tool showed it.")]


Answer = TypeVar("Answer", bound=BaseModel)
ToolContext: TypeAlias = Context[Any, Any]
ORDER_REFUSED = (
    "it reads like an order to an assistant, and memory keeps what is true of the user alone."
)


class MemoryTools:
    """Each finds out whose memory it works on, does one thing, and says what came of it. A program
    may do what a model in Keepsake may do: it cannot turn memory on, erase for good, erase
    everything, or answer for the user what is theirs to answer."""

    def __init__(self, who: IdentifyCall, settings: Settings) -> None:
        self._who = who
        self._space = settings.keepsake_space
        self._banks = settings.memory_banks
        self._settings = settings

    @property
    def functions(self) -> Sequence[Callable[..., Any]]:
        return (
            self.search_memory,
            self.remember,
            self.forget,
            self.restore_memory,
            self.list_memories,
            self.pin_memory,
            self.memory_summary,
        )

    async def search_memory(
        self,
        *,
        context: ToolContext,
        query: Query,
        limit: Annotated[Limit | None, Field(description="The most memories to give.")] = None,
        types: Annotated[Types | None, Field(description="Only memories of these types.")] = None,
        banks: Annotated[Banks | None, Field(description="Only memories of these banks.")] = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, ToolSearchResult]:
        asked = await self._who(context)
        request = MemoryQueryRequest(
            user_id=asked.user_id,
            query=to_storable(query),
            limit=limit or self._settings.max_results,
            space=space or self._space,
            types=types,
            banks=None if banks is None else [bank_for_search(bank, self._banks) for bank in banks],
            min_score=self._settings.min_relevance,
        )
        response = await asked.memory.recall(request, correlation_id=asked.correlation_id)
        return _result(to_search_result(response), search_text)

    async def remember(
        self,
        *,
        context: ToolContext,
        text: Annotated[MemoryText, Field(description="One self-contained sentence.")],
        type: GuessedType = None,  # noqa: A002 - as REST names it
        bank: GuessedBank = None,
        tags: Annotated[TagNames | None, Field(description="Words to find it by.")] = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, ToolWriteResult]:
        asked = await self._who(context)
        given = NewEntry(text=text, space=space, type=type, bank=bank, tags=tags or [])
        new = given.as_item(self._settings, datetime.now(UTC))
        if is_injection(new.content, new.tags):
            raise MessageRefused(reason=ORDER_REFUSED)
        outcome = await asked.memory.remember(asked.user_id, new, asked.origin)
        return _result(to_write_result(outcome), remembered_text)

    async def forget(
        self,
        *,
        context: ToolContext,
        id: MemoryId,  # noqa: A002
        preview: Annotated[
            bool, Field(description="True only says what would go, and changes nothing.")
        ] = False,
    ) -> Annotated[CallToolResult, ToolForgetResult]:
        asked = await self._who(context)
        forgetting = asked.memory.forgetting
        shown = to_tool_memories(await forgetting.preview(asked.user_id, [id]))
        until = None
        if not preview:
            until = (await forgetting.forget(asked.user_id, [id], asked.origin)).undo_until
        told = ToolForgetResult(done=not preview, memories=shown, undo_until=until)
        return _result(told, forgotten_text)

    async def restore_memory(
        self,
        *,
        context: ToolContext,
        id: MemoryId,  # noqa: A002
    ) -> Annotated[CallToolResult, ToolMemoryResult]:
        asked = await self._who(context)
        item = await asked.memory.restore(asked.user_id, id, asked.origin)
        return _result(ToolMemoryResult(entry=to_tool_memory(item)), restored_text)

    async def list_memories(
        self,
        *,
        context: ToolContext,
        bank: OnlyBank = None,
        type: OnlyType = None,  # noqa: A002
        text: OnlyWords = None,
        limit: Annotated[Limit, Field(description="The most memories of a page.")] = 20,
        cursor: PageAfter = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, ToolMemoryPage]:
        asked = await self._who(context)
        wanted = MemoryFilter(
            space=space or self._space,
            type=type,
            bank=None if bank is None else bank_for_search(bank, self._banks),
            text=None if text is None else to_storable(text),
            after=None if cursor is None else decode_place(cursor),
            limit=limit,
        )
        page = await asked.memory.entries.browse(asked.user_id, wanted)
        told = ToolMemoryPage(
            notice=notice(),
            memories=to_tool_memories(page.items),
            next=None if page.next is None else encode_place(page.next),
        )
        return _result(told, listed_text)

    async def pin_memory(
        self,
        *,
        context: ToolContext,
        id: MemoryId,  # noqa: A002
        pinned: Annotated[bool, Field(description="False takes the pin off.")] = True,
    ) -> Annotated[CallToolResult, ToolMemoryResult]:
        asked = await self._who(context)
        change = asked.memory.entries.pin if pinned else asked.memory.entries.unpin
        item = await change(asked.user_id, id, asked.origin)
        return _result(ToolMemoryResult(entry=to_tool_memory(item)), pinned_text)

    async def memory_summary(
        self, *, context: ToolContext, space: Space = None
    ) -> Annotated[CallToolResult, ToolSummary]:
        asked = await self._who(context)
        summary = await asked.memory.entries.summary(asked.user_id, space or self._space)
        return _result(to_summary(summary), summarised_text)


def _result(answer: Answer, say: Callable[[Answer], str]) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=say(answer))],
        structured_content=answer.model_dump(mode="json"),
    )
