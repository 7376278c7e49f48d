"""LoCoMo (Maharana et al., ACL 2024): long conversations between two people, as JSON lines.

Read by path; its licence (CC BY-NC 4.0) keeps it out of this project's tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from eval.errors import DatasetUnreadable
from eval.evidence.corpus import Corpus, Piece, Question
from eval.evidence.rows import Line, conversations, of_conversation, read_rows

ADVERSARIAL = "adversarial"
VIEWS = ("turns", "observations")


def _moment(text: Any) -> datetime:
    """ "1:56 pm on 8 May, 2023", taken as UTC."""
    return datetime.strptime(str(text), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


Moment = Annotated[datetime, BeforeValidator(_moment)]


class Turn(Line):
    id: str
    at: Moment
    speaker: str
    text: str
    image_caption: str | None = None

    @property
    def spoken(self) -> str:
        picture = f" [shares a picture: {self.image_caption}]" if self.image_caption else ""
        return f"{self.speaker}: {self.text}{picture}"


class Observation(Line):
    id: str
    at: Moment
    text: str
    evidence: tuple[str, ...]


class Query(Line):
    id: str
    question: str
    category: str
    evidence: tuple[str, ...]


def load_locomo(folder: Path) -> dict[str, list[Corpus]]:
    """By view, "turns" and "observations", a corpus for each conversation. Of its two people the
    one who speaks first is the user, the other one the assistant.

    Questions without evidence are left out: nothing says what should come back.
    Raises DatasetUnreadable.
    """
    turns = read_rows(folder / "turns.jsonl", Turn)
    observations = read_rows(folder / "observations.jsonl", Observation)
    queries = read_rows(folder / "queries.jsonl", Query)
    if not turns or not queries:
        raise DatasetUnreadable(path=folder, reason="it holds no turns or no queries")
    views: dict[str, list[Corpus]] = {view: [] for view in VIEWS}
    for name in conversations(turns):
        spoken = of_conversation(turns, name)
        noted = of_conversation(observations, name)
        asked = _questions(of_conversation(queries, name))
        now = max(turn.at for turn in spoken) + timedelta(days=1)
        views["turns"].append(Corpus(name, _from_turns(spoken), asked, now))
        views["observations"].append(Corpus(name, _from_observations(noted), asked, now))
    return views


def _questions(queries: Sequence[Query]) -> tuple[Question, ...]:
    return tuple(
        Question(query.id, query.category, query.question, frozenset(query.evidence))
        for query in queries
        if query.evidence
    )


def _from_turns(turns: Sequence[Turn]) -> tuple[Piece, ...]:
    return tuple(
        Piece(
            turn.spoken,
            "note",
            _in_order(turn.at, place),
            frozenset({turn.id}),
            "user" if turn.speaker == turns[0].speaker else "assistant",
        )
        for place, turn in enumerate(turns)
    )


def _from_observations(observations: Sequence[Observation]) -> tuple[Piece, ...]:
    return tuple(
        Piece(each.text, "fact", _in_order(each.at, place), frozenset(each.evidence))
        for place, each in enumerate(observations)
    )


def _in_order(at: datetime, place: int) -> datetime:
    """All rows of a session carry its beginning: a millisecond each keeps them in order."""
    return at + timedelta(milliseconds=place)
