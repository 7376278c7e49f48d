"""Numbers of bank accounts, payment cards and persons: by their check digits, or where they are
called so."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.patterns import WHOSE, Secret, contains_any, scan_in_pieces

# Country and length as SWIFT's IBAN registry gives them.
_LENGTHS = {
    country: length
    for length, countries in {
        15: "NO",
        16: "BE",
        18: "DK FI FO GL NL",
        19: "MK SI",
        20: "AT BA EE LT LU XK",
        21: "CH HR LI LV",
        22: "BG BH DE GB GE IE ME RS",
        23: "AE IL",
        24: "AD CZ ES MD PK RO SA SE SK TN VG",
        25: "PT",
        26: "IS TR",
        27: "FR GR IT MC SM",
        28: "AL AZ CY HU LB PL",
        29: "BR EG QA UA",
        30: "JO KW",
        31: "MT",
    }.items()
    for country in countries.split()
}
_IBAN_START = re.compile(rf"(?<![^\W_])(?:{'|'.join(_LENGTHS)})(?=[ -]?[0-9]{{2}})", re.IGNORECASE)
_IBAN_GAP = "[ \u00a0\u2009\u202f-]"
_REST = {
    length: re.compile(rf"(?:{_IBAN_GAP}?[A-Za-z0-9]){{{length - 2}}}(?![^\W_])")
    for length in set(_LENGTHS.values())
}
_LETTERS_AND_DIGITS = 36
_IBAN_MODULUS = 97

_NAMED_ACCOUNT = re.compile(
    rf"""(?<![^\W_])
      (?:(?P<number>(?i:(?:bank|checking|chequing|savings?|current|giro|salary|payroll)
            [\s-]?(?:account|acct)\s(?:number|no|nr|num)\b|iban(?:\s(?:number|no|nr))?
            |(?:bank)?konto(?:nummer|nr|numret|nummeret)|(?:routing|aba)\s(?:number|no|nr)|sort\scode
            |rekeningnummer|num[ée]ro\sde\scompte|n[úu]mero\sde\scuenta))
        |(?P<account>(?i:(?:bank|checking|chequing|savings?|current|giro)[\s-]?(?:account|acct)
            |(?:bank)?konto(?:en)?|my\saccount(?:\s(?:number|no|nr))?)))
      \.?(?:\s(?i:mitt|min|mein|meine))?{WHOSE}
      (?:\s?(?:[:=\#]|(?i:is|was|er|ist|är|est|es))){{0,2}}\s{{0,2}}(?<=[\s:=\#])
      (?P<value>(?:(?i:[a-z]{{2}}))?[0-9](?:[ .\u00a0-]?[0-9]){{5,29}})(?![\w%]|[.,-][0-9])""",
    re.VERBOSE,
)
_SUM = re.compile(r"[0-9]{1,3}(?:([ .\u00a0])[0-9]{3})(?:\1[0-9]{3})*(?:[.,][0-9]{2})?")
_CURRENCY = re.compile(r"\s?(?:[$€£¥%]|(?i:kr|nok|sek|dkk|eur|usd|gbp|euros?|dollars?|pounds?)\b)")
_DATE_NO_ACCOUNT = re.compile(
    r"[0-9]{4}[-. ][0-9]{2}[-. ][0-9]{2}|[0-9]{1,2}[-. ][0-9]{1,2}[-. ][0-9]{4}"
)
# An account of a bank without the word for it: "my account is 1234.56.78903" says it by its form.
_NORWEGIAN = re.compile(r"[0-9]{4}[ .][0-9]{2}[ .][0-9]{5}")
_LEAST_ACCOUNT_DIGITS = 8
_ACCOUNT_SIGNS = (
    "account",
    "acct",
    "konto",
    "iban",
    "routing",
    "aba",
    "sort",
    "rekening",
    "cuenta",
    "compte",
)


def find_bank_accounts(text: str) -> Iterator[Secret]:
    """IBANs whose check digits are right, and numbers that are called a bank account's."""
    for start, end in find_ibans(text):
        yield Secret("bank account number", start, end)
    if not contains_any(_ACCOUNT_SIGNS, text):
        return
    for match in scan_in_pieces(_NAMED_ACCOUNT, text):
        if match["number"] or _is_account(text, match):
            yield Secret("bank account number", *match.span("value"))


def find_ibans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of IBANs: a country, its length, and the check digits (ISO 13616, modulo 97)."""
    for match in scan_in_pieces(_IBAN_START, text):
        rest = _REST[_LENGTHS[match[0].upper()]].match(text, match.end())
        if rest and _is_right(match[0] + rest[0]):
            yield match.start(), rest.end()


def _is_right(iban: str) -> bool:
    number = re.sub(_IBAN_GAP, "", iban)
    rotated = "".join(str(int(each, _LETTERS_AND_DIGITS)) for each in number[4:] + number[:4])
    return int(rotated) % _IBAN_MODULUS == 1


def _is_account(text: str, match: re.Match[str]) -> bool:
    """Neither a sum of money nor a date: "my bank account is 1 200 000 kr"."""
    value = match["value"]
    if (
        _SUM.fullmatch(value)
        or _DATE_NO_ACCOUNT.fullmatch(value)
        or _CURRENCY.match(text, match.end())
    ):
        return False
    if match["account"].lower().startswith("my"):
        return _NORWEGIAN.fullmatch(value) is not None
    return sum(map(str.isdigit, value)) >= _LEAST_ACCOUNT_DIGITS


_CARD_GAP = r"[ \u00a0\u2009\u2010-\u2013-]"
# Not in the middle of an identifier, a decimal, a sum, a phone number with its country.
_PART = r"[0-9]++(?![A-Za-z_])"
_DIGITS = re.compile(rf"(?<![\w.+#/-]){_PART}(?:{_CARD_GAP}{_PART})*+")
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


def find_cards(text: str) -> Iterator[Secret]:
    """Card numbers, and the security codes that are named or stand behind an expiry date.

    An unbroken number that is called an order number or the like is none; nor is a part of an
    IBAN.
    """
    for code in scan_in_pieces(_NAMED_CODE, text):
        yield Secret("security code", *code.span(1))
    for digits in scan_in_pieces(_DIGITS, _without_ibans(text)):
        for start, end in _numbers(text, digits):
            yield Secret("card number", start, end)
            if behind := _CODE_BEHIND.match(text, end):
                yield Secret("security code", *behind.span(1))


def _without_ibans(text: str) -> str:
    parts, end = [], 0
    for start, after in find_ibans(text):
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


_NUMBER = r"(?:\s?(?i:numbers?|no\b\.?|nr\b\.?|num\b|\#|id))"
_NAME = rf"""(?:
    (?i:ssn|social\ssecurity{_NUMBER}?|fødselsnummer(?:et)?|fodselsnummer|personnummer(?:et)?
      |personal\sidentity{_NUMBER}|personal\sidentification{_NUMBER}|cpr[\s-]?(?:number|nummer|nr)
      |d-nummer|national\s(?:identity|identification|insurance|id)(?:\scard)?{_NUMBER}?|nino
      |(?:identity|id)\scard{_NUMBER}|(?:my|his|her|their)\s(?:id|identity){_NUMBER}
      |(?:tax(?:payer)?\s(?:id|identification){_NUMBER}?|itin)|steuer-?id|pesel|codice\sfiscale
      |(?:driver|driving)(?:['’]?s)?\slicen[cs]e{_NUMBER}|passport{_NUMBER}?|pass(?:nummer|nr)
      |burgerservicenummer|bsn|aadhaar{_NUMBER}?|dni|nie|henkilötunnus|numéro\sde\ssécurité\ssociale)
    )"""
_VALUE = r"""(?P<value>(?:[A-Z]{1,3}[ -]?|[a-z]{1,2})?[0-9](?:[ ./-]?[0-9A-Z]){4,19})
    (?![\w%]|[.,-][0-9])"""
_NAMED_IDENTITY = re.compile(
    rf"""(?<![^\W_]){_NAME}\.?(?:\s(?i:mitt|min|mein|meine))?{WHOSE}
      (?:\s?(?:[:=\#]|(?i:is|was|are|er|ist|är|on|est|es|['’]s))(?![^\W_])){{0,2}}\s{{0,2}}(?<=[\s:=\#]){_VALUE}""",
    re.VERBOSE,
)
_BEFORE = re.compile(
    rf"""(?<![\w.+/-]){_VALUE}\s(?:is|was)\s(?:my|his|her|their|our|(?:\w{{1,20}}['’]s))\s{_NAME}
      (?![^\W_])""",
    re.VERBOSE,
)
_DATE_NO_IDENTITY = re.compile(
    r"[0-9]{4}[-./ ][0-9]{2}[-./ ][0-9]{2}|[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ][0-9]{4}"
)
_LEAST_IDENTITY_DIGITS = 5
_IDENTITY_SIGNS = (
    *(
        "ssn",
        "social",
        "nummer",
        "personal",
        "cpr",
        "national",
        "nino",
        "card",
        "id",
        "tax",
        "itin",
    ),
    *("pesel", "codice", "licen", "pass", "bsn", "aadhaar", "dni", "nie", "tunnus", "numéro"),
)


def find_identity_numbers(text: str) -> Iterator[Secret]:
    """Social security, national identity, tax, licence and passport numbers that are named."""
    if not contains_any(_IDENTITY_SIGNS, text):
        return
    for pattern in (_NAMED_IDENTITY, _BEFORE):
        for match in scan_in_pieces(pattern, text):
            value = match["value"]
            if sum(
                map(str.isdigit, value)
            ) >= _LEAST_IDENTITY_DIGITS and not _DATE_NO_IDENTITY.fullmatch(value):
                yield Secret("identity number", *match.span("value"))
