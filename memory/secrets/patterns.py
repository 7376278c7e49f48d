"""What a secret is, how a name and its value are joined in a sentence, and what may be a
password."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, get_args

SecretKind = Literal[
    "private key",
    "connection string",
    "API key",
    "access token",
    "card number",
    "security code",
    "password",
    "PIN",
    "code",
    "secret",
    "identity number",
    "bank account number",
]

SECRET_KINDS: tuple[SecretKind, ...] = get_args(SecretKind)


@dataclass(frozen=True)
class Secret:
    """text[start:end] is the secret. Safe to log: it holds nothing of the text."""

    kind: SecretKind
    start: int
    end: int

    @property
    def mark(self) -> str:
        """What stands in the text instead: [card number removed]."""
        return f"[{self.kind} removed]"


# Characters. A look of the slowest pattern takes milliseconds, and while it lasts no other thread
# of the process runs. Nothing that is looked for needs more than REACH to be seen.
PIECE = 4_000
REACH = 1_000


def scan_in_pieces(pattern: re.Pattern[str], text: str) -> Iterator[re.Match[str]]:
    """The matches that `pattern.finditer` has, where each is known by its first REACH characters,
    however long it is."""
    begin = 0
    while begin < len(text):
        end = begin + PIECE
        seen = min(end + REACH, len(text))
        for match in pattern.finditer(text, begin, seen):
            if match.start() >= end:
                break
            found = match if match.end() < seen else pattern.match(text, match.start())
            if found is not None:
                yield found
                end = max(end, found.end())
        begin = end


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Beginning with one of these, the sentence says something about the password and does not name it.
_ABOUT = _words(
    """
    a an the this that these those it its my your our his her their one ones mine yours
    i you we he she they who what which when where why how if whether
    at in on of to for from by with without about under over behind inside near between via
    not no never none neither nothing something anything everything someone anyone
    and or but so because as than then also too still just only even already yet again
    is are was were be been being am do does did done have has had having can cannot could
    may might must shall should will would let lets need needs want wants get gets got getting
    don't doesn't didn't isn't wasn't aren't won't can't couldn't wouldn't shouldn't
    very quite rather super extremely always often sometimes maybe perhaps both either all any
    some many several more most less least every each time times since until ago now
    good bad better best worse worst fine ok okay great terrible awful horrible garbage rubbish
    strong weak stronger weaker long longer short shorter easier hard harder simple complex pretty
    difficult strange weird funny silly stupid dumb ridiculous annoying boring important
    confusing frustrating embarrassing missing expiring working changing waiting going coming
    using failing causing making getting old older new newer same different similar unique random
    wrong right correct incorrect valid invalid true false secret private public safe unsafe
    secure insecure sensitive personal useless useful obsolete dead gone lost stolen forgotten
    known unknown written hidden broken stuck kept given taken shown set sent put sticky bound due
    blank empty null undefined nil default minimum maximum min max length characters letters
    digits words string str text bytes int char varchar secretstr password passwords passcode pin
    key token example sample placeholder changeme todo tbd removed here there everywhere somewhere
    nowhere below above forgot forget remember reset please help thanks thank yes sorry click
    enter choose pick type create update change think guess ask see use try check down out off up
    it's that's what's there's i'm i've i'll you're we're return raise
    like perfect enough ideal optional mandatory protected auto
    """
)
_ENDS_IT = _words(
    "before after and or but for on so because if when which in at with to from as then"
)
_ABOUT_ENDINGS = ("ed", "able", "ible", "ly")
_LEAST_WITH_ENDING = 5
_LEAST_IN_A_PASSPHRASE = 4

_WORD = r"[^\W\d_]++(?:['’-][^\W\d_]++)*+"
# Not into "username: bob" or "abc123".
_PHRASE = re.compile(rf"{_WORD}(?: {_WORD}(?!\w|\s?[:=])){{0,23}}+")
_ONE_WORD = re.compile(_WORD)
_QUOTED = re.compile(
    r"\"([^\"\n]{1,200})\"|'([^'\n]{1,200})'|`([^`\n]{1,200})`"
    r"|“([^”\n]{1,200})”|‘([^’\n]{1,200})’|«([^»\n]{1,200})»"
)
_TOKEN = re.compile(r"[\"'“‘«`(]*+(\S{1,256})")
_CLOSING = ".,;:)]}>\"'”’»`"

_PLACEHOLDER = re.compile(
    r"[$<{%\[]|//|[\w.]+[\[(]|(?:os|env|process|config|settings|self|request|args)\."
    r"|(?:your|my|the|some|new|old)[-_]\w*$|[*•.x]+$|n/a$",
    re.IGNORECASE,
)
# "8 characters", "12th", "3-word": a count or a rank.
_COUNT = re.compile(r"[0-9]{1,3}(?:st|nd|rd|th)?$|[0-9]{1,3}[-–+][a-z]*$")
_STRONG = re.compile(r"[0-9!@#$%^&*+=~|\\]|[a-z][A-Z]")


def password_span(text: str, start: int) -> tuple[int, int] | None:
    """The span of the password that begins here, or None where there is none.

    What is quoted, or holds a digit, a sign or a capital inside, is one. Plain words are one
    unless the first speaks about it ("my password is too short"); four plain words are one anyway,
    up to the word that goes on with the sentence ("correct horse battery staple and …").
    """
    if quoted := _QUOTED.match(text, start):
        group = quoted.lastindex or 0
        return quoted.span(group) if _is_value(quoted[group]) else None
    token = _TOKEN.match(text, start)
    if token is None:
        return None
    first, word = token.start(1), token[1].rstrip(_CLOSING)
    if _is_empty(word) or _is_exclaimed(word):
        return None
    if not is_strong(word) and _ONE_WORD.fullmatch(word):
        phrase = _PHRASE.match(text, first)
        length = _passphrase_length(phrase[0] if phrase else word)
    else:
        length = len(word) if _is_value(word) else 0
    return (first, first + length) if length else None


def is_strong(word: str) -> bool:
    """It holds what words do not: a digit, a sign, a capital inside; a count does not."""
    return bool(_STRONG.search(word)) and not _COUNT.match(word)


def _is_value(value: str) -> bool:
    if _is_empty(value):
        return False
    return " " in value or is_strong(value) or not _is_about(value)


def _is_empty(value: str) -> bool:
    """A placeholder, a count, or mere signs."""
    no_letter = re.search(r"[^\W_]", value) is None
    return no_letter or bool(_PLACEHOLDER.match(value) or _COUNT.match(value))


def _is_exclaimed(word: str) -> bool:
    """ "My password is wrong!": the sign at the end makes no password of it."""
    bare = word.rstrip("!")
    return bare != word and not is_strong(bare) and _is_about(bare)


def _passphrase_length(phrase: str) -> int:
    words = phrase.split(" ")
    count = _plain_words(words)
    if count == 0:
        count = 1 + _plain_words(words[1:])
        count = count if count >= _LEAST_IN_A_PASSPHRASE else 0
    return len(" ".join(words[:count]))


def _plain_words(words: list[str]) -> int:
    """How many words stand before the first that goes on with the sentence."""
    for count, word in enumerate(words):
        if word in _ENDS_IT or _is_about(word):
            return count
    return len(words)


def _is_about(word: str) -> bool:
    parts = re.split("[-_/]", word.casefold().replace("’", "'"))
    long = len(word) >= _LEAST_WITH_ENDING
    return any(part in _ABOUT or (long and part.endswith(_ABOUT_ENDINGS)) for part in parts)


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


def contains_any(signs: tuple[str, ...], text: str) -> bool:
    lower = text.lower()
    return any(sign in lower for sign in signs)


def is_strong_alone(value: str) -> bool:
    """Beside the bare word "password" it takes letters and digits, as in "password hunter2"."""
    letters_and_digits = re.search(r"[^\W\d_]", value) and re.search("[0-9]", value)
    return bool(letters_and_digits) and len(value) >= _STRONG_BESIDE_LENGTH


def is_likely_password(value: str) -> bool:
    """Where no word says "password": letters and digits, and no product, place or address."""
    return is_strong_alone(value) and not (_NO_PASSWORD.match(value) or " " in value)
