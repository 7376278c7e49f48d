"""LoCoMo (Maharana et al., ACL 2024): long conversations between two people, as JSON lines.

Read by path; its licence (CC BY-NC 4.0) keeps it out of this project's tree.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator

from eval.corpus import Corpus, CorpusPiece, CorpusQuestion
from eval.errors import DatasetUnreadable
from eval.files import ConversationRow, conversation_names, read_json_lines, rows_of_conversation

ADVERSARIAL = "adversarial"
VIEWS = ("turns", "observations")


def _moment(text: Any) -> datetime:
    """ "1:56 pm on 8 May, 2023", taken as UTC."""
    return datetime.strptime(str(text), "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


Moment = Annotated[datetime, BeforeValidator(_moment)]


class LocomoTurn(ConversationRow):
    id: str
    at: Moment
    speaker: str
    text: str
    image_caption: str | None = None

    @property
    def spoken(self) -> str:
        picture = f" [shares a picture: {self.image_caption}]" if self.image_caption else ""
        return f"{self.speaker}: {self.text}{picture}"


class LocomoObservation(ConversationRow):
    id: str
    at: Moment
    text: str
    evidence: tuple[str, ...]


class LocomoQuery(ConversationRow):
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
    turns = read_json_lines(folder / "turns.jsonl", LocomoTurn)
    observations = read_json_lines(folder / "observations.jsonl", LocomoObservation)
    queries = read_json_lines(folder / "queries.jsonl", LocomoQuery)
    if not turns or not queries:
        raise DatasetUnreadable(path=folder, reason="it holds no turns or no queries")
    views: dict[str, list[Corpus]] = {view: [] for view in VIEWS}
    for name in conversation_names(turns):
        spoken = rows_of_conversation(turns, name)
        noted = rows_of_conversation(observations, name)
        asked = _questions(rows_of_conversation(queries, name))
        now = max(turn.at for turn in spoken) + timedelta(days=1)
        views["turns"].append(Corpus(name, _from_turns(spoken), asked, now))
        views["observations"].append(Corpus(name, _from_observations(noted), asked, now))
    return views


def _questions(queries: Sequence[LocomoQuery]) -> tuple[CorpusQuestion, ...]:
    return tuple(
        CorpusQuestion(query.id, query.category, query.question, frozenset(query.evidence))
        for query in queries
        if query.evidence
    )


def _from_turns(turns: Sequence[LocomoTurn]) -> tuple[CorpusPiece, ...]:
    return tuple(
        CorpusPiece(
            turn.spoken,
            "note",
            _in_order(turn.at, place),
            frozenset({turn.id}),
            "user" if turn.speaker == turns[0].speaker else "assistant",
        )
        for place, turn in enumerate(turns)
    )


def _from_observations(observations: Sequence[LocomoObservation]) -> tuple[CorpusPiece, ...]:
    return tuple(
        CorpusPiece(each.text, "fact", _in_order(each.at, place), frozenset(each.evidence))
        for place, each in enumerate(observations)
    )


def _in_order(at: datetime, place: int) -> datetime:
    """All rows of a session carry its beginning: a millisecond each keeps them in order."""
    return at + timedelta(milliseconds=place)
