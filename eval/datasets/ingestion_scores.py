"""The ingestion set: what invented people say over time, what a memory should keep of it, and the
scores of what it kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Self, TypeAlias
from uuid import UUID

from pydantic import AwareDatetime, Field, model_validator

from eval.files import StrictModel, duplicates, read_json_file
from eval.metrics import Metrics, percentile
from eval.results import Failure
from eval.statistics import Count, ratio_of_sums, with_interval
from memory.types import MemoryType, StoredMemory

THREADS_FILE = "turns.json"
THREADS_FOLDER = Path(__file__).parent
# Turns of this category are instructions, which nobody takes for junk or for a memory.
COMMAND_CATEGORY = "command"


class ExpectedMemory(StrictModel):
    """A memory that should be there. `must_hold` are lower-case stems that its text contains, each
    of them; `must_not_hold` do not occur in it. `type` and `bank` list what is accepted."""

    about: str
    must_hold: Annotated[tuple[str, ...], Field(min_length=1)]
    must_not_hold: tuple[str, ...]
    type: Annotated[tuple[MemoryType, ...], Field(min_length=1)]
    bank: Annotated[tuple[str, ...], Field(min_length=1)]
    occurred_on: date | None

    def is_met_by(self, content: str) -> bool:
        text = content.lower()
        held = all(stem in text for stem in self.must_hold)
        return held and not any(stem.lower() in text for stem in self.must_not_hold)

    def is_touched_by(self, content: str) -> bool:
        text = content.lower()
        return any(stem in text for stem in self.must_hold)


class IngestionTurn(StrictModel):
    """`repeats` and `replaces` name an earlier turn of the thread with one keep. With `doubtful`
    the words may or may not replace it, or be kept at all."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    said_at: AwareDatetime
    said: Annotated[str, Field(min_length=1)]
    keep: tuple[ExpectedMemory, ...]
    category: Annotated[str, Field(min_length=1)]
    repeats: str | None
    replaces: str | None
    doubtful: bool
    secret: Annotated[str, Field(min_length=8)] | None


class IngestionThread(StrictModel):
    """The user turns of one fresh user, in order."""

    id: Annotated[str, Field(min_length=1, max_length=200)]
    title: str
    turns: Annotated[tuple[IngestionTurn, ...], Field(min_length=1)]
    held_back: bool = False

    @property
    def secrets(self) -> list[str]:
        return [turn.secret for turn in self.turns if turn.secret is not None]


