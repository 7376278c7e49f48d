from __future__ import annotations

from agent.models import offline
from eval.datasets.assistant_rules import check_citation, claims_memory, quotes_of

OATS = "I drink my coffee with oat milk"
HARP = "My sister Ingrid plays the harp"
TASK = "Which milk should the café put in my coffee?"


def right(reply: str, recalled: tuple[str, ...] = (OATS,), others: tuple[str, ...] = ()) -> bool:
    return check_citation(reply, recalled, others, TASK).right


def test_a_citation_quotes_or_names_what_was_recalled() -> None:
    replies = (
        f"Based on what you told me (kept on 3 May 2026): “{OATS}”",
        f"Based on what you told me:\n\n- “{OATS}” (kept on 3 May)\n- “{HARP}” (kept on 4 May)",
        "You've mentioned that you drink coffee with oat milk, so I would ask for that.",
        "As you said before, your coffee comes with oat milk.",
        "From our earlier conversation: coffee for you is with oat milk.",
        'You asked "which milk should the café put in my coffee?"; you told me "oat milk".',
    )
    assert [reply for reply in replies if not right(reply, (OATS, HARP))] == []


def test_anything_else_is_no_right_citation() -> None:
    replies = (
        ("You drink your coffee with oat milk.", "it is told as a fact"),
        ("You told me a lot, and I forgot which.", "it names no memory"),
        (f"You told me: “{HARP}”, and coffee with oat milk.", "that was not recalled"),
        ("You told me “I drink my coffee with goat milk”, oat milk.", "nobody said so"),
    )
    assert [(reply, why) for reply, why in replies if right(reply)] == []


def test_a_memory_that_was_not_recalled_may_not_be_named() -> None:
    reply = "You told me that you drink coffee with oat milk, and that Ingrid plays the harp."
    assert right(reply)
    assert not right(reply, others=(HARP,))


def test_another_memory_of_the_same_words_is_not_held_against_a_reply() -> None:
    assert right(f"You told me: “{OATS}”", others=("I drink my tea with oat milk",))


def test_saying_that_there_is_nothing_claims_nothing() -> None:
    replies = (
        offline.OFF,
        offline.INCOGNITO,
        offline.NOTHING,
        offline.NOTHING_ASKED,
        "You have not told me which milk you take.",
        "You haven't mentioned it yet.",
        "You never told me.",
        "I don't remember that.",
        "There is nothing you told me about milk.",
        "If you told me, I would know.",
    )
    assert [reply for reply in replies if claims_memory(reply)] == []


def test_a_claim_after_a_denial_is_one() -> None:
    assert claims_memory("I do not know the café, but you told me about oat milk.")


def test_quotes_of_every_kind_are_read() -> None:
    assert quotes_of('“Oats”, «Tea», „jam“ and "no milk."') == ["oats", "tea", "jam", "no milk"]


def test_a_quote_ends_with_its_line() -> None:
    assert quotes_of('a 12" record\nand a 7" one, “Oats.”') == ["oats"]
