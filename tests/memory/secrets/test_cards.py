from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from memory.secrets import find_secrets, redact
from memory.secrets.account_numbers import is_card_number

# The issuers' published test numbers.
CARDS = [
    *("4111111111111111", "4012888888881881", "4222222222222", "5555555555554444"),
    *("5105105105105100", "2223003122003222", "378282246310005", "371449635398431"),
    *("6011111111111117", "30569309025904", "38520000023237", "3530111333300000"),
    *("6200000000000005", "6304000000000000", "2201382000000013"),
]


def test_every_issuer_is_known() -> None:
    assert [number for number in CARDS if not is_card_number(number)] == []
    removed = "my card [card number removed], ok?"
    assert [n for n in CARDS if redact(f"my card {n}, ok?") != removed] == []


def test_in_groups() -> None:
    groups = (["4111", "1111", "1111", "1111"], ["3782", "822463", "10005"])
    numbers = [gap.join(each) for gap in (" ", "-", "\u00a0", "–") for each in groups]
    assert [number for number in numbers if redact(number) != "[card number removed]"] == []


@given(st.sampled_from(CARDS), st.data())
def test_a_wrong_digit_makes_it_no_card(number: str, data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(number) - 1))
    digit = data.draw(st.sampled_from("0123456789").filter(lambda each: each != number[place]))
    assert not is_card_number(number[:place] + digit + number[place + 1 :])


OTHER_NUMBERS = [
    "order number 4111111111111111",
    "invoice no. 4111111111111111",
    "tracking: 4111111111111111",
    "#4111111111111111",
    "id-4111111111111111",
    "+4111111111111111",
    "0.4111111111111111",
    "411111111111111111111111",
    "x4111111111111111",
    "4111 1111 1111 1112",
    "41 11 11 11 11 11 11 11",
    "41111111 11111111",
    "1700000000000 and 1700000000000000",
    "41111111-1111-1111-1111-111111111111",
]


def test_other_numbers_stay() -> None:
    assert [(text, got) for text in OTHER_NUMBERS if (got := find_secrets(text))] == []


def test_an_iban_is_no_card_even_where_a_card_number_stands_in_it() -> None:
    account = "4111 1111 1111 1111 0000"
    check = 98 - int(account.replace(" ", "") + "142800") % 97  # ES, and 00 for the check digits
    assert redact(f"pay to ES{check:02} {account}") == "pay to [bank account number removed]"
    assert "[card number removed]" in redact(f"pay to ES{check + 1:02} {account}")


def test_an_order_number_in_card_groups_is_a_card() -> None:
    assert "4111" not in redact("the order was paid: order 4111 1111 1111 1111")


WITH_CODES = [
    ("4111 1111 1111 1111 12/25 123", "[card number removed] 12/25 [security code removed]"),
    (
        "4111111111111111, exp 12/2027, 123",
        "[card number removed], exp 12/2027, [security code removed]",
    ),
    ("4111111111111111 cvv: 123", "[card number removed] cvv: [security code removed]"),
    ("my CVC is 123", "my CVC is [security code removed]"),
    ("the security code is 1234", "the security code is [security code removed]"),
    (
        "4111 1111 1111 1111 on 12/25 at 123 Main Street",
        "[card number removed] on 12/25 at 123 Main Street",
    ),
]


def test_the_security_code_goes_with_its_card() -> None:
    assert [(said, got) for said, kept in WITH_CODES if (got := redact(said)) != kept] == []
