from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agent.commands.slash import SlashCommand
from agent.explanation import (
    NOT_LOOKED,
    NOTHING_USED,
    AnswerQuote,
    Explanation,
    UnusedMemory,
    UsedMemory,
    cut_reason,
)
from agent.turn.events import TurnEvent
from app.terminal.commands import run_slash_command
from app.terminal.explanation import BAR, explanation_lines, share_bar
from app.terminal.session import TerminalSession
from memory.types import ExclusionReason, NewMemory, ScoreParts, StoredMemory, Why

NOON = datetime(2026, 5, 3, 12, tzinfo=UTC)
EMPTY = Explanation(True, (), 0, (), 0, ())
BY_RELEVANCE = "Recency and importance do not count in this ranking."


class Unseen:
    """A view that nobody looks at."""

    def show(self, event: TurnEvent) -> None: ...

    def say(self, line: str) -> None: ...


def item(content: str) -> StoredMemory:
    return StoredMemory(
        id=uuid4(),
        content=content,
        type="fact",
        space="default",
        bank="General",
        role="user",
        tags=(),
        importance=0.5,
        pinned=False,
        manually_saved=False,
        created_at=NOON,
        occurred_at=None,
        source_message_id=None,
        repeat_count=0,
        superseded_by=None,
        deleted_at=None,
    )


def why(total: float = 0.83) -> Why:
    scores = ScoreParts(relevance=0.83, recency=0.97, importance=0.8, total=total)
    return Why(scores=scores, keyword_rank=1, vector_rank=3, cosine=0.61, notes=("about Maria",))


def used(content: str = "My sister lives in Oslo", number: int = 1) -> UsedMemory:
    return UsedMemory(number, item(content), 0.83, 0.9, why())


def unused(
    number: int, cut: ExclusionReason = "score", content: str = "I like tea"
) -> UnusedMemory:
    return UnusedMemory(number, item(content), 0.2, cut, cut_reason(cut, 0.3))


def explained(*memories: UsedMemory) -> Explanation:
    return replace(EMPTY, used=memories)


def test_a_memory_has_its_scores_how_it_was_found_and_where_it_is_from() -> None:
    assert explanation_lines(explained(used())) == [
        "The last answer rests on:",
        "",
        "#1 My sister lives in Oslo",
        "   relevance  ████████░░  0.83   usage      ██████████ ×1.00",
        "   recency    ██████████  0.97   quality    ██████████ ×1.00",
        "   importance ████████░░  0.80   total      ████████░░  0.83",
        "   answers    █████████░  0.90",
        "   found      1st by its words, 3rd by its meaning",
        "   measured   cosine 0.61",
        "   noted      about Maria",
        "   from       what you said on 2026-05-03",
        "",
        BY_RELEVANCE,
        "",
        "To change one: /pin #1, /edit #1 NEW WORDS, /forget #1. Its history: /why #1.",
    ]


def test_a_narrow_terminal_has_one_bar_a_line() -> None:
    lines = explanation_lines(explained(used()), 50)
    bars = [line.split()[0] for line in lines if "█" in line]
    assert bars == ["relevance", "recency", "importance", "answers", "usage", "quality", "total"]


def test_the_highest_total_is_a_whole_bar_where_it_is_above_1() -> None:
    both = explained(replace(used(), why=why(2.6)), replace(used(number=2), why=why(1.3)))
    totals = [line.split("total")[1].split() for line in explanation_lines(both) if "total" in line]
    assert totals == [[share_bar(1.0), "2.60"], [share_bar(0.5), "1.30"]]
    assert BY_RELEVANCE not in explanation_lines(both)


def test_without_score_parts_the_relevance_and_the_source_are_left() -> None:
    lines = explanation_lines(explained(replace(used(), why=None)))
    assert lines[3:6] == [
        "   relevance  ████████░░  0.83",
        "   answers    █████████░  0.90",
        "   from       what you said on 2026-05-03",
    ]
    assert BY_RELEVANCE not in lines


def test_the_source_says_who_asked_for_it_and_what_became_of_it() -> None:
    known = item("I live in Oslo").model_copy(
        update={
            "manually_saved": True,
            "pinned": True,
            "occurred_at": NOON,
            "superseded_by": uuid4(),
        }
    )
    lines = explanation_lines(explained(replace(used(), item=known)))
    assert "   noted      about Maria; replaced by another one" in lines
    source = "what you said on 2026-05-03, which you asked me to keep; dated 2026-05-03; pinned"
    assert f"   from       {source}" in lines


def test_what_was_left_out_stands_in_columns() -> None:
    rest = (unused(9, "person"), unused(10))
    lines = explanation_lines(replace(EMPTY, unused=rest, more=7))
    assert lines == [
        NOTHING_USED,
        "",
        "Left out, the most relevant first:",
        "#9  0.20  about somebody else    I like tea",
        "#10 0.20  below the cut of 0.30  I like tea",
        "   and 7 more",
        "",
        "To change one: /pin #9, /edit #9 NEW WORDS, /forget #9. Its history: /why #9.",
    ]


def test_what_is_gone_and_what_was_quoted_is_told_without_words() -> None:
    told = replace(EMPTY, gone=2, quoted=(AnswerQuote("assistant", NOON, 0.62),))
    lines = explanation_lines(told)
    assert "Forgotten since: 2 more that it rested on." in lines
    assert lines[-2:] == ["And on past messages:", "   0.62  2026-05-03  keepsake"]


def test_an_answer_without_memory_is_one_line() -> None:
    assert explanation_lines(replace(EMPTY, looked=False)) == [NOT_LOOKED]
    assert explanation_lines(EMPTY) == [NOTHING_USED]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_nothing_is_wider_than_the_terminal(width: int) -> None:
    long = "姉は東京に住んでいます and more " * 10
    told = replace(
        explained(replace(used(long), why=why().model_copy(update={"notes": ("a note " * 30,)}))),
        unused=tuple(unused(number, "similar", long) for number in range(2, 12)),
    )
    lines = explanation_lines(told, width)
    assert max(cell_len(line) for line in lines[:-1]) <= width
    assert cell_len(lines[-1]) <= 80


@given(st.floats(0, 3))
def test_a_bar_is_always_as_long_and_never_empty_for_something(share: float) -> None:
    drawn = share_bar(share)
    assert len(drawn) == BAR
    assert drawn == "█" * drawn.count("█") + "░" * drawn.count("░")
    assert ("█" in drawn) == (share > 0)


async def test_the_command_shows_the_last_answer_and_numbers_work(turns: TerminalSession) -> None:
    await turns.keepsake.memory.remember_all(
        turns.user_id, [NewMemory(content="My sister lives in Oslo")]
    )
    await turns.take("Where does my sister live?", Unseen())
    lines = await run_slash_command(SlashCommand("/why"), turns, 80)
    assert lines[:3] == ["The last answer rests on:", "", "#1 My sister lives in Oslo"]
    [pinned] = await run_slash_command(SlashCommand("/pin", "#1"), turns, 80)
    assert "My sister lives in Oslo" in pinned
    changed = await run_slash_command(
        SlashCommand("/edit", "#1 My sister lives in Bergen"), turns, 80
    )
    assert "Now: “My sister lives in Bergen”" in changed[0]
