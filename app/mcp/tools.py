"""The tools. What a program may do with memory is what a model in Keepsake may do: it cannot turn
memory on, erase for good, erase everything, or answer for the user what is theirs to answer.

A chat asks the user before it forgets what a model named. Here the client does, which is what the
destructive hint is for; so forgetting takes one id, no words, and can be undone for a day.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Annotated, Any, TypeAlias, TypeVar

from mcp.server.mcpserver import Context
from mcp_types import CallToolResult, TextContent
from pydantic import BaseModel, Field

from app.mcp import readable, shapes
from app.mcp.arguments import (
    Banks,
    GuessedBank,
    GuessedType,
    Limit,
    MemoryId,
    OnlyBank,
    OnlyType,
    OnlyWords,
    PageAfter,
    Query,
    Space,
    Types,
)
from app.mcp.caller import WhoAsks
from app.rest.cursors import cursor_of, place_of
from app.rest.fields import Tags, Words
from app.rest.new_entry import NewEntry
from memory.errors import MessageRefused
from memory.recalls import MemoryQueryRequest
from memory.settings import Settings
from memory.store.memories.listing import EntryFilter
from memory.text import storable
from memory.write.banks import bank_to_look_in

Answer = TypeVar("Answer", bound=BaseModel)
Call: TypeAlias = Context[Any, Any]
ORDERS = "it reads like an order to an assistant, and memory keeps what is true of the user alone."


class Tools:
    """Each finds out whose memory it works on, does one thing, and says what came of it."""

    def __init__(self, who: WhoAsks, settings: Settings) -> None:
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
        context: Call,
        query: Query,
        limit: Annotated[Limit | None, Field(description="The most memories to give.")] = None,
        types: Annotated[Types | None, Field(description="Only memories of these types.")] = None,
        banks: Annotated[Banks | None, Field(description="Only memories of these banks.")] = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, shapes.SearchResult]:
        asked = await self._who(context)
        request = MemoryQueryRequest(
            user_id=asked.user_id,
            query=storable(query),
            limit=limit or self._settings.max_results,
            space=space or self._space,
            types=types,
            banks=None if banks is None else [bank_to_look_in(bank, self._banks) for bank in banks],
            min_score=self._settings.min_relevance,
        )
        response = await asked.memory.recall(request, correlation_id=asked.correlation_id)
        return _told(shapes.search_result(response), readable.search_text)

    async def remember(
        self,
        *,
        context: Call,
        text: Annotated[Words, Field(description="One self-contained sentence.")],
        type: GuessedType = None,  # noqa: A002 - as REST names it
        bank: GuessedBank = None,
        tags: Annotated[Tags | None, Field(description="Words to find it by.")] = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, shapes.Remembered]:
        asked = await self._who(context)
        given = NewEntry(text=text, space=space, type=type, bank=bank, tags=tags or [])
        new = given.as_item(self._settings, datetime.now(UTC))
        if shapes.gives_orders(new.content, new.tags):
            raise MessageRefused(reason=ORDERS)
        outcome = await asked.memory.remember(asked.user_id, new, asked.origin)
        return _told(shapes.remembered(outcome), readable.remembered_text)

    async def forget(
        self,
        *,
        context: Call,
        id: MemoryId,  # noqa: A002
        preview: Annotated[
            bool, Field(description="True only says what would go, and changes nothing.")
        ] = False,
    ) -> Annotated[CallToolResult, shapes.Forgotten]:
        asked = await self._who(context)
        forgetting = asked.memory.forgetting
        shown = shapes.entries_of(await forgetting.preview(asked.user_id, [id]))
        until = None
        if not preview:
            until = (await forgetting.forget(asked.user_id, [id], asked.origin)).undo_until
        told = shapes.Forgotten(done=not preview, memories=shown, undo_until=until)
        return _told(told, readable.forgotten_text)

    async def restore_memory(
        self,
        *,
        context: Call,
        id: MemoryId,  # noqa: A002
    ) -> Annotated[CallToolResult, shapes.Changed]:
        asked = await self._who(context)
        item = await asked.memory.restore(asked.user_id, id, asked.origin)
        return _told(shapes.Changed(entry=shapes.entry_of(item)), readable.restored_text)

    async def list_memories(
        self,
        *,
        context: Call,
        bank: OnlyBank = None,
        type: OnlyType = None,  # noqa: A002
        text: OnlyWords = None,
        limit: Annotated[Limit, Field(description="The most memories of a page.")] = 20,
        cursor: PageAfter = None,
        space: Space = None,
    ) -> Annotated[CallToolResult, shapes.Listed]:
        asked = await self._who(context)
        wanted = EntryFilter(
            space=space or self._space,
            type=type,
            bank=None if bank is None else bank_to_look_in(bank, self._banks),
            text=None if text is None else storable(text),
            after=None if cursor is None else place_of(cursor),
            limit=limit,
        )
        page = await asked.memory.entries.browse(asked.user_id, wanted)
        told = shapes.Listed(
            notice=shapes.notice(),
            memories=shapes.entries_of(page.items),
            next=None if page.next is None else cursor_of(page.next),
        )
        return _told(told, readable.listed_text)

    async def pin_memory(
        self,
        *,
        context: Call,
        id: MemoryId,  # noqa: A002
        pinned: Annotated[bool, Field(description="False takes the pin off.")] = True,
    ) -> Annotated[CallToolResult, shapes.Changed]:
        asked = await self._who(context)
        change = asked.memory.entries.pin if pinned else asked.memory.entries.unpin
        item = await change(asked.user_id, id, asked.origin)
        return _told(shapes.Changed(entry=shapes.entry_of(item)), readable.pinned_text)

    async def memory_summary(
        self, *, context: Call, space: Space = None
    ) -> Annotated[CallToolResult, shapes.Summarised]:
        asked = await self._who(context)
        summary = await asked.memory.entries.summary(asked.user_id, space or self._space)
        return _told(shapes.summarised(summary), readable.summarised_text)


def _told(answer: Answer, say: Callable[[Answer], str]) -> CallToolResult:
    return CallToolResult(
        content=[TextContent(type="text", text=say(answer))],
        structured_content=answer.model_dump(mode="json"),
    )
