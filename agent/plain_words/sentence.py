"""One sentence without what is said around it, and how it was meant."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from string import ascii_lowercase, ascii_uppercase

from agent.plain_words.politeness import (
    BECAUSE,
    FILLER_SENTENCE,
    LEADS,
    TAG,
    TAILS,
    TAILS_AFTER_A_STOP,
    Kind,
)

# One character for one character, so that what is matched can be cut from what was said.
_STRAIGHT = str.maketrans({"’": "'", "‘": "'", "ʼ": "'", "`": "'", "´": "'"} | {"\u00a0": " "})
# The same of letters: those that a pattern takes for a small one where case does not matter.
_SMALL = str.maketrans(
    {**dict(zip(ascii_uppercase, ascii_lowercase, strict=True)), "ſ": "s", "İ": "i", "ı": "i"}
    | {"\N{KELVIN SIGN}": "k"}
)
_FACE = re.compile(r"\s*(?:[:;=]-?[)(DPp]|xD|<3)\Z")
_SPLIT = re.compile(r"(?<=[.!?…])\s+|(?:(?<!\s)\s+)?\n\s*")
_ABBREVIATION = re.compile(r"(?:\b(?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|vs|e\.g|i\.e|etc)|\b[A-Z])\.\Z")
# “Could you not save this?”, “in this chat, only read memory”
_NEGATED = re.compile(r"\A(?:please )?not (?=\w)", re.IGNORECASE)
_CHAT_FIRST = re.compile(
    r"((?:in|for|during) (?:this|our) (?:chat|conversation|session)),? (?=\w)", re.IGNORECASE
)
_CLOSING = "\"'”’»)]"
_MOST_AROUND = 12
# Characters: the longest abbreviation, its full stop and what it stands apart from.
_LOOK_BACK = 6
_ASKING = {"asks", "polite", "wish"}

_VERBS = (
    *("forget", "remember", "pin", "unpin", "delete", "erase", "remove", "turn", "switch", "go"),
    *("show", "tell", "list", "export", "import", "save", "keep", "note", "undo", "disable"),
    *("enable", "make", "give", "wipe", "start", "stop", "restore", "bring", "change", "correct"),
    *("store", "clear", "pause", "scratch", "update", "fix", "edit", "get", "put", "take"),
    *("leave", "set", "explain", "add", "use", "record", "memorise", "memorize", "bear", "write"),
    *("resume", "load", "download", "search", "drop", "revert", "activate", "enter", "end", "exit"),
)
_BASE_FORMS = {
    form: verb
    for verb in _VERBS
    for form in (f"{verb}ing", f"{verb.removesuffix('e')}ing", f"{verb}{verb[-1]}ing")
}


@dataclass(frozen=True)
class Sentence:
    """`spoken` keeps the user's letters, `folded` is the same text in small ones with straight
    apostrophes, character for character; `kinds` tells what was stripped around it; `question`
    whether it ended in a question mark."""

    spoken: str
    folded: str
    kinds: frozenset[Kind] = field(default_factory=frozenset)
    question: bool = False

    @property
    def addressed(self) -> bool:
        """Whether the words around it speak to Keepsake."""
        return bool({"polite", "asks", "mind"} & self.kinds)


def fold(text: str) -> str:
    return text.translate(_STRAIGHT)


def after_leads(text: str) -> tuple[int, frozenset[Kind]]:
    """Where the sentence itself begins, and the kinds of what stands before it."""
    folded, at, kinds = fold(text), 0, set[Kind]()
    for _ in range(_MOST_AROUND):
        found = next(
            ((kind, match) for kind, lead in LEADS if (match := lead.match(folded, at))), None
        )
        if found is None or found[1].end() == at:
            break
        kinds.add(found[0])
        at = found[1].end()
    return at, frozenset(kinds)


def before_tails(text: str, *, politeness_only: bool = False) -> tuple[int, frozenset[Kind], bool]:
    """Where the sentence itself ends, the kinds of what follows, and whether it was a question.

    A text to keep loses thanks alone: “right now” and “because …” belong to its words.
    """
    folded, kinds = fold(text), set[Kind]()
    end, question = _without_stops(folded, len(folded))
    question = question and TAG.search(folded, max(0, len(folded) - 30)) is None
    for _ in range(_MOST_AROUND):
        found = _tail(folded[:end], politeness_only)
        if found is None:
            break
        kinds.add(found[0])
        end, asked = _without_stops(folded, found[1])
        question = question or asked
    return end, frozenset(kinds), question


def plain(said: str) -> tuple[Sentence, Sentence]:
    """The sentence in one line, without address, politeness, reasons and closing stops; and the
    same with all that ends it but thanks, for a text to keep."""
    line = " ".join(said.split())
    begin, leads = after_leads(line)
    rest = line[begin:]
    end, tails, question = before_tails(rest)
    sentence = _sentence(rest[:end], leads, tails, question=question)
    if not tails:
        return sentence, sentence
    end, tails, question = before_tails(rest, politeness_only=True)
    return sentence, _sentence(rest[:end], leads, tails, question=question)


def _sentence(
    spoken: str, leads: frozenset[Kind], tails: frozenset[Kind], *, question: bool
) -> Sentence:
    spoken = _NEGATED.sub("don't ", spoken) if leads & _ASKING else spoken
    if match := _CHAT_FIRST.match(spoken):
        spoken = f"{spoken[match.end() :]} {match[1]}"
    spoken = in_base_form(spoken) if "mind" in leads else spoken
    return Sentence(spoken, fold(spoken).translate(_SMALL), leads | tails, question)


def in_base_form(words: str) -> str:
    """“Forgetting that” as “forget that”."""
    first, _, rest = words.partition(" ")
    if first.lower() == "not":
        return f"don't {in_base_form(rest)}"
    return f"{_BASE_FORMS.get(first.lower(), first)} {rest}".rstrip()


def sentences(said: str) -> list[str]:
    """The sentences of a message, without those that only greet, thank or give a reason."""
    pieces: list[list[str]] = []
    for part in _SPLIT.split(said.strip()):
        if pieces and _ABBREVIATION.search(pieces[-1][-1][-_LOOK_BACK:]):
            pieces[-1].append(part)
        elif part:
            pieces.append([part])
    parts = [" ".join(each) for each in pieces]
    return [part for part in parts if not _is_filler(part)] or parts[:1]


def _is_filler(sentence: str) -> bool:
    end, _ = _without_stops(sentence, len(sentence))
    bare = fold(sentence[:end]).lstrip(" ,;:–—-")
    return not bare or FILLER_SENTENCE.fullmatch(bare) is not None


def _tail(text: str, politeness_only: bool) -> tuple[Kind, int] | None:
    for kind, tail in TAILS[:1] if politeness_only else TAILS:
        if match := tail.search(text, max(0, len(text) - 60)):
            return kind, match.start()
    # A long tail is looked for near the end only, so that a long text costs no more.
    if match := TAILS_AFTER_A_STOP.search(text, max(0, len(text) - 140)):
        return "filler", match.start()
    if not politeness_only and (match := BECAUSE.search(text)):
        return "filler", match.start()
    return None


def _without_stops(text: str, end: int) -> tuple[int, bool]:
    """The end before closing stops, emoji and smileys; whether a question mark was among them."""
    question = False
    while end:
        if face := _FACE.search(text, max(0, end - 8), end):
            end = face.start()
        elif not text[end - 1].isalnum() and text[end - 1] not in _CLOSING:
            question = question or text[end - 1] == "?"
            end -= 1
        else:
            break
    return end, question
