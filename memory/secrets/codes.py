"""PINs and codes that are called by their name: "my PIN is …", "the backup codes are …"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from memory.secrets.naming import IS, WHOSE, has_one
from memory.secrets.scanning import scan
from memory.secrets.secret import Secret

_PIN = re.compile(
    rf"""(?<![A-Za-z])
      (?:(?P<pin>(?i:pin|p\.i\.n\.)(?:[\s-]?(?i:code|number))?)
        |(?i:(?:door|gate|alarm|entry|access|unlock|lock|safe|garage|building|house|phone)['’]?s?
             \s(?:code|combination|combo|pin))
        |(?i:(?:verification|one[\s-]time|confirmation|login|2fa|reset|sms|security)\scode|otp)
        |(?i:(?:code|combination)\s(?:for|to|of)\s(?:[\w'’]{{1,20}}\s){{0,3}}?
             (?:door|gate|alarm|lock|locker|safe|garage|building|entrance|house|phone)))
      {WHOSE}
      (?:(?:\s(?i:is|was)|['’]s)?\s?[:=]?\s?(?:(?i:now|still)\s)?)
      (?<!\w)(?P<value>[#*]?
        (?:[0-9]{{4,12}}|[0-9](?:[ -][0-9]){{3,7}}|[0-9]{{1,2}}(?:-[0-9]{{1,2}}){{2,3}})
        [#*]?)(?![\w/:]|[.,-][0-9])""",
    re.VERBOSE,
)
_PIN_IS_MEANT = re.compile(r"(?i:is|was|['’]s|[:=]|code|number)|PIN|P\.I\.N\.")
_OWNER = re.compile(r"(?i:\b(?:my|our|the|card|sim|your|his|her|their)\s)$")
_LOOK_BACK = 12
_CODES = re.compile(
    r"(?<![^\W_])(?i:(?:backup|back-up|recovery|rescue|scratch|emergency|one[\s-]time"
    r"|2fa|mfa|two[\s-]factor|two[\s-]step|authenticator|login|reset)(?:[\s-](?:backup|recovery|rescue|login|access))?)"
    rf"[\s_-](?i:codes?){WHOSE}(?:{IS}|\s{{1,2}})(?=\S)"
)
# Four digits at least, or letters with digits; in groups with a hyphen or none.
_CODE = re.compile(
    r"(?:[-*•]\s)?[\"'“‘`(#]{0,2}(?![0-9]{4}-[0-9]{2}-[0-9]{2})"
    r"(?P<value>(?:[0-9]{4,12}|(?=[A-Za-z-]{0,12}[0-9])[A-Za-z0-9]{6,12}"
    r"|(?=[A-Za-z-]{0,24}[0-9])[A-Za-z0-9]{3,8}(?:-[A-Za-z0-9]{3,8}){1,5}))(?![\w%-]|[.,:/][0-9])"
)
_NEXT = re.compile(
    r"[\"'”’`)]?(?:\s?[,;/|.]\s?(?:(?i:and|or)\s)?|\s(?i:and|or|&)\s|\s{1,3})[-*•]?\s?"
)
_SIGNS_OF_A_CODE = ("pin", "p.i.n", "code", "combination", "combo", "otp")


def codes(text: str) -> Iterator[Secret]:
    """PINs and the codes of doors, alarms and logins; digits only."""
    if not has_one(_SIGNS_OF_A_CODE, text):
        return
    for match in scan(_PIN, text):
        before = text[max(0, match.start() - _LOOK_BACK) : match.start()]
        said = text[match.start() : match.start("value")]
        if match["pin"] is None or _PIN_IS_MEANT.search(said) or _OWNER.search(before):
            yield Secret("PIN", *match.span("value"))
    for match in scan(_CODES, text):
        yield from _listed(text, match.end())


def _listed(text: str, start: int) -> Iterator[Secret]:
    """One code and those that follow it."""
    code = _CODE.match(text, start)
    while code:
        yield Secret("PIN", *code.span("value"))
        following = _NEXT.match(text, code.end("value"))
        code = _CODE.match(text, following.end()) if following else None
