"""What each turn of the writing set did to its user's memories, beside what it should have done.

Pure functions from labels and what was stored to counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from eval.writing.past import Learned, Past, gained_by, living, meets_any, stored_by
from eval.writing.turns import COMMAND, Keep, Turn
from memory.models import KeptItem


@dataclass(frozen=True)
class TurnScore:
    """Counts over one turn. `wanted` leaves out the keeps of a doubtful turn, which need not be
    there at once. `junk` meets none of the turn's keeps; `incomplete` is the part of it that holds
    something of one. `duplicate`, `counted` and `left_active` are None where the memory to repeat
    or to replace was never there."""

    id: str
    thread: str
    category: str
    held_back: bool
    wanted: int
    met: int
    types_right: int
    banks_right: int
    dated: int
    dates_right: int
    stored: int
    junk: int
    incomplete: int
    must_store_nothing: bool
    duplicate: bool | None
    counted: bool | None
    left_active: bool | None
    asked: bool
    asked_needlessly: bool
    wrong_supersedes: int
    latency_ms: float | None
    error: str | None


def score_thread(thread: str, held_back: bool, learned: Sequence[Learned]) -> list[TurnScore]:
    """The scores of a thread's turns, in their order."""
    past = Past()
    scores = []
    for each in learned:
        scores.append(_score(thread, held_back, each, past))
        past.note(each)
    return scores


def _score(thread: str, held_back: bool, learned: Learned, past: Past) -> TurnScore:
    turn = learned.turn
    wanted = () if turn.doubtful else turn.keep
    met = [(keep, found) for keep in wanted if (found := _finds(keep, learned)) is not None]
    dated = [(keep, item) for keep, item in met if keep.occurred_on is not None]
    stored, junk, incomplete = _stored(learned, _welcome(learned, past))
    return TurnScore(
        id=turn.id,
        thread=thread,
        category=turn.category,
        held_back=held_back,
        wanted=len(wanted),
        met=len(met),
        types_right=sum(item.type in keep.type for keep, item in met),
        banks_right=sum(item.bank in keep.bank for keep, item in met),
        dated=len(dated),
        dates_right=sum(_date_is_right(turn, keep, item) for keep, item in dated),
        stored=stored,
        junk=junk,
        incomplete=incomplete,
        must_store_nothing=not turn.keep and turn.repeats is None and turn.category != COMMAND,
        duplicate=_is_duplicate(learned, past),
        counted=_is_counted(learned, past),
        left_active=_is_left_active(learned, past),
        asked=bool(learned.asked_about),
        asked_needlessly=bool(learned.asked_about) and turn.replaces is None,
        wrong_supersedes=_wrong_supersedes(learned, past),
        latency_ms=learned.latency_ms,
        error=learned.error,
    )


def _stored(learned: Learned, welcome: Sequence[Keep]) -> tuple[int, int, int]:
    """How many memories the turn stored, how many of them are junk, and incomplete."""
    stored = [learned.after[item_id] for item_id in stored_by(learned)]
    junk = [item for item in stored if not meets_any(welcome, item)]
    touched = [item for item in junk if any(keep.is_touched_by(item.content) for keep in welcome)]
    return len(stored), len(junk), len(touched)


def _finds(keep: Keep, learned: Learned) -> KeptItem | None:
    """The living memory of the turn that meets the keep; of several the shortest, which says the
    least beside it."""
    items = [learned.after[item_id] for item_id in gained_by(learned)]
    return min(
        (item for item in items if keep.is_met_by(item.content)),
        key=lambda item: (len(item.content), item.content),
        default=None,
    )


def _date_is_right(turn: Turn, keep: Keep, item: KeptItem) -> bool:
    """By the day on the speaker's clock."""
    if item.occurred_at is None:
        return False
    return item.occurred_at.astimezone(turn.said_at.tzinfo).date() == keep.occurred_on


def _welcome(learned: Learned, past: Past) -> tuple[Keep, ...]:
    """What the turn may store. One that says again what was missed the first time, or what its
    own words took the place of, may make up for it."""
    turn = learned.turn
    if turn.repeats is None or past.living(turn.repeats, learned.after):
        return turn.keep
    return past.keeps_of(turn.repeats)


def _is_duplicate(learned: Learned, past: Past) -> bool | None:
    """Whether a memory of the turn lives beside the one that the turn only said again."""
    if not past.living(learned.turn.repeats, learned.before):
        return None
    return bool(gained_by(learned)) and bool(past.living(learned.turn.repeats, learned.after))


def _is_counted(learned: Learned, past: Past) -> bool | None:
    known = past.living(learned.turn.repeats, learned.before)
    if not known:
        return None
    before, after = learned.before, learned.after
    return any(
        item_id in after and after[item_id].repeat_count > before[item_id].repeat_count
        for item_id in known
    )


def _is_left_active(learned: Learned, past: Past) -> bool | None:
    """Whether the older memory still holds; where it is doubtful, asking about it is enough."""
    turn = learned.turn
    if not past.living(turn.replaces, learned.before):
        return None
    left = past.living(turn.replaces, learned.after)
    return bool(left - learned.asked_about if turn.doubtful else left)


def _wrong_supersedes(learned: Learned, past: Past) -> int:
    """The memories that the turn ended although its words do not replace them."""
    ended = living(learned.before) - living(learned.after)
    return sum(not past.of_turn(learned.turn.replaces, item_id) for item_id in ended)
