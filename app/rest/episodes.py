"""Episodes: tasks with what was done and how it ended (004, 2.3)."""

from __future__ import annotations

from fastapi import APIRouter, Response

from app.rest.answers import WITH_BODY, links, problems
from app.rest.cursors import From, cursor_of, place_of
from app.rest.depends import Asking, Parts, Written
from app.rest.episode import (
    ActionDone,
    AlikeEpisode,
    AlikeEpisodes,
    Begun,
    Ended,
    Episode,
    EpisodeId,
    EpisodeList,
    Sought,
)
from app.rest.fields import PageSize
from app.rest.identified import IdentifiedRoute
from app.rest.scope import InSpace
from app.server.idempotency import Once
from memory.store.memories.listing import Place

router = APIRouter(prefix="/v1", tags=["episodes"], route_class=IdentifiedRoute)
_NEXT = links("/id", "read_episode", "record_action", "complete_episode", "delete_episode")


@router.post(
    "/episodes",
    status_code=201,
    responses=problems(404, 409, *WITH_BODY)
    | {201: {"description": "It is begun.", "links": _NEXT}},
    operation_id="start_episode",
)
async def start_episode(
    begun: Begun, response: Response, *, asking: Asking, parts: Parts, origin: Written, once: Once
) -> Episode:
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
    return Episode.of(episode, parts.settings.episode_midpoint)


@router.get("/episodes", responses=problems(), operation_id="list_episodes")
async def list_episodes(
    space: InSpace, asking: Asking, parts: Parts, cursor: From = None, limit: PageSize = 50
) -> EpisodeList:
    """List the episodes of a space, the newest first."""
    after = None if cursor is None else place_of(cursor)
    found = await parts.memory.episodes.browse(asking.user_id, space, after=after, limit=limit + 1)
    page = found[:limit]
    more = Place(created_at=page[-1].created_at, id=page[-1].id) if len(found) > limit else None
    return EpisodeList(
        episodes=[Episode.of(each, parts.settings.episode_midpoint) for each in page],
        next=None if more is None else cursor_of(more),
    )


@router.get("/episodes/{id}", responses=problems(404), operation_id="read_episode")
async def read_episode(episode_id: EpisodeId, asking: Asking, parts: Parts) -> Episode:
    """Read an episode."""
    episode = await parts.memory.episodes.read(asking.user_id, episode_id)
    return Episode.of(episode, parts.settings.episode_midpoint)


@router.post(
    "/episodes/{id}/actions", responses=problems(404, 409, *WITH_BODY), operation_id="record_action"
)
async def record_action(
    episode_id: EpisodeId, done: ActionDone, *, asking: Asking, parts: Parts, once: Once
) -> Episode:
    """Record one thing that was done; an episode has room for 200, of 200 kB together."""
    episodes = parts.memory.episodes
    if once.done is not None:
        episode = await episodes.read(asking.user_id, once.done.ids["episode"][0])
    else:
        episode = await episodes.record(asking.user_id, episode_id, done.as_new())
        await once.finish(200, ids={"episode": (episode.id,)})
    return Episode.of(episode, parts.settings.episode_midpoint)


@router.post(
    "/episodes/{id}/complete",
    responses=problems(404, 409, *WITH_BODY),
    operation_id="complete_episode",
)
async def complete_episode(
    episode_id: EpisodeId,
    ended: Ended,
    *,
    asking: Asking,
    parts: Parts,
    origin: Written,
    once: Once,
) -> Episode:
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
    return Episode.of(episode, parts.settings.episode_midpoint)


@router.delete(
    "/episodes/{id}", status_code=204, responses=problems(404), operation_id="delete_episode"
)
async def delete_episode(
    episode_id: EpisodeId, asking: Asking, parts: Parts, origin: Written
) -> None:
    """Remove an episode for good."""
    await parts.memory.episodes.delete(asking.user_id, episode_id, origin)


@router.post(
    "/similar-episodes", responses=problems(409, *WITH_BODY), operation_id="similar_episodes"
)
async def similar_episodes(sought: Sought, asking: Asking, parts: Parts) -> AlikeEpisodes:
    """Find the episodes that were most like a task, with what was learned and what did not work.

    Only those that have ended, and none where memory is off. Texts that give orders to an assistant
    are left out.
    """
    space = sought.space or parts.settings.keepsake_space
    found = await parts.memory.episodes.similar(
        asking.user_id, sought.task, space, limit=sought.limit
    )
    midpoint = parts.settings.episode_midpoint
    return AlikeEpisodes(
        episodes=[
            AlikeEpisode(
                likeness=round(each.likeness, 4), episode=Episode.of(each.episode, midpoint)
            )
            for each in found
        ]
    )
