"""The recall itself, as specification 001's service interface has it."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from app.rest.answers import WITH_BODY, problems
from app.rest.depends import Asking, Parts, Written
from app.rest.fields import Bank, Query, Space, YesNo
from app.rest.identified import IdentifiedRoute
from memory.models import ItemType, Role
from memory.recalls import MemoryQueryRequest, MemoryQueryResponse
from memory.settings import Settings
from memory.write.banks import bank_to_look_in

router = APIRouter(prefix="/v1/memory", tags=["memory"], route_class=IdentifiedRoute)


class SearchWanted(BaseModel):
    """A question to the memory. `min_score` is the least probability that a memory helps; with
    `explain` the answer says what was left out as well, and why."""

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"query": "Which kayak is mine?"}]}
    )

    query: Query
    space: Space | None = None
    limit: Annotated[int, Field(ge=1, le=100, strict=True)] | None = None
    types: Annotated[list[ItemType], Field(max_length=20)] | None = None
    banks: Annotated[list[Bank], Field(max_length=50)] | None = None
    roles: Annotated[list[Role], Field(max_length=10)] | None = None
    min_score: Annotated[float, Field(ge=0, le=1, strict=True, allow_inf_nan=False)] | None = None
    explain: YesNo = False

    def as_request(self, user_id: str, settings: Settings) -> MemoryQueryRequest:
        """With the settings' own limits where none are named."""
        allowed = settings.memory_banks
        banks = self.banks and [bank_to_look_in(each, allowed) for each in self.banks]
        return MemoryQueryRequest(
            user_id=user_id,
            query=self.query,
            limit=self.limit or settings.max_results,
            space=self.space or settings.keepsake_space,
            types=self.types or None,
            banks=banks or None,
            roles=self.roles or None,
            min_score=settings.min_relevance if self.min_score is None else self.min_score,
            explain=self.explain,
        )


@router.post("/search", responses=problems(*WITH_BODY), operation_id="search_memory")
async def search_memory(
    wanted: SearchWanted, asking: Asking, parts: Parts, origin: Written
) -> MemoryQueryResponse:
    """Recall what helps with a question, best first, within the token budget.

    It never fails for the memory's sake: `error`, `degraded`, `rate_limited` and `off` say why an
    answer is empty or less than it could be.
    """
    request = wanted.as_request(asking.user_id, parts.settings)
    return await parts.memory.recall(request, correlation_id=origin.correlation_id)
