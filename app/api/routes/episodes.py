"""Episodes: tasks with what was done and how it ended (004, 2.3)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.api.dependencies import (
    AuditContext,
    AuthenticatedRoute,
    CurrentSpace,
    CurrentUser,
    Services,
)
from app.api.idempotency import Idempotent
from app.api.openapi import BODY_ERRORS, problem_responses, response_links
from app.schemas.episodes import (
    ActionRequest,
    EpisodeCompletion,
    EpisodeId,
    EpisodeList,
    EpisodeMatch,
    EpisodeMatchList,
    EpisodeRecord,
    EpisodeStart,
    SimilarEpisodesQuery,
)
from app.schemas.fields import PageSize
from app.schemas.pagination import CursorParam, decode_place, encode_place
from memory.store.memories import PageCursor

router = APIRouter(prefix="/v1", tags=["episodes"], route_class=AuthenticatedRoute)
_NEXT = response_links("/id", "read_episode", "record_action", "complete_episode", "delete_episode")


@router.post(
    "/episodes",
    status_code=201,
    responses=problem_responses(404, 409, *BODY_ERRORS)
    | {201: {"description": "It is begun.", "links": _NEXT}},
    operation_id="start_episode",
)
async def start_episode(
    begun: EpisodeStart,
    response: Response,
    *,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> EpisodeRecord:
    """Begin an episode: what is done for the task is recorded in it.

    Secrets are taken out of every text. Of those that go on the 20 newest stay.
    """
    episodes = parts.memory.episodes
    if once.done is not None:
        episode = await episodes.read(asking.user_id, once.done.ids["episode"][0])
    else:
        new = begun.as_new(parts.settings.keepsake_space)
        episode = await episodes.start(asking.user_id, new, origin)
        await once.finish(201, ids={"episode": (episode.id,)})
    response.headers["Location"] = f"/v1/episodes/{episode.id}"
    return EpisodeRecord.of(episode, parts.settings.episode_midpoint)


@router.get("/episodes", responses=problem_responses(), operation_id="list_episodes")
async def list_episodes(
    space: CurrentSpace,
    asking: CurrentUser,
    parts: Services,
    cursor: CursorParam = None,
    limit: PageSize = 50,
) -> EpisodeList:
    """List the episodes of a space, the newest first."""
    after = None if cursor is None else decode_place(cursor)
    found = await parts.memory.episodes.browse(asking.user_id, space, after=after, limit=limit + 1)
    page = found[:limit]
    more = (
        PageCursor(created_at=page[-1].created_at, id=page[-1].id) if len(found) > limit else None
    )
    return EpisodeList(
        episodes=[EpisodeRecord.of(each, parts.settings.episode_midpoint) for each in page],
        next=None if more is None else encode_place(more),
    )


@router.get("/episodes/{id}", responses=problem_responses(404), operation_id="read_episode")
async def read_episode(
    episode_id: EpisodeId, asking: CurrentUser, parts: Services
) -> EpisodeRecord:
    """Read an episode."""
    episode = await parts.memory.episodes.read(asking.user_id, episode_id)
    return EpisodeRecord.of(episode, parts.settings.episode_midpoint)


@router.post(
    "/episodes/{id}/actions",
    responses=problem_responses(404, 409, *BODY_ERRORS),
    operation_id="record_action",
)
async def record_action(
    episode_id: EpisodeId,
    done: ActionRequest,
    *,
    asking: CurrentUser,
    parts: Services,
    once: Idempotent,
) -> EpisodeRecord:
    """Record one thing that was done; an episode has room for 200, of 200 kB together."""
    episodes = parts.memory.episodes
    if once.done is not None:
        episode = await episodes.read(asking.user_id, once.done.ids["episode"][0])
    else:
        episode = await episodes.record(asking.user_id, episode_id, done.as_new())
        await once.finish(200, ids={"episode": (episode.id,)})
    return EpisodeRecord.of(episode, parts.settings.episode_midpoint)


@router.post(
    "/episodes/{id}/complete",
    responses=problem_responses(404, 409, *BODY_ERRORS),
    operation_id="complete_episode",
)
async def complete_episode(
    episode_id: EpisodeId,
    ended: EpisodeCompletion,
    *,
    asking: CurrentUser,
    parts: Services,
    origin: AuditContext,
    once: Idempotent,
) -> EpisodeRecord:
    """End an episode with its outcome.

    Where there are more than are kept, those go from which there is the least to learn.
    """
    episodes = parts.memory.episodes
    if once.done is not None:
        episode = await episodes.read(asking.user_id, once.done.ids["episode"][0])
    else:
        ending = ended.as_ending()
        episode = await episodes.complete(asking.user_id, episode_id, ending, origin)
        await once.finish(200, ids={"episode": (episode.id,)})
    return EpisodeRecord.of(episode, parts.settings.episode_midpoint)


@router.delete(
    "/episodes/{id}",
    status_code=204,
    responses=problem_responses(404),
    operation_id="delete_episode",
)
async def delete_episode(
    episode_id: EpisodeId, asking: CurrentUser, parts: Services, origin: AuditContext
) -> None:
    """Remove an episode for good."""
    await parts.memory.episodes.delete(asking.user_id, episode_id, origin)


@router.post(
    "/similar-episodes",
    responses=problem_responses(409, *BODY_ERRORS),
    operation_id="similar_episodes",
)
async def similar_episodes(
    sought: SimilarEpisodesQuery, asking: CurrentUser, parts: Services
) -> EpisodeMatchList:
    """Find the episodes that were most like a task, with what was learned and what did not work.

    Only those that have ended, and none where memory is off. Texts that give orders to an assistant
    are left out.
    """
    space = sought.space or parts.settings.keepsake_space
    found = await parts.memory.episodes.similar(
        asking.user_id, sought.task, space, limit=sought.limit
    )
    midpoint = parts.settings.episode_midpoint
    return EpisodeMatchList(
        episodes=[
            EpisodeMatch(
                likeness=round(each.likeness, 4), episode=EpisodeRecord.of(each.episode, midpoint)
            )
            for each in found
        ]
    )