class IngestionThreads(StrictModel):
    note: str = ""
    now: AwareDatetime
    threads: Annotated[tuple[IngestionThread, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        ids = [turn.id for thread in self.threads for turn in thread.turns]
        if twice := duplicates([*ids, *(thread.id for thread in self.threads)]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for thread in self.threads:
            for at, turn in enumerate(thread.turns):
                if fault := _fault(turn, thread.turns[:at]):
                    raise ValueError(f"turn {turn.id}: {fault}")
        return self


def _fault(turn: IngestionTurn, earlier: tuple[IngestionTurn, ...]) -> str | None:
    whole = {each.id for each in earlier if len(each.keep) == 1}
    for name in (turn.repeats, turn.replaces):
        if name is not None and name not in whole:
            return f"{name} is no earlier turn of its thread with one keep"
    if turn.doubtful and turn.replaces is None and not turn.keep:
        return "it is doubtful whether nothing is kept or replaced"
    if turn.repeats is not None and turn.keep:
        return "it repeats a memory and has one of its own"
    return None


def load_turns(folder: Path = THREADS_FOLDER) -> IngestionThreads:
    """Reads `turns.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_json_file(folder / THREADS_FILE, IngestionThreads)


ItemsById: TypeAlias = Mapping[UUID, StoredMemory]


@dataclass(frozen=True)
class TurnOutcome:
    """A turn with the user's memories before and after it, dead ones too. `asked_about` are the
    memories that the user was asked about because of it; `error` names what kept it from being
    learned."""

    turn: IngestionTurn
    before: ItemsById
    after: ItemsById
    asked_about: frozenset[UUID] = frozenset()
    latency_ms: float | None = None
    error: str | None = None


@dataclass
class ThreadHistory:
    """What earlier turns of the thread left: the memories that hold what a turn wanted kept, and
    the turn that each memory came from."""

    turns: dict[str, IngestionTurn] = field(default_factory=dict)
    holders: dict[str, set[UUID]] = field(default_factory=dict)
    origins: dict[UUID, str] = field(default_factory=dict)

    def expected_of(self, name: str | None) -> tuple[ExpectedMemory, ...]:
        return self.turns[name].keep if name is not None else ()

    def living(self, name: str | None, store: ItemsById) -> set[UUID]:
        """The memories that hold what the turn said and live in the store."""
        return self.holders.get(name or "", set()) & living_ids(store)

    def of_turn(self, name: str | None, item_id: UUID) -> bool:
        """Whether the memory came from the turn, or from one that said the same."""
        origin = self.origins.get(item_id)
        return name is not None and origin in {name, *self._repeats(name)}

    def note(self, learned: TurnOutcome) -> None:
        turn = learned.turn
        self.turns[turn.id] = turn
        of = turn.repeats or turn.id
        gained = gained_ids(learned)
        keeps = self.expected_of(of)
        held = {each for each in gained if meets_any(keeps, learned.after[each])}
        self.holders.setdefault(of, set()).update(held)
        for item_id in stored_ids(learned):
            self.origins[item_id] = turn.id

    def _repeats(self, name: str) -> set[str]:
        return {turn.id for turn in self.turns.values() if turn.repeats == name}


def living_ids(store: ItemsById) -> set[UUID]:
    return {
        item_id
        for item_id, item in store.items()
        if item.superseded_by is None and item.deleted_at is None
    }


def stored_ids(learned: TurnOutcome) -> set[UUID]:
    """What the turn put into the store, whether it still lives or not, or brought back."""
    return (set(learned.after) - set(learned.before)) | gained_ids(learned)


def gained_ids(learned: TurnOutcome) -> set[UUID]:
    return living_ids(learned.after) - living_ids(learned.before)


def meets_any(keeps: Iterable[ExpectedMemory], item: StoredMemory) -> bool:
    return any(keep.is_met_by(item.content) for keep in keeps)


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


def score_thread(thread: str, held_back: bool, learned: Sequence[TurnOutcome]) -> list[TurnScore]:
    """The scores of a thread's turns, in their order."""
    past = ThreadHistory()
    scores = []
    for each in learned:
        scores.append(_score(thread, held_back, each, past))
        past.note(each)
    return scores


def _score(thread: str, held_back: bool, learned: TurnOutcome, past: ThreadHistory) -> TurnScore:
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
        must_store_nothing=not turn.keep
        and turn.repeats is None
        and turn.category != COMMAND_CATEGORY,
        duplicate=_is_duplicate(learned, past),
        counted=_is_counted(learned, past),
        left_active=_is_left_active(learned, past),
        asked=bool(learned.asked_about),
        asked_needlessly=bool(learned.asked_about) and turn.replaces is None,
        wrong_supersedes=_wrong_supersedes(learned, past),
        latency_ms=learned.latency_ms,
        error=learned.error,
    )


def _stored(learned: TurnOutcome, welcome: Sequence[ExpectedMemory]) -> tuple[int, int, int]:
    """How many memories the turn stored, how many of them are junk, and incomplete."""
    stored = [learned.after[item_id] for item_id in stored_ids(learned)]
    junk = [item for item in stored if not meets_any(welcome, item)]
    touched = [item for item in junk if any(keep.is_touched_by(item.content) for keep in welcome)]
    return len(stored), len(junk), len(touched)


def _finds(keep: ExpectedMemory, learned: TurnOutcome) -> StoredMemory | None:
    """The living memory of the turn that meets the keep; of several the shortest, which says the
    least beside it."""
    items = [learned.after[item_id] for item_id in gained_ids(learned)]
    return min(
        (item for item in items if keep.is_met_by(item.content)),
        key=lambda item: (len(item.content), item.content),
        default=None,
    )


def _date_is_right(turn: IngestionTurn, keep: ExpectedMemory, item: StoredMemory) -> bool:
    """By the day on the speaker's clock."""
    if item.occurred_at is None:
        return False
    return item.occurred_at.astimezone(turn.said_at.tzinfo).date() == keep.occurred_on


def _welcome(learned: TurnOutcome, past: ThreadHistory) -> tuple[ExpectedMemory, ...]:
    """What the turn may store. One that says again what was missed the first time, or what its
    own words took the place of, may make up for it."""
    turn = learned.turn
    if turn.repeats is None or past.living(turn.repeats, learned.after):
        return turn.keep
    return past.expected_of(turn.repeats)


def _is_duplicate(learned: TurnOutcome, past: ThreadHistory) -> bool | None:
    """Whether a memory of the turn lives beside the one that the turn only said again."""
    if not past.living(learned.turn.repeats, learned.before):
        return None
    return bool(gained_ids(learned)) and bool(past.living(learned.turn.repeats, learned.after))


def _is_counted(learned: TurnOutcome, past: ThreadHistory) -> bool | None:
    known = past.living(learned.turn.repeats, learned.before)
    if not known:
        return None
    before, after = learned.before, learned.after
    return any(
        item_id in after and after[item_id].repeat_count > before[item_id].repeat_count
        for item_id in known
    )


def _is_left_active(learned: TurnOutcome, past: ThreadHistory) -> bool | None:
    """Whether the older memory still holds; where it is doubtful, asking about it is enough."""
    turn = learned.turn
    if not past.living(turn.replaces, learned.before):
        return None
    left = past.living(turn.replaces, learned.after)
    return bool(left - learned.asked_about if turn.doubtful else left)


def _wrong_supersedes(learned: TurnOutcome, past: ThreadHistory) -> int:
    """The memories that the turn ended although its words do not replace them."""
    ended = living_ids(learned.before) - living_ids(learned.after)
    return sum(not past.of_turn(learned.turn.replaces, item_id) for item_id in ended)


CountTurn: TypeAlias = Callable[[TurnScore], Count]

_NOTHING: Count = (0, 0)


def ingestion_metrics(scores: Sequence[TurnScore]) -> Metrics:
    """Junk is counted in two ways, by the turns that should store nothing and by the memories that
    nobody wanted; `junk_kept` is the worse of the two. `incomplete_memories` are the unwanted ones
    that say a part of what was wanted."""
    figures: Metrics = {"turns": len(scores)}
    for name, counting in _SHARES.items():
        figures |= with_interval(name, _by_thread(scores, counting))
    return {**figures, "junk_kept": _worse(figures), **_totals(scores)}


def ingestion_category_metrics(scores: Sequence[TurnScore]) -> Metrics:
    """Those that differ from category to category, without intervals: it is too small for them."""
    shares = {
        name: ratio_of_sums([_SHARES[name](score) for score in scores]) for name in _OF_CATEGORY
    }
    return {
        "turns": len(scores),
        "memories": sum(score.stored for score in scores),
        **shares,
        "duplicates_stored": sum(score.duplicate is True for score in scores),
    }


def ingestion_metrics_by_category(scores: Sequence[TurnScore]) -> dict[str, Metrics]:
    names = sorted({score.category for score in scores})
    return {
        name: ingestion_category_metrics([score for score in scores if score.category == name])
        for name in names
    }


def ingestion_latency(scores: Sequence[TurnScore]) -> Metrics:
    latencies = [score.latency_ms for score in scores if score.latency_ms is not None]
    return {
        "learn_p50_ms": percentile(latencies, 50),
        "learn_p95_ms": percentile(latencies, 95),
    }


def ingestion_failures(
    scores: Sequence[TurnScore], secrets: Mapping[str, Sequence[str]]
) -> list[Failure]:
    """`secrets` says by turn where its secret was found."""
    return [
        Failure(score.id, score.category, "; ".join(faults), score.held_back)
        for score in scores
        if (faults := [*_faults(score), *(f"secret in {at}" for at in secrets.get(score.id, ()))])
    ]


def _faults(score: TurnScore) -> list[str]:
    told = {
        f"not learned: {score.error}": score.error is not None,
        f"{score.wanted - score.met} of {score.wanted} wanted not kept": score.met < score.wanted,
        f"{score.junk} unwanted stored": score.junk > 0,
        "another type": score.types_right < score.met,
        "another bank": score.banks_right < score.met,
        "another date": score.dates_right < score.dated,
        "stored beside what it repeats": score.duplicate is True,
        "repeat not counted": score.counted is False,
        "older memory left active": score.left_active is True,
        "asked without need": score.asked_needlessly,
        f"{score.wrong_supersedes} wrongly superseded": score.wrong_supersedes > 0,
    }
    return [what for what, is_so in told.items() if is_so]


def _totals(scores: Sequence[TurnScore]) -> Metrics:
    return {
        "memories": sum(score.stored for score in scores),
        "incomplete_memories": sum(score.incomplete for score in scores),
        "duplicates_stored": sum(score.duplicate is True for score in scores),
        "wrong_supersedes": sum(score.wrong_supersedes for score in scores),
        "not_learned": sum(score.error is not None for score in scores),
    }


def _worse(figures: Metrics) -> float | None:
    """The larger share of junk; without a memory stored there is none."""
    turns, memories = figures["junk_turns"], figures["junk_memories"]
    if turns is None or memories is None:
        return turns if memories is None else memories
    return max(turns, memories)


def _by_thread(scores: Sequence[TurnScore], counting: CountTurn) -> list[Count]:
    sums: dict[str, Count] = defaultdict(lambda: _NOTHING)
    for score in scores:
        hits, of = counting(score)
        before = sums[score.thread]
        sums[score.thread] = (before[0] + hits, before[1] + of)
    return list(sums.values())


def _where(is_so: bool | None) -> Count:
    """One of one, none of one, or not counted."""
    return _NOTHING if is_so is None else (is_so, 1)


def _junk_turn(score: TurnScore) -> Count:
    return (score.stored > 0, 1) if score.must_store_nothing else _NOTHING


_SHARES: dict[str, CountTurn] = {
    "wanted_kept": lambda score: (score.met, score.wanted),
    "junk_turns": _junk_turn,
    "junk_memories": lambda score: (score.junk, score.stored),
    "contradictions_left_active": lambda score: _where(score.left_active),
    "repeats_counted": lambda score: _where(score.counted),
    "type_accuracy": lambda score: (score.types_right, score.met),
    "bank_accuracy": lambda score: (score.banks_right, score.met),
    "date_accuracy": lambda score: (score.dates_right, score.dated),
    "asked_share": lambda score: (score.asked, 1),
    "asked_needlessly": lambda score: (score.asked_needlessly, 1),
}
_OF_CATEGORY = (
    "wanted_kept",
    "junk_turns",
    "junk_memories",
    "contradictions_left_active",
    "type_accuracy",
    "bank_accuracy",
    "date_accuracy",
)
