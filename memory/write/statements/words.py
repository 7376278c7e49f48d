"""The English words that statements are compared by: data, no decisions."""

from __future__ import annotations

import re

_STOP = (
    "a an the i my me mine myself we our us you your am is are was were be been being do does did "
    "have has had having got own owns get gets to of in on at for with by as that this these those "
    "it its and or so user s there here where who which what will shall can every each called "
    "named name's some about into than rather over"
)
STOP = frozenset(_STOP.split())

ADVERBS = re.compile(
    r"\b(?:now|any ?more|nowadays|these days|from now on|instead(?! of)|actually|in fact|again"
    r"|currently"
    r"|presently|recently|finally|already|still|really|very|quite|just|simply|always|usually"
    r"|generally|normally|also|too|as well|so much|a lot|absolutely|totally|definitely|truly"
    r"|basically|honestly|at the moment|right now|today|(?<=my )new|(?<=our )new|(?<=the )new"
    r"|at all|of mine|personally|officially|please|much|most(?= favou?rite))\b,?"
)

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
NUMBER_WORD = re.compile(rf"\b(?:{'|'.join(sorted(NUMBERS, key=len, reverse=True))})\b(?! of)")

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

# When it happened, which is not what changed: "I stopped smoking last year".
_MONTHS = r"january|february|march|april|may|june|july|august|september|october|november|december"
WHEN = re.compile(
    r"\b(?:(?:since |as of )?(?:last|this) (?:year|month|week|spring|summer|autumn|fall|winter"
    r"|night"
    rf"|weekend|{_MONTHS}|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    rf"|yesterday|(?:in|since) (?:(?:{_MONTHS})(?: (?:of )?\d{{4}})?|\d{{4}})|on \d{{4}}-\d\d-\d\d"
    rf"|on \d{{1,2}}(?:st|nd|rd|th)? (?:{_MONTHS})(?: \d{{4}})?"
    r"|(?:\d+|an?|two|three|few|a few|some|several|couple of|a couple of) (?:days?|weeks?|months?"
    r"|years?) ago|for good|a while ago|long ago|for health reasons|completely|entirely"
    r"|altogether)\b"
)

# Stems that exclude each other of one thing, then those that may both hold at different times.
_EXCLUDING = (
    "dark light, introvert extrovert, cheap expensiv, short long, short detail, "
    "hot cold, hot iced, sweet salti, vegan meat, metric imperial, "
    "celsius fahrenheit, tab spac, open clos, start stop, enabl disabl, allow forbid, "
    "tru fals, married singl, full half, remot onsit, remot offic, formal informal, "
    "formal casual, window aisl, lov hat, accept reject, accept declin, public privat, "
    "left-hand right-hand, spici mild, quiet loud, quiet noisi, fast slow, "
    "increas decreas, rais lower, abov below, includ exclud"
)
OPPOSITES = frozenset(frozenset(pair.split()) for pair in _EXCLUDING.split(", "))
_AT_OTHER_TIMES = (
    "befor after, morn even, morn night, morn afternoon, old new, big small, "
    "up down, indoor outdoor, black whit, dai night, first last, min max, summer winter, "
    "weekdai weekend, afternoon even"
)
WEAK_OPPOSITES = frozenset(frozenset(pair.split()) for pair in _AT_OTHER_TIMES.split(", "))

# Words that make a statement hold only sometimes.
_CONDITIONS = (
    "when if unless only except but while until without befor after "
    "want plan hope might would could should try consider wish"
)
CONDITIONS = frozenset(_CONDITIONS.split())
_KIN = (
    "sister brother mother father wif husband son daughter friend colleagu cousin aunt uncl boss "
    "manager girlfriend boyfriend partner neighbour parent kid grandmother grandfather"
)
KIN = frozenset(_KIN.split())
# Words after which the order of two things matters.
DIRECTED = re.compile(r"\b(?:over|than|before|after|from|to|instead of)\b")
# What one says in "don't suggest recipes with nuts" and not in "no recipes with nuts".
ASKING = frozenset(("suggest", "recommend", "giv", "them", "show", "pleas"))
_DAYS = "mondai tuesdai wednesdai thursdai fridai saturdai sundai"
# Stems of one kind, of which a habit commonly has one.
DAYS = frozenset(_DAYS.split())
