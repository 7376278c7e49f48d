"""Questions about the past, about a time, and about somebody."""

from __future__ import annotations

import pytest

from tests.memory.recall.bench import Bench
from tests.memory.recall.test_retriever_choice import DAY, NOW, answers, ask, keep, reasons


class TestPast:
    @pytest.fixture
    async def moved(self, empty_bench: Bench) -> Bench:
        old, new = await keep(empty_bench, "My job is baker in Oslo", "My job is welder in Bergen")
        await empty_bench.replace(old, new, NOW - 10 * DAY)
        return empty_bench

    async def test_what_was_replaced_stays_away(self, moved: Bench) -> None:
        response = await ask(moved, "What is my job?", explain=True, min_score=0)
        assert [each.content for each in response.items] == ["My job is welder in Bergen"]
        assert response.left_out == ()

    async def test_it_answers_a_question_about_the_past(self, moved: Bench) -> None:
        items = (await ask(moved, "What was my old job?", min_score=0)).items
        assert items[0].content == "My job is baker in Oslo"
        assert [each.superseded for each in items] == [True, False]
        assert items[0].why is not None
        assert items[0].why.notes == ("no longer true",)

    async def test_and_what_was_known_then(self, moved: Bench) -> None:
        before = "What did you know about my job as of 1 May 2026?"
        assert "My job is baker in Oslo" in await answers(moved, before, min_score=0.1)


class TestTime:
    async def test_what_happened_then_comes_back_and_nothing_of_another_time(
        self, empty_bench: Bench
    ) -> None:
        await keep(empty_bench, "I bought a red kettle", occurred_at=NOW - 6 * DAY)
        await keep(empty_bench, "I bought a blue lamp", occurred_at=NOW - 60 * DAY)
        response = await ask(empty_bench, "What did I buy last week?", explain=True, min_score=0.1)
        assert [each.content for each in response.items] == ["I bought a red kettle"]
        assert reasons(response.left_out) == {"I bought a blue lamp": "time"}
        assert response.items[0].why is not None
        assert response.items[0].why.notes == ("of the time asked for (last week)",)

    async def test_a_time_without_a_topic_brings_all_of_it(self, empty_bench: Bench) -> None:
        await keep(empty_bench, "Saw an otter", "Ate soup with Ana", occurred_at=NOW - 6 * DAY)
        await keep(empty_bench, "Saw a heron", occurred_at=NOW - 60 * DAY)
        await keep(empty_bench, "I prefer uv")
        found = await answers(empty_bench, "What did I do last week?")
        assert set(found) == {"Saw an otter", "Ate soup with Ana"}

    async def test_before_i_moved_counts_from_the_memory_of_the_move(
        self, empty_bench: Bench
    ) -> None:
        await keep(empty_bench, "I moved to Lyon", occurred_at=NOW - 500 * DAY)
        await keep(empty_bench, "I bought a red car", occurred_at=NOW - 600 * DAY)
        await keep(empty_bench, "I bought a blue car", occurred_at=NOW - 400 * DAY)
        response = await ask(
            empty_bench, "Which car did I buy before I moved?", explain=True, min_score=0.1
        )
        assert [each.content for each in response.items] == ["I bought a red car"]
        assert reasons(response.left_out)["I bought a blue car"] == "time"
        after = await answers(empty_bench, "Which car did I buy after I moved?", min_score=0.1)
        assert after == ["I bought a blue car"]

    async def test_without_a_known_move_no_time_is_cut(self, empty_bench: Bench) -> None:
        await keep(empty_bench, "I bought a red car", occurred_at=NOW - 600 * DAY)
        response = await ask(
            empty_bench, "Which car did I buy before I moved?", explain=True, min_score=0.1
        )
        assert len(response.items) == 1


class TestPeople:
    MARIA, TOM, LINK = "Maria likes green tea", "Tom likes green tea", "My sister Maria is a nurse"

    @pytest.fixture
    async def both(self, empty_bench: Bench) -> Bench:
        await keep(empty_bench, self.MARIA, self.TOM, self.LINK)
        return empty_bench

    @pytest.mark.parametrize(
        "question",
        [
            "Does Maria like green tea?",
            "does maria like green tea",
            "DOES MARIA LIKE GREEN TEA",
            "Does my sister like green tea?",
        ],
    )
    async def test_what_is_told_of_somebody_else_is_cut(self, both: Bench, question: str) -> None:
        response = await ask(both, question, explain=True, min_score=0)
        assert self.MARIA in [each.content for each in response.items]
        assert reasons(response.left_out) == {self.TOM: "person"}

    async def test_a_question_about_nobody_cuts_nobody(self, both: Bench) -> None:
        found = await answers(both, "Who likes green tea?", min_score=0.1)
        assert set(found) >= {self.MARIA, self.TOM}

    async def test_nobody_is_known_by_that_name(self, both: Bench) -> None:
        response = await ask(both, "Does Zebulon like green tea?", explain=True, min_score=0)
        assert response.items == []
        assert set(reasons(response.left_out).values()) == {"person"}
