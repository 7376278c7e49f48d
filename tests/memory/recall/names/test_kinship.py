"""Whose sister is asked about, by what the memories say of her."""

from __future__ import annotations

from tests.memory.recall.names.test_comparing import MARIA, PLAIN, TOM, strangers

SISTER = "My sister Maria likes tea"


def test_my_sister_is_she_who_is_called_so() -> None:
    memories = (SISTER, MARIA, TOM, PLAIN)
    assert strangers("What does my sister like?", *memories) == {TOM}


LINKS = [
    "My sister is called Maria",
    "My sister's name is Maria",
    "Maria is my younger sister",
    "Maria, our sister, is a nurse",
    "I have a sister, Maria",
]


def test_each_way_to_say_so() -> None:
    asked = "Where does my sister live?"
    assert [link for link in LINKS if strangers(asked, MARIA, link, TOM) != {TOM}] == []


def test_a_name_is_asked_about_by_the_kinship_as_well() -> None:
    bare = "My sister plays the cello"
    assert strangers("What does Maria play?", SISTER, bare, TOM) == {TOM}


def test_of_two_sisters_neither_is_a_stranger_to_my_sister() -> None:
    other = "My sister Ana hates tea"
    bare = "My sister plays the cello"
    memories = (SISTER, other, bare, TOM)
    assert strangers("What does my sister like?", *memories) == {TOM}
    assert strangers("What does Maria like?", *memories) == {other, TOM}


def test_somebody_elses_sister() -> None:
    theirs = "Tom's sister is called Ana"
    assert strangers("What is my sister's name?", SISTER, theirs) == {theirs}
    memories = (theirs, "Ana is a nurse", SISTER)
    assert strangers("What does Tom's sister do?", *memories) == {SISTER}


def test_my_sister_is_not_my_brother() -> None:
    memories = ("My sister turns forty in May", "My parents live in Rome", PLAIN)
    assert strangers("When is my brother's birthday?", *memories) == {memories[0]}


def test_kin_that_have_a_name_are_strangers_to_others() -> None:
    bare = "My sister plays the cello"
    assert strangers("What does Tom play?", SISTER, bare, TOM) == {SISTER, bare}
    assert strangers("What does Tom play?", bare, TOM) == set()


def test_mum_and_mother_are_one() -> None:
    memories = ("My mother is in hospital", "My mum Ruth likes figs", "Dad likes golf")
    assert strangers("How is Mum?", *memories) == {memories[2]}


def test_a_friend_without_a_name_may_be_anybody() -> None:
    assert strangers("Does my friend like tea?", MARIA, TOM) == set()


TOLD_OF_HER = [
    ("Lisbon is my sister's favourite city", "Lisbon is hot in July"),
    ("My sister is Tom's boss", TOM),
    ("My sister's dog Rex is five", "Tom hates Rex"),
    ("My sister likes Tom", TOM),
]


def test_what_is_told_of_her_does_not_give_her_that_name() -> None:
    asked = "What does my sister like?"
    assert [told for told, other in TOLD_OF_HER if strangers(asked, told, other) != {other}] == []


def test_two_who_are_both_asked_about_are_all_of_my_sisters() -> None:
    memories = (SISTER, "My sister Ana hates tea", "My sisters live in Rome", TOM)
    assert strangers("Where do Maria and Ana live?", *memories) == {TOM}
