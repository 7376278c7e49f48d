"""Bank account numbers: an IBAN by its check digits, any other only where it is called one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import WHOSE, has_one
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret

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
_GAP = "[ \u00a0\u2009\u202f-]"
_REST = {
    length: re.compile(rf"(?:{_GAP}?[A-Za-z0-9]){{{length - 2}}}(?![^\W_])")
    for length in set(_LENGTHS.values())
}
_LETTERS_AND_DIGITS = 36
_IBAN_MODULUS = 97

_NAMED = re.compile(
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
_DATE = re.compile(r"[0-9]{4}[-. ][0-9]{2}[-. ][0-9]{2}|[0-9]{1,2}[-. ][0-9]{1,2}[-. ][0-9]{4}")
# An account of a bank without the word for it: "my account is 1234.56.78903" says it by its form.
_NORWEGIAN = re.compile(r"[0-9]{4}[ .][0-9]{2}[ .][0-9]{5}")
_LEAST_DIGITS = 8
_SIGNS = (
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


def bank_accounts(text: str) -> Iterator[Secret]:
    """IBANs whose check digits are right, and numbers that are called a bank account's."""
    for start, end in ibans(text):
        yield Secret("bank account number", start, end)
    if not has_one(_SIGNS, text):
        return
    for match in scan(_NAMED, text):
        if match["number"] or _is_account(text, match):
            yield Secret("bank account number", *match.span("value"))


def ibans(text: str) -> Iterator[tuple[int, int]]:
    """The spans of IBANs: a country, its length, and the check digits (ISO 13616, modulo 97)."""
    for match in scan(_IBAN_START, text):
        rest = _REST[_LENGTHS[match[0].upper()]].match(text, match.end())
        if rest and _is_right(match[0] + rest[0]):
            yield match.start(), rest.end()


def _is_right(iban: str) -> bool:
    number = re.sub(_GAP, "", iban)
    rotated = "".join(str(int(each, _LETTERS_AND_DIGITS)) for each in number[4:] + number[:4])
    return int(rotated) % _IBAN_MODULUS == 1


def _is_account(text: str, match: re.Match[str]) -> bool:
    """Neither a sum of money nor a date: "my bank account is 1 200 000 kr"."""
    value = match["value"]
    if _SUM.fullmatch(value) or _DATE.fullmatch(value) or _CURRENCY.match(text, match.end()):
        return False
    if match["account"].lower().startswith("my"):
        return _NORWEGIAN.fullmatch(value) is not None
    return sum(map(str.isdigit, value)) >= _LEAST_DIGITS
