"""Everything under `/v1/memory`."""

from __future__ import annotations

from fastapi import APIRouter

from app.rest import (
    audit,
    doubts,
    entries,
    erasing,
    incognito,
    pins,
    portability,
    search,
    settings,
    summary,
)

router = APIRouter()
_PARTS = (
    summary,
    entries,
    pins,
    settings,
    incognito,
    search,
    doubts,
    audit,
    portability,
    erasing,
)
for each in _PARTS:
    router.include_router(each.router)
