"""Numbers that a state gives a person, only where they are called so: "my SSN is …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import WHOSE, has_one
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret

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
_NAMED = re.compile(
    rf"""(?<![^\W_]){_NAME}\.?(?:\s(?i:mitt|min|mein|meine))?{WHOSE}
      (?:\s?(?:[:=\#]|(?i:is|was|are|er|ist|är|on|est|es|['’]s))(?![^\W_])){{0,2}}\s{{0,2}}(?<=[\s:=\#]){_VALUE}""",
    re.VERBOSE,
)
_BEFORE = re.compile(
    rf"""(?<![\w.+/-]){_VALUE}\s(?:is|was)\s(?:my|his|her|their|our|(?:\w{{1,20}}['’]s))\s{_NAME}
      (?![^\W_])""",
    re.VERBOSE,
)
_DATE = re.compile(r"[0-9]{4}[-./ ][0-9]{2}[-./ ][0-9]{2}|[0-9]{1,2}[-./ ][0-9]{1,2}[-./ ][0-9]{4}")
_LEAST_DIGITS = 5
_SIGNS = (
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


def identity_numbers(text: str) -> Iterator[Secret]:
    """Social security, national identity, tax, licence and passport numbers that are named."""
    if not has_one(_SIGNS, text):
        return
    for pattern in (_NAMED, _BEFORE):
        for match in scan(pattern, text):
            value = match["value"]
            if sum(map(str.isdigit, value)) >= _LEAST_DIGITS and not _DATE.fullmatch(value):
                yield Secret("identity number", *match.span("value"))
