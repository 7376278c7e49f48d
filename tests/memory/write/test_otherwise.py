from __future__ import annotations

import pytest

from memory.write.otherwise import SAME_TOPIC, otherwise_now
from memory.write.slots import understood


@pytest.mark.parametrize(
    ("old", "new", "cosine"),
    [
        ("I use Windows on my laptop", "I switched to Linux on my laptop", 0.614),
        ("Our backend runs on MySQL", "We migrated the backend to Postgres", 0.489),
        ("I report to Anja", "I report to Pieter now", 0.524),
        ("Keep your answers short", "You can give me longer answers from now on", 0.596),
        ("The project deadline is 1 September", "The deadline slipped to 15 September", 0.623),
        (
            "We decided to paint the kitchen green",
            "We changed our minds, the kitchen is red",
            0.658,
        ),
        ("The spare key is under the flowerpot", "The spare key is in the shed now", 0.673),
        ("My doctor is Dr Visser", "I changed doctors, my new one is Dr Bakker", 0.516),
        ("I drink my tea with milk", "I take my tea without milk now", 0.885),
        ("I prefer tea", "I prefer coffee now", 0.695),
        ("I prefer Mac", "I prefer Linux now", 0.572),
        ("I run 5 km every morning", "I swim every morning instead of running", 0.6),
    ],
)
def test_the_same_thing_is_said_to_be_otherwise(old: str, new: str, cosine: float) -> None:
    assert otherwise_now(understood(new), understood(old), cosine)


@pytest.mark.parametrize(
    ("old", "new", "cosine"),
    [
        ("I drink my tea with milk", "I take my coffee without milk now", 0.73),
        ("Our wedding is on 12 September", "My cousin's wedding is now on 19 September", 0.83),
        ("My favourite restaurant is La Piazza", "My favourite bar is now Sakura", 0.6),
        ("I prefer window seats", "I prefer quiet hotels now", 0.5),
        ("I read a lot of poetry", "I now read the news in the morning", 0.5),
        ("We use Jira for tickets", "We use Slack for chat now", 0.55),
        ("I work from home on Fridays", "I started going to the gym on Fridays", 0.5),
        ("I take the bus to work", "I take the train to my parents now", 0.6),
        ("I use Windows on my laptop", "My wife switched to Linux on her laptop", 0.6),
        ("I used to run Windows on my laptop", "I switched to Linux on my laptop", 0.6),
        ("I play chess with Tom", "I also play chess with Ida now", 0.8),
        ("I use Windows on my laptop", "I use Linux on my laptop", 0.8),
    ],
)
def test_another_thing_or_one_more_is_not(old: str, new: str, cosine: float) -> None:
    assert not otherwise_now(understood(new), understood(old), cosine)


@pytest.mark.parametrize("cosine", [None, SAME_TOPIC - 0.01])
def test_nothing_far_or_without_a_vector_is(cosine: float | None) -> None:
    new, old = understood("I report to Pieter now"), understood("I report to Anja")
    assert not otherwise_now(new, old, cosine)
