"""The words of an English text that carry meaning, without their endings. Pure."""

from __future__ import annotations

import re

_TOKEN = re.compile(r"[^\W_]+(?:(?:[:.'@]|(?<=\d)-)[^\W_]+)*")
_VOWEL = re.compile(r"[aeiouy]")
_STOP = (
    "a an the i my me mine myself we our us you your am is are was were be been being do does did "
    "have has had having got own owns get gets to of in on at for with by as that this these those "
    "it its and or so user s there here where who which what will shall can every each called "
    "named name's some about into than rather over"
)
STOP = frozenset(_STOP.split())

_UNITS_SPELT = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS_SPELT = "twenty thirty forty fifty sixty seventy eighty ninety"
_UNITS = _UNITS_SPELT.split()
_TENS = _TENS_SPELT.split()
NUMBERS = (
    {word: str(number) for number, word in enumerate(_UNITS)}
    | {word: str(10 * number) for number, word in enumerate(_TENS, start=2)}
    | {
        f"{tens}-{unit}": str(10 * number + digit)
        for number, tens in enumerate(_TENS, start=2)
        for digit, unit in enumerate(_UNITS[1:10], start=1)
    }
)
# Stems of one meaning.
_ALIKE = (
    "favourit favorit",
    "colour color",
    "lik lov enjoi ador prefer preferr",
    "mother mum mom mama",
    "father dad papa",
    "kid child children",
    "bik bicycl",
    "flat apartment",
    "big larg",
    "liv resid bas",
    "allerg allergi allergic",
    "phon mobil cell telephon",
    "car automobil",
    "vegetarian veggi",
    "movi film",
    "programm cod program",
    "scripting script",
    "learn studi",
    "work job employ",
    "begin start",
    "use us",
    "own possess",
    "bui purchas",
    "doctor physician gp",
    "meet meeting",
    "answer repli respons",
    "short brief concis",
    "mondai monday mon",
    "tuesdai tuesday tue tues",
    "wednesdai wednesday wed",
    "thursdai thursday thu thur thurs",
    "fridai friday fri",
    "saturdai saturday sat",
    "sundai sunday sun",
    "wif spous",
    "vacation holidai",
    "photo pictur",
    "member membership",
    "writer author",
)
SAME = {stem: group.split()[0] for group in _ALIKE for stem in group.split()}


def stem_words(text: str) -> tuple[str, ...]:
    """The words that carry meaning, in order, without their endings; synonyms as one word."""
    tokens = (NUMBERS.get(token, token) for token in _TOKEN.findall(text.lower()))
    kept = (token.removesuffix("'s") for token in tokens if token not in STOP)
    return tuple(SAME.get(stem, stem) for stem in map(_stem, kept))


def _stem(word: str) -> str:
    if word[0].isdigit() or len(word) < 4:  # noqa: PLR2004 - "is", "gas"
        return word
    if word.endswith("ies"):
        return word[:-3] + "i"
    for ending in ("ing", "ed", "es", "s"):
        root = word.removesuffix(ending)
        if root != word and _VOWEL.search(root) and not word.endswith(("ss", "us", "eed")):
            return _rooted(root + "e" if root.endswith("e") and ending == "es" else root)
    return _rooted(word)


def _rooted(root: str) -> str:
    if root.endswith("y"):
        return root[:-1] + "i"
    doubled = len(root) > 3 and root[-1] == root[-2] and root[-1] not in "sl"  # noqa: PLR2004
    return root[:-1] if doubled else root.removesuffix("e")
