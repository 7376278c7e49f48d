"""Payment card numbers: the right length, an issuer's first digits, and the check digit."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.accounts import ibans
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret

_GAP = r"[ \u00a0\u2009\u2010-\u2013-]"
# Not in the middle of an identifier, a decimal, a sum, a phone number with its country.
_PART = r"[0-9]++(?![A-Za-z_])"
_DIGITS = re.compile(rf"(?<![\w.+#/-]){_PART}(?:{_GAP}{_PART})*+")
_GROUP = re.compile(r"[0-9]+")

_GROUPS = re.compile(r"\d{13,19}|4 4 4 4(?: [1-3])?|4 4 4 1|4 6 5|4 6 4")
# First digits and lengths as the issuers publish them (ISO/IEC 7812; Visa, Mastercard, American
# Express, Discover, Diners Club, JCB, UnionPay, Maestro, Mir, Troy).
_ISSUERS = re.compile(
    r"4(?:\d{12}|\d{15}|\d{18})"
    r"|(?:5[1-5]\d\d|222[1-9]|22[3-9]\d|2[3-6]\d\d|27[01]\d|2720)\d{12}"
    r"|3[47]\d{13}"
    r"|(?:6011|64[4-9]\d|65\d\d)\d{12,15}"
    r"|(?:30[0-5]|36\d|3[89]\d)\d{11,16}"
    r"|35(?:2[89]|[3-8]\d)\d{12,15}"
    r"|62\d{14,17}"
    r"|(?:50|5[6-8]|6[37])\d{11,17}"
    r"|220[0-4]\d{12,15}"
    r"|9792\d{12}"
)
_OTHER_NUMBER = re.compile(
    r"\b(?:order|invoice|tracking|reference|ref|ticket|case|imei|isbn|serial|account|customer|kid"
    r"|parcel|shipment|booking|transaction)s?\.?\s?(?:id|no|number|nr|code)?\.?"
    r"\s?(?:is|was|:|=)?\s?$",
    re.IGNORECASE,
)
_LOOK_BACK = 40
_MOST_GROUPS = 5
_NINE = 9

_NAMED_CODE = re.compile(
    r"\b(?i:cvv2?|cvc2?|csc|security code|card verification code)\b(?:\s(?i:code|number))?"
    r"[\s:=#\"']{0,4}(?:(?i:is|was)[\s:]{1,2})?([0-9]{3,4})(?![0-9])"
)
_CODE_BEHIND = re.compile(
    r"[\s,;|]{1,3}(?:(?i:exp(?:iry|ires)?)[\s.:]{0,3})?[0-9]{1,2} ?/ ?[0-9]{2,4}"
    r"[\s,;|]{1,3}([0-9]{3,4})(?![\w/])"
)


def cards(text: str) -> Iterator[Secret]:
    """Card numbers, and the security codes that are named or stand behind an expiry date.

    An unbroken number that is called an order number or the like is none; nor is a part of an
    IBAN.
    """
    for code in scan(_NAMED_CODE, text):
        yield Secret("security code", *code.span(1))
    for digits in scan(_DIGITS, _without_ibans(text)):
        for start, end in _numbers(text, digits):
            yield Secret("card number", start, end)
            if behind := _CODE_BEHIND.match(text, end):
                yield Secret("security code", *behind.span(1))


def _without_ibans(text: str) -> str:
    parts, end = [], 0
    for start, after in ibans(text):
        parts += [text[end:start], "x" * (after - start)]
        end = after
    return "".join([*parts, text[end:]])


def _numbers(text: str, digits: re.Match[str]) -> Iterator[tuple[int, int]]:
    groups = [match.span() for match in _GROUP.finditer(text, *digits.span())]
    first = 0
    while first < len(groups):
        number = next(_from(text, groups[first : first + _MOST_GROUPS]), None)
        if number is None:
            first += 1
            continue
        yield groups[first][0], groups[first + number - 1][1]
        first += number


def _from(text: str, groups: list[tuple[int, int]]) -> Iterator[int]:
    """How many of the groups, the most first, make a card number together."""
    for count in range(len(groups), 0, -1):
        parts = [text[start:end] for start, end in groups[:count]]
        unbroken = count == 1
        sizes = parts[0] if unbroken else " ".join(str(len(part)) for part in parts)
        if not _GROUPS.fullmatch(sizes) or not is_card_number("".join(parts)):
            continue
        before = text[max(0, groups[0][0] - _LOOK_BACK) : groups[0][0]]
        if not (unbroken and _OTHER_NUMBER.search(before)):
            yield count


def is_card_number(digits: str) -> bool:
    """An issuer's first digits and length, and the sum of Luhn (ISO/IEC 7812-1, annex B)."""
    if not _ISSUERS.fullmatch(digits):
        return False
    doubled = [2 * int(digit) for digit in digits[-2::-2]]
    total = sum(int(digit) for digit in digits[-1::-2])
    total += sum(each - _NINE if each > _NINE else each for each in doubled)
    return total % 10 == 0
