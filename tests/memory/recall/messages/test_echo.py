from __future__ import annotations

import pytest

from memory.retrieval.message_relevance import only_repeats
from memory.types import Role
from tests.memory.recall.messages.said import row

KEPT = "My cousin Ottoline lives in Wexcombe"


@pytest.mark.parametrize(
    "content",
    [
        f"Based on what you told me (kept on 3 May 2026): “{KEPT}”",
        f"I will remember: “{KEPT}”.",
        f"- “{KEPT}” (kept on 3 May 2026)\n- “I like rye bread” (kept on 4 May 2026)",
        f'You mentioned earlier: "{KEPT}"',
    ],
)
def test_a_reply_of_quotes_only_repeats(content: str) -> None:
    assert only_repeats(row(content, "assistant"))


@pytest.mark.parametrize(
    ("content", "repeats"),
    [
        ("You told me that your cousin Ottoline lives in Wexcombe.", True),
        ("Your cousin Ottoline lives in Wexcombe, as you said on 3 May.", True),
        (
            "Wexcombe has a fine abbey and two bakeries; take the train, ask Ottoline for a key.",
            False,
        ),
        ("Paris.", False),
    ],
)
def test_a_reply_that_rested_on_a_memory_repeats_it_or_tells_more(
    content: str, repeats: bool
) -> None:
    assert only_repeats(row(content, "assistant", rested_on=(KEPT,))) is repeats


@pytest.mark.parametrize("role", ["user", "system"])
def test_only_the_assistant_repeats(role: Role) -> None:
    assert not only_repeats(row(f"“{KEPT}”", role, rested_on=(KEPT,)))


def test_a_reply_to_what_was_never_recalled_is_an_answer() -> None:
    assert not only_repeats(row("The capital of France is Paris.", "assistant"))
    assert not only_repeats(row("Nyx, of course.", "assistant"))
