from __future__ import annotations

import pytest

from memory.write.ending import ending_of
from memory.write.slots import understood


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I'm a member of the chess club", "I left the chess club"),
        ("I have a season ticket for Feyenoord", "I gave up my season ticket"),
        ("I have a membership at the pool", "I cancelled my membership at the pool"),
        ("I prefer Vim for everything", "I don't use Vim any more"),
        ("My brother Idris is a pilot", "My brother Idris retired, he isn't a pilot any more"),
        ("I'm training for the Berlin marathon", "I ran the Berlin marathon"),
        ("I'm learning to drive", "I passed my driving test"),
        ("I'm a student at KU Leuven", "I graduated from KU Leuven"),
        ("We agreed to ship the PDF export", "We ship the reminders first, not the PDF export"),
        ("I have a pet rabbit named Flop", "We gave Flop away to my cousin"),
        ("I live with my boyfriend Tim", "Tim moved out"),
        ("My grandmother lives in Delft", "My grandmother passed away in May"),
        ("No meetings before 10", "Meetings before 10 are fine again"),
        ("Our landlord is Mr Peeters", "We have a new landlord, Mrs Claes"),
    ],
)
def test_what_is_over_is_found(old: str, new: str) -> None:
    clash = ending_of(understood(new), understood(old))
    assert clash is not None
    assert clash.sure
    assert clash.outright


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("I own a boat", "I sold my car"),
        ("I drink coffee in the morning", "I no longer drink coffee after noon"),
        ("I play the piano", "I stopped playing the violin"),
        ("I play the cello", "My daughter gave up the cello"),
        ("I have a house", "I left the house at 8"),
        ("I want to visit Japan", "I visited Japan in 2018"),
        ("I want to learn Japanese", "I finished my Spanish course"),
        ("We want to buy a house in Leuven", "We decided not to go to Leuven this weekend"),
        ("My grandmother lives in Delft", "My grandfather passed away in May"),
        ("I have a dog named Bruno", "My parents' dog died last week"),
        ("I like my brother Tim", "Tim moved out"),
        ("I work at Philips", "My brother quit his job and left Philips"),
        ("I used to sing in a choir", "I quit the choir"),
        ("My doctor told me to avoid salt", "I have a new doctor"),
    ],
)
def test_what_goes_on_is_not_ended(old: str, new: str) -> None:
    assert ending_of(understood(new), understood(old)) is None


def test_who_stopped_drinking_coffee_may_love_it_still() -> None:
    clash = ending_of(understood("I've stopped drinking coffee"), understood("I love coffee"))
    assert clash is not None
    assert not clash.sure
