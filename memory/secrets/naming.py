"""How a name and its value are joined in a sentence: "the password for the bank is now …"."""

from __future__ import annotations

import re

# Between name and verb: for my bank account; by the way; (for the router).
WHOSE = (
    r"(?:\s(?i:for|to|of|on|at|in)(?:\s[\w'’.@&-]{1,40}){1,5}?"
    r"|,\s[^,\n]{1,30},|\s\([^()\n]{1,40}\))?"
)
_VERB = r"(?i:is|was|are|were|will\sbe|has\sbeen)"
IS = (
    r"(?:"
    rf"(?:['’]s|\s{_VERB})?[\"'”’]?\s{{0,3}}(?P<sign>:=|=>|->|→|[:=])[^\S\n]{{0,9}}"
    r"(?P<next_line>\n[^\S\n]{0,9})?"
    rf"|(?:['’]s|\s{_VERB}),?\s"
    r")\s{0,3}(?:(?i:now|still|just|currently|actually|simply|literally|set\sto|also|too|always"
    r"|usually|probably|again|indeed|called|it['’]s|it\sis|that['’]s|that\sis)[,:]?\s){0,3}(?:,?\s?(?i:uh+|um+|er+|ehm|well),?\s)?"
)
NAMES = (
    r"(?<![0-9])(?i:passwords?|passcodes?|pass\s?phrases?|passwd|pwd|kennwort|passwort|passord"
    r"|(?:wi-?fi|network|wlan)\s(?:key|pass)|(?:seed|recovery|backup|secret)\sphrase|mnemonic)"
)
_STRONG_BESIDE_LENGTH = 6
# Windows11, OAuth2, room204; an address, a path, a date, a number with its unit.
_NO_PASSWORD = re.compile(
    r"(?i:windows|win|office|microsoft|ios|ipados|macos|iphone|ipad|android|ubuntu|debian|o?auth"
    r"|openid|ipv|python|java|sha|base|utf|html|css|http|web|xbox|usb|wpa|wifi|keepass|version|v"
    r"|room|zone|chapter|page|gate|building|level|floor|step|year|week|grade|form|part|error|port"
    r"|channel|area|terminal|route|highway|phase|sprint)\W?[0-9]+(?:[.-][0-9]+)*$"
    r"|[\w.+-]+@[\w-]+\.\w+|(?i:https?:|www\.)|[/~.]|[\w-]+\.(?:com|org|net|no|io|app|dev)\b"
    r"|[0-9]{1,4}[-/.][0-9]{1,2}[-/.]|[0-9]+(?:[.,:][0-9]+)*[-\s]?[A-Za-z]+$|[0-9]+(?:st|nd|rd|th)\b"
    r"|(?i:1password)"
)


def has_one(signs: tuple[str, ...], text: str) -> bool:
    lower = text.lower()
    return any(sign in lower for sign in signs)


def is_strong_alone(value: str) -> bool:
    """Beside the bare word "password" it takes letters and digits, as in "password hunter2"."""
    letters_and_digits = re.search(r"[^\W\d_]", value) and re.search("[0-9]", value)
    return bool(letters_and_digits) and len(value) >= _STRONG_BESIDE_LENGTH


def is_likely_password(value: str) -> bool:
    """Where no word says "password": letters and digits, and no product, place or address."""
    return is_strong_alone(value) and not (_NO_PASSWORD.match(value) or " " in value)
