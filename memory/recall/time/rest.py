"""What remains of a question without its words of time, and whether that names a topic. Pure."""

from __future__ import annotations

import re

from memory.recall.time.asked import TimeAsked

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+")
_DOUBLED_COMMA = re.compile(r"\s*,\s*,")
_SPACE_BEFORE = re.compile(r"\s+([?.!,;:])")
_COMMA_AT_END = re.compile(r"[,;:\s]+([?.!]*)$")
# With no other word a question asks for whatever there is.
_WORDS_WITHOUT_TOPIC = (
    "what what's whats who where which how did do does doing done have has had having been be is "
    "are was were am will would can could should shall may there's i i'm i've i'd we we've we're "
    "you you've your me my our us the a an to on up in at for of and or with about as from by "
    "then so else also all any every anything everything something nothing things thing stuff "
    "happen happens happened happening occur occurred going go goes went come comes coming "
    "plan plans planned planning schedule scheduled calendar agenda program programme diary "
    "due new busy free events event activities activity life day days week time there it "
    "tell told say said mention mentioned talk talked chat chatted ask asked know knew learn "
    "learned learnt remember remembered note noted save saved store stored kept recall "
    "memory memories conversation conversations show list give summarise summarize summary "
    "recap review overview please just again get got that's it's let's let this that "
    "change changed changes work worked working meet met see saw seen"
)
_NO_TOPIC = frozenset(_WORDS_WITHOUT_TOPIC.split())


def without_time(question: str, asked: TimeAsked) -> str:
    """The question without the words that say the time; it may name nothing any more."""
    if asked.words not in question:
        return question
    before, _, after = question.partition(asked.words)
    rest = " ".join(f"{before} {after}".split())
    rest = _SPACE_BEFORE.sub(r"\1", _DOUBLED_COMMA.sub(",", rest))
    return _COMMA_AT_END.sub(r"\1", rest).lstrip(" ,;:?.!")


def asks_for_everything(rest: str) -> bool:
    """Whether no word of it names a topic: "what did I do", "what's on"."""
    words = [word.replace("’", "'") for word in _WORD.findall(rest.lower())]
    return all(word in _NO_TOPIC for word in words)
