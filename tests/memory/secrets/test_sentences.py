"""What no name and no form gives away: the words around it say that it is a secret."""

from __future__ import annotations

from memory.secrets import find_secrets, redact

SECRETS = [
    ("the shop's alarm is 8046# since the refit, Dana set it", "8046#"),
    ("Unser Kellerabteil geht mit 6931 auf, die Räder stehen links", "6931"),
    ("el portal de mi tía se abre con 5172 y hay que empujar", "5172"),
    ("le portail du jardin, c'est 9483, le voisin l'a aussi", "9483"),
    ("porten ved båthuset åpnes med 2875 etter klokka åtte", "2875"),
]


def test_it_goes_and_the_rest_is_kept() -> None:
    redacted = [
        (redact(said), said.replace(value.rstrip("."), "[code removed]")) for said, value in SECRETS
    ]
    assert [(got, wanted) for got, wanted in redacted if got != wanted] == []
    assert [got for got, _ in redacted if find_secrets(got)] == []


ORDINARY = [
    "the shop opens at 8.46 and the alarm man comes on the 6th",
    "Unser Keller hat 69 Quadratmeter, Baujahr 1931",
    "bus 517 stops by the gate at 17:02, the next at 17:32",
    "on habite au 94 rue du Portail, depuis 2008",
    "båten er 28 fot og kostet 75000 kroner",
]


def test_a_number_that_tells_something_stays() -> None:
    assert [(said, found) for said in ORDINARY if (found := find_secrets(said))] == []


# Each a memory that speaks of a code, in a list beside numbers that say how many.
HINTS = [
    "my bike lock code hint is grandma's street",
    "my locker combination is easy to remember",
    "the padlock on the shed sticks",
    "Der Code für den Keller hängt am Brett",
    "le code du portail est chez le voisin",
]
LIST = "Personal (5, 1 pinned)\n- {}\nHealth (3, 2 pinned)\n- I have 2 cats\n- and 28 more"


def test_what_an_item_of_a_list_says_is_not_said_of_the_numbers_beside_it() -> None:
    told = [LIST.format(hint) for hint in HINTS]
    assert [redact(each) for each in told] == told


def test_a_secret_in_a_list_goes_as_it_does_alone() -> None:
    redacted = [redact(LIST.format(said)) for said, _ in SECRETS]
    assert redacted == [LIST.format(redact(said)) for said, _ in SECRETS]


def test_what_introduces_a_list_speaks_for_its_items() -> None:
    redacted = redact("The gate opens with these codes:\n- 8046\n- 6931")
    assert redacted.count("- [code removed]") == 2
