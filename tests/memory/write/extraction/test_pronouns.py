from __future__ import annotations

import pytest

from memory.write.extraction.pronouns import Antecedents


@pytest.mark.parametrize(
    ("heard", "said", "meant"),
    [
        ("My sister Maria lives in Oslo", "She is a nurse", "My sister Maria is a nurse"),
        ("My sister Maria lives in Oslo", "She's a nurse", "My sister Maria is a nurse"),
        ("My sister Maria lives in Oslo", "Her husband is old", "My sister Maria's husband is old"),
        ("I have a dog called Rex", "He is five", "My dog Rex is five"),
        ("I bought a car", "It is red", "My car is red"),
        ("My partner Sam cooks", "They sing", "My partner Sam sing"),
        ("My brother cooks", "She is a nurse", "She is a nurse"),
        ("My brother cooks", "It is cold", "It is cold"),
        ("My boss met my friend", "He is old", "He is old"),
        ("John lives in Rome", "He is old", "He is old"),
        ("My brother cooks", "I cook", "I cook"),
    ],
)
def test_who_is_meant(heard: str, said: str, meant: str) -> None:
    spoken_of = Antecedents()
    spoken_of.hear(heard)
    assert spoken_of.resolve(said) == meant


def test_nobody_is_meant_before_anybody_was_named() -> None:
    assert Antecedents().resolve("She is a nurse") == "She is a nurse"
