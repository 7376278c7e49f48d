"""Where the reading of a message ends, and when none of it is read. A table; pure, English.

After a sentence of `CUTS` comes a story, a quotation or a text to work on. A message in which
something of `WHOLE_MESSAGE` stands is not kept at all: it was a joke, or not to be kept.
"""

from __future__ import annotations

import re

_TEXT = (
    r"(?:texts?|e-?mails?|letters?|messages?|articles?|paragraphs?|essays?|posts?|tweets?|quotes?"
    r"|poems?|lyrics|songs?|transcripts?|logs?|reviews?|story|stories|sentences?|abstracts?|bios?"
    r"|passages?|dialogues?|scripts?|speech|speeches|prompts?|captions?|snippets?|chapters?"
    r"|cover letters?|resum[eé]s?|cv|scenes?|comments?|conversations?|replies|drafts?|statements?"
    r"|joke|phrases?|samples?|examples?|templates?|outputs?|excerpts?|blurbs?)"
)
_FICTION = (
    r"(?:stor(?:y|ies)|poems?|songs?|lyrics|scenes?|dialogues?|monologues?|scripts?|plays?"
    r"|novels?|chapters?|fan ?fic\w*|limericks?|haikus?|raps?|characters?|fairy ?tales?|jokes?"
    r"|parod\w+|skits?)"
)
WORK_ON = (
    r"(?:translate|fill in|rewrite|re-?phrase|paraphrase|proof-?read|correct|fix|summari[sz]e"
    r"|edit|improve|polish|shorten|simplify|analy[sz]e|review|convert|format|classify|continue"
    r"|complete|read|check|explain|parse|say|answer|reply to|respond to|tag|label|turn|put)"
)
PLEASE = r"(?:(?:please|can you|could you|would you|now|so|then|help me(?: to)?) ){0,3}"

CUTS: dict[str, tuple[str, ...]] = {
    "fiction": (
        (
            r"^(?:(?:so|ok(?:ay)?|now|please|let's|let us)\s*,?\s*){0,3}(?:pretend|imagine"
            r"|suppos(?:e|ing)|picture|role-? ?play|hypothetically|act (?:as|like)|assume|what if"
            r"|play (?:a game|along)|say (?:I|we|you)\b|you (?:are|be)\b(?! (?:right|welcome|so"
            r"|the best|great|very))|you're (?:an?|the) \w+ (?:who|in|from)|once upon a time)"
        ),
        (
            rf"^{PLEASE}(?:write|compose|make up|create|invent|tell|continue|generate"
            rf"|draft)\b[^.?!]{{0,60}}\b{_FICTION}\b"
        ),
        (
            rf"\bin (?:this|the|my|our) (?:{_FICTION}|game|role-?play|scenario|dream|film"
            r"|movie|book)\b"
        ),
        r"\b(?:thought experiment|from the perspective of|in the voice of|my character\b)",
        r"\blet's (?:pretend|imagine|say\b|role-? ?play|suppose|assume)",
    ),
    "a text to work on": (
        rf"^{PLEASE}{WORK_ON}\b[^:\n]{{0,80}}:",
        rf"^{PLEASE}{WORK_ON}\b[^.?!]{{0,30}}\b(?:the following|below)\b",
        rf"^{PLEASE}{WORK_ON} (?:this|these|that|the)\s*(?:\w+ ){{0,2}}{_TEXT}?\s*[.?!]?$",
        rf"^(?!our |my (?:favou?rite|story))[^:\n]{{0,80}}\b{_TEXT}\b[^:\n]{{0,50}}:",
        r"^(?:quote|quoting|excerpt|transcript|article|lyrics|from wikipedia)\s*:",
        r"^[^:\n]{0,60}\b(?:wrote|says|said|reads|goes|replied|answered|texted)\s*(?:\w+ ){0,3}:",
        r"^(?:for example|for instance|e\.g\.|say)\b",
        r"^(?:example|sample|input|test|user|system|assistant)\s*:",
    ),
}
WHOLE_MESSAGE: dict[str, tuple[str, ...]] = {
    "a joke": (
        r"\b(?:jk|j/k|just kidding|just joking|only (?:joking|kidding)|kidding|joking|/s)\b",
        r"(?:^| )/s\b",
        r"\b(?:just|only|all) a joke\b|\bpulling your leg\b",
    ),
    "not to be kept": (
        (
            r"\b(?:don't|do not|never|no need to) (?:remember|save|store|keep|memori[sz]e|record"
            r"|note) (?:this|that|it|any|what)\b"
        ),
        r"\boff the record\b|\bforget (?:I said|what I (?:just )?said)\b|\bscratch that\b",
    ),
}


def compiled(table: dict[str, tuple[str, ...]]) -> dict[str, re.Pattern[str]]:
    """Each reason with one pattern for all that it is seen by."""
    return {why: re.compile("|".join(says), re.IGNORECASE) for why, says in table.items()}


def first_of(table: dict[str, re.Pattern[str]], text: str) -> str | None:
    """The first reason that the text gives."""
    return next((why for why, pattern in table.items() if pattern.search(text)), None)


_CUTS, _WHOLE = compiled(CUTS), compiled(WHOLE_MESSAGE)


def message_refused(text: str) -> str | None:
    """Why nothing of the message is kept."""
    return first_of(_WHOLE, text)


def cut_here(sentence: str) -> str | None:
    """Why nothing is read from this sentence on."""
    return first_of(_CUTS, sentence)
