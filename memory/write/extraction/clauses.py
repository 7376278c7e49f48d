"""The parts of a sentence that say something each. Pure, English.

"I'm a nurse and I have two cats" → "I'm a nurse", "I have two cats"
"I moved to Bergen and started at Equinor" → "I moved to Bergen", "I started at Equinor"
"Since I'm vegan, what can I cook?" → "I'm vegan", "what can I cook?"
"""

from __future__ import annotations

import re

from memory.write.extraction.sentences import LONGEST_SENTENCE
from memory.write.extraction.words import CAPITAL, MY_PERSON, I

_STATES = (
    r"(?:is|are|was|were|has|have|lives?|works?|loves?|likes?|hates?|prefers?|died|uses?|can't"
    r"|moved|started|speaks?|owns?|got|studies|plays?|doesn't|don't|turns?|turned|teaches)"
)
# What can begin a clause of its own, with its subject.
_BEGINS = (
    r"(?:(?:now|then|also|sometimes|usually|currently|today|never|always|lately"
    r"|because) )?(?:(?:I|we|he|she|they|it)(?:'(?:m|ve|d|ll|s|re)\b| \w)"
    rf"|(?:my|our|his|her|their) (?:[\w'-]+ ){{1,3}}?{_STATES}\b|(?:please )?(?:never|always) \w"
    r"|from now on\b|please \w|don't \w|no \w+ (?:before|after|on)\b)"
)
_ASKS = (
    r"(?:can|could|would|will|should|shall|may|do|does|did|is|are|has|have) (?:you|i|we|there|it"
    r"|that|this|my|he|she|they|anyone)\b|(?:please )?(?:suggest|recommend|give me|show me"
    r"|tell me|help me|find me|write|explain|make me|draft|list|plan me|advise)\b"
    r"|any (?:good )?(?:ideas?|tips?|advice|suggestions?|recommendations?|thoughts|clue|chance)\b"
    r"|please \w"
)
_WH = (
    r"(?:what|what's|how|how's|why|which|who|where|when)\s*(?:\w+ )?(?:is|are|do|does|did|can"
    r"|could|should|would|will|to|much|many|about|kind|sort|if|i|we)\b"
)
# From where a run of white space begins, so that a long one costs no more than its length.
_GAP = r"(?:(?<!\s)\s+)?"
_SPLIT = re.compile(
    rf"{_GAP};\s*"
    rf"|{_GAP},? (?:and|but|so|plus|yet|though|whereas) (?!that\b)(?={_BEGINS}|{_ASKS}|{_WH})"
    rf"|,\s*(?={_BEGINS}|{_ASKS})| [-–—]+ (?={_BEGINS}|{_ASKS}|{_WH})|: (?={_ASKS}|I |I'm )",
    re.IGNORECASE,
)
_QUESTION_SPLIT = re.compile(rf",\s*(?={_WH})", re.IGNORECASE)

