"""Why each clause of a message is kept, or is not.

To see why a memory is there: `for reading in read("…"): print(reading)`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.write.extraction import cuts, refusals
from memory.write.extraction.blocks import own_prose
from memory.write.extraction.clauses import split_clauses
from memory.write.extraction.joining import belong_together, is_one_change, named_at_once
from memory.write.extraction.patterns import PROCEDURES, RULES, Rule
from memory.write.extraction.pronouns import Antecedents
from memory.write.extraction.sentences import split_sentences
from memory.write.extraction.wording import as_kept, in_one_spelling, without_fillers
from memory.write.quality import sentence_fault

MAX_SENTENCE_CHARS = 500
MAX_SENTENCES = 200
_TWO = 2
# A clause that is not kept for one of these alone may stand beside one that is.
_MILD = {"no rule", "fragment", "command", "a request", "about this conversation"}
_NUMBERED = re.compile(
    r"(?:^|\n)[^\n]{3,120}:\s*(?:\n\s*(?:step\s*)?\d[.):]?\s[^\n]{2,120}){2,12}"
    r"|\bstep\s*1\b[^\n]{2,160}(?:[\n ]+step\s*\d\b[^\n]{2,160}){1,10}",
    re.IGNORECASE,
)
_LEAD = re.compile(
    r"(?:(?:on|in|at|for|since|every|each|last|next|this|during|before|after|from|until|by|over"
    r"|within|most|yesterday|today|tomorrow|nowadays|these|usually|normally|currently|recently"
    r"|lately|sometimes|now|right|as|when|whenever|while|back|\w+|a|about|two|three)\b(?!\s+(?:is"
    r"|are|was|means)\b)[^,.;:]{0,60}?,?\s)??(?=(?:I|we|my|our)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """One clause with the rule that keeps it, or with the reason why it is not kept."""

    clause: str
    rule: Rule | None
    refused: str | None = None


def read(text: str) -> list[Reading]:
    """Every clause of the message with its verdict, in order."""
    text = in_one_spelling(text)
    if why := cuts.message_refused(" ".join(text.split())):
        return [Reading(text[:MAX_SENTENCE_CHARS], None, why)]
    procedures, prose = _numbered_steps(own_prose(text))
    return [*procedures, *_read_prose(prose)]


def judge(clause: str) -> Reading:
    """The first rule that keeps the clause, unless something refuses it."""
    kept = as_kept(clause)
    if why := sentence_fault(clause) or refusals.clause_refused(clause):
        return Reading(kept, None, why)
    now = refusals.NOW_OR_SOON.search(clause) is not None
    core = _core(kept)
    for rule in RULES:
        if (not now or rule.today_too) and rule.keeps(kept, core):
            return Reading(kept, rule)
    return Reading(kept, None, "temporary" if now else "no rule")


def _read_prose(prose: str) -> Iterator[Reading]:
    spoken_of = Antecedents()
    for sentence in split_sentences(prose)[:MAX_SENTENCES]:
        bare = named_at_once(" ".join(without_fillers(sentence).split()))
        if why := cuts.cut_here(bare):
            yield Reading(bare[:MAX_SENTENCE_CHARS], None, why)
            return
        too_long = len(bare) > MAX_SENTENCE_CHARS
        if why := "too long" if too_long else refusals.sentence_refused(sentence):
            yield Reading(bare[:MAX_SENTENCE_CHARS], None, why)
            continue
        readings = []
        for clause in split_clauses(bare):
            whole = spoken_of.resolve(without_fillers(clause))
            readings.append(judge(whole))
            spoken_of.hear(whole)
        yield from _together(bare, readings)


def _together(sentence: str, readings: list[Reading]) -> list[Reading]:
    """The whole sentence where its two clauses belong together, and one of them is kept."""
    if len(readings) != _TWO or sentence.endswith("?") or not _may_join(readings):
        return readings
    clauses = [each.clause for each in readings]
    if not belong_together(*clauses):
        return readings
    rules = [each.rule for each in readings if each.rule]
    return [Reading(as_kept(sentence), rules[-1 if is_one_change(*clauses) else 0])]


def _may_join(readings: list[Reading]) -> bool:
    refused = {each.refused for each in readings if each.rule is None}
    return refused <= _MILD and any(each.rule for each in readings)


def _core(clause: str) -> str | None:
    """What is left of the clause after "last Friday," or "at work", where it begins so."""
    lead = _LEAD.match(clause)
    return clause[lead.end() :] if lead is not None and lead.end() else None


def _numbered_steps(prose: str) -> tuple[list[Reading], str]:
    """A list of numbered steps is one procedure; the rest of the text is given back."""
    match = _NUMBERED.search(prose)
    if match is None:
        return [], prose
    steps = " ".join(match[0].split())
    rule = next((each for each in PROCEDURES if each.keeps(steps)), None)
    if rule is None:
        return [], prose
    return [Reading(as_kept(steps), rule)], prose[: match.start()] + "\n" + prose[match.end() :]
