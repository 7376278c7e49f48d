"""English words that tell names from other words, and people from things. Data, no decisions;
small, without accents."""

from __future__ import annotations


def _forms(verbs: frozenset[str]) -> frozenset[str]:
    """Of the regular verbs the third person and the past."""
    third = {f"{verb[:-1]}ies" if _is_carry(verb) else f"{verb}s" for verb in verbs}
    past = {
        f"{verb[:-1]}ied" if _is_carry(verb) else f"{verb.removesuffix('e')}ed" for verb in verbs
    }
    return frozenset(
        third | past | {f"{verb}es" for verb in verbs if verb.endswith(("s", "sh", "ch", "o"))}
    )


def _is_carry(verb: str) -> bool:
    return verb.endswith("y") and verb[-2] not in "aeou"


_ORDINARY_WORDS = """
a about after all also always an and any anyone as ask asks at because been before breakfast but
by can christmas coffee could decided did dinner do does don't dr during each easter either even
every everyone few for friends from get give got had has have he hello her here hers hey hi his
how i if in is it its just keep kept last let life like likes lists lived lunch made make many
me meetings money most mr mrs ms my need never new next no nobody not now of often ok okay on once
one only or our out over own parents people plan please prefer prefers prof professor rent remember
remind school she should show since so some someone sometimes st still take tell that the their
them then there these they this those time to today tomorrow too traffic until up use user used
uses usually wants was we were what when where whether which while who whom whose why with without
work works would yes yesterday you your
monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
fridays saturdays sundays january february march july september october november december
arabic chinese czech danish dutch english finnish french german greek hebrew hindi italian japanese
korean latin mandarin norwegian polish portuguese russian spanish swedish turkish ukrainian
american british european catholic christian jewish muslim vegan vegetarian
"""
ORDINARY = frozenset(_ORDINARY_WORDS.split())

# Names that are words as well: a name only where a capital or what stands beside it says so.
_WORDS_TOO_WORDS = """
amber april art august autumn bear bill biscuit bob carol chase coco dawn dean drew faith frank
gene ginger grace grant guy hope hunter iris ivy jack jean joy june lily lucky mark may max miles
nick olive pat penny pepper ray rich rob robin rose ruby sky star sue summer violet will
"""
WORDS_TOO = frozenset(_WORDS_TOO_WORDS.split())
CALENDAR_TOO = frozenset({"april", "august", "june", "may", "will"})

TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "uncle", "aunt", "auntie"})
# What only people and animals do; as a question has it after "does", and as a memory does.
_DOES = """
adore admire agree believe celebrate cook dislike dream drink drive eat enjoy fear feel forget
graduate hate hope invite joke know laugh learn like live love marry meet paint play prefer
promise remember say sing sleep speak study swim talk teach tell think travel volunteer wake want
wear wish worry write
"""
_ACTS = """
ate drank drove fell felt forgot gave grew knew met said sang slept spoke taught thought told woke
wore wrote born
"""
DOES = frozenset(_DOES.split())
ACTS = frozenset(_ACTS.split()) | _forms(DOES)
# What things do as well.
_MAY_DO = """
arrive avoid bring call cause close come contain cost die drop earn end finish fly get go grow
help hold keep leave look lose mean move need open own pass pay return ride run send show sit
smell smoke sound stand start stay stop train turn visit walk weigh win work
"""
_MAY_HAVE_DONE = """
is was has had can could will would does did isn wasn hasn doesn didn got kept left lost came went
became began bought brought made paid ran sat sent stood took won ll d
"""
MAY_ACT = frozenset(_MAY_HAVE_DONE.split()) | _forms(frozenset(_MAY_DO.split()))
_PERSONAL_WORDS = """
birthday wedding age opinion idea job boyfriend girlfriend ex surname parents kids
"""
PERSONAL = frozenset(_PERSONAL_WORDS.split())
_DEALT_WITH_WORDS = """
told asked met married invited thanked hugged owe owes lent gave give tell ask invite meet marry
introduced
"""
DEALT_WITH = frozenset(_DEALT_WITH_WORDS.split())
_BEFORE_THINGS_WORDS = """
a an at in inside into my near on our outside speak the this towards use used uses using via
install installed learn drive bought eat ate drink play played watch watched read cook wear order
ordered cancel cancelled
"""
BEFORE_THINGS = frozenset(_BEFORE_THINGS_WORDS.split())
_GOES_WORDS = """
been drive drove flew flight fly flying go goes going gone move moved moves moving relocate
relocated train travel travelled trip went journey way back bus
"""
GOES = frozenset(_GOES_WORDS.split())