_PAST = (
    r"(?:moved|started|quit|left|bought|got|adopted|married|graduated|joined|became|had|was|were"
    r"|have|has|am|'m|decided|switched|sold|lost|broke|began|finished|founded|opened|retired"
    r"|studied|worked|lived|grew up|met|visited|flew|chose|settled|can't|cannot|don't|doesn't"
    r"|do not|never|always|usually|no longer|passed|ran|won|died|fought)"
)
_PRESENT = (
    r"(?:works?|lives?|love|loves|hate|hates|prefer|prefers|like|likes|enjoy|enjoys|own|owns"
    r"|drive|drives|play|plays|speak|speaks|teach|teaches|study|studies|use|uses|run|runs|collect"
    r"|dislike|avoid|volunteer|coach|manage|lead|drink|eat|wear|cycle|commute|need|needs|must)"
)
_STATE = r"(?:allergic|married|from|based|originally|lactose|vegan|vegetarian|diabetic|retired)"
_CARRY = re.compile(
    rf"{_GAP},? (?:and|but) (?:then |now |just )?"
    rf"(?=(?:also |really |absolutely )?(?:(?P<past>{_PAST})|(?P<present>{_PRESENT})"
    rf"|(?P<state>{_STATE})"
    r"|(?P<doing>learning|studying|training|saving|planning|working|living|writing|expecting))\b)",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    rf"^(?:[^,]{{1,40}},\s*)?(?P<subject>{MY_PERSON}(?: {CAPITAL}\w+)?|{I})(?P<be>'m|'re|'s"
    rf"| (?:am|are|is)\b)?(?=\W)",
    re.IGNORECASE,
)
_BARE_VERB_FOLLOWS = re.compile(
    r"\b(?:to|can|could|will|would|must|should|might|may|let's|don't|doesn't|didn't|not|never)\b"
    r"|'ll\b|'d\b",
    re.IGNORECASE,
)
_ONE_THOUGHT = re.compile(
    r"^(?:(?:but|and|so) )?(?:if|when|whenever|while|unless|before|once|until|even|in case|after"
    r"|although|by|to|first|step|as soon)\b",
    re.IGNORECASE,
)
_GIVEN = re.compile(
    r"^(?:since|as|because|given that|seeing that|considering(?: that)?|seeing as) (?=(?:I|we|my"
    r"|our)\b)(?P<fact>[^,]{5,200}),\s*(?P<rest>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_AS_A = re.compile(
    r"^as (?P<what>an? (?:(?! I )[^,]){3,60}),\s*(?P<rest>.+)$", re.IGNORECASE | re.DOTALL
)
_IN_MIND = re.compile(
    r"(?:^|, |^please |, please )(?:keep in mind|bear in mind|remember|consider|note"
    r"|don't forget)(?: that)? (?=(?:I|I'm|we|we're|my|our)\b)",
    re.IGNORECASE,
)
_MAX_CLAUSES = 8
_HAS_SUBJECT = re.compile(
    rf"\b(?:I|we|he|she|they|it|you|no|never|always|please|{_STATES})\b|'s\b", re.IGNORECASE
)
_FEW_WORDS = 4


def split_clauses(sentence: str) -> list[str]:
    """The independent clauses, each with its subject; the last one keeps the question mark. What
    is longer than any sentence is left whole."""
    if len(sentence) > LONGEST_SENTENCE:
        return [sentence]
    if given := _GIVEN.match(sentence):
        return [given["fact"], *split_clauses(given["rest"])]
    if (trade := _AS_A.match(sentence)) and sentence.endswith("?"):
        return [f"I'm {trade['what']}", trade["rest"]]
    if reminder := _IN_MIND.search(sentence):
        return [sentence[reminder.end() :]]
    if _ONE_THOUGHT.match(sentence):
        return _ends_with_question(sentence)
    clauses = []
    for part in _with_subjects(_SPLIT, sentence):
        clauses += _carried(part)
    if sentence.endswith("?") and clauses:
        clauses[-1:] = _ends_with_question(clauses[-1])
    return clauses[:_MAX_CLAUSES]


def _ends_with_question(clause: str) -> list[str]:
    if not clause.endswith("?"):
        return [clause]
    match = _QUESTION_SPLIT.search(clause)
    return [clause[: match.start()], clause[match.end() :]] if match else [clause]


def _with_subjects(boundary: re.Pattern[str], sentence: str) -> list[str]:
    """Cut at every boundary before which something has been said: not in "My wife and I …"."""
    parts: list[str] = []
    start = 0
    for match in boundary.finditer(sentence):
        left = sentence[start : match.start()]
        says_nothing = len(left.split()) <= _FEW_WORDS and not _HAS_SUBJECT.search(left)
        if says_nothing and not match[0].startswith(":"):
            continue
        parts.append(left)
        start = match.end()
    return [*parts, sentence[start:]]


def _carried(clause: str) -> list[str]:
    """The clause cut where a second verb takes the first one's subject over."""
    subject = _SUBJECT.match(clause)
    if subject is None:
        return [clause]
    for joint in _CARRY.finditer(clause, subject.end()):
        left = clause[: joint.start()]
        if (said := _subject_of(joint, subject, left)) is not None:
            return [left, *_carried(f"{said} {clause[joint.end() :]}".replace(" '", "'", 1))]
    return [clause]


def _subject_of(match: re.Match[str], subject: re.Match[str], left: str) -> str | None:
    """What the second verb's subject is, or None where the verb belongs to the first clause."""
    said, is_be = subject["subject"], subject["be"] or ""
    if match["past"]:
        return said
    if match["present"]:
        return None if _BARE_VERB_FOLLOWS.search(left) else said
    return said + is_be if is_be else None
