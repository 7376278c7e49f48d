"""Which command a message in plain words is, if it is one.

A message is a command where a whole sentence of it is one: the sentence is freed of what is
said around it (`sentence`), slips of the finger are put right (`spelling`), and the rest has
to be one of the phrases in `phrases_*` from its first to its last letter. What is quoted,
supposed, asked about the product or said of others never is.
"""

from __future__ import annotations

import re
from dataclasses import replace

from agent.plain_words.commands import Command, CommandName
from agent.plain_words.phrases_asking import ASKING_ABOUT
from agent.plain_words.phrases_auditing import AUDIT
from agent.plain_words.phrases_editing import EDITING
from agent.plain_words.phrases_erasing import ERASING
from agent.plain_words.phrases_explaining import WHY
from agent.plain_words.phrases_incognito import INCOGNITO
from agent.plain_words.phrases_keeping import KEEPING_ANYWAY, KEEPING_NOT
from agent.plain_words.phrases_moving import MOVING
from agent.plain_words.phrases_pinning import PINNING
from agent.plain_words.phrases_showing import LISTING
from agent.plain_words.phrases_switching import MEMORY_SWITCH
from agent.plain_words.phrases_undoing import UNDOING
from agent.plain_words.remembering import bare_in, remember_in
from agent.plain_words.sentence import after_leads, fold, plain, sentences
from agent.plain_words.spelling import without_slips

MOST_CHARS = 300
_MOST_SENTENCES = 5
# The first rule that takes a sentence decides. What is of this conversation comes before what
# is of memory as a whole, an undo before a forget, all before one.
RULES = (
    *(*KEEPING_ANYWAY, *INCOGNITO, *MEMORY_SWITCH, *UNDOING, *ERASING, *KEEPING_NOT),
    *(*EDITING, *PINNING, *MOVING, *AUDIT, *WHY, *LISTING, *ASKING_ABOUT),
)
# Quoted text, code, a quotation in mail, and a command of the terminal.
_NOT_SPOKEN = re.compile(r"\s*(?:[\"“”„«»'‘’`>#$/|*<{\[(]|```|[-–—]{2})")
_CODE = re.compile(r"```|;\s*$|=>|\(\)|</")
# Commands that can only be meant for Keepsake, beside other talk too.
_UNMISTAKABLE: frozenset[CommandName] = frozenset(
    {
        *("remember", "remember_anyway", "do_not_remember", "memory_off", "memory_on"),
        *("memory_read_only", "incognito_on", "incognito_read_only", "incognito_off", "list"),
        *("about", "export", "erase_me"),
    }
)
_WITH_A_REASON = _UNMISTAKABLE | {"undo", "pin", "unpin"}
# A clause that names memory, or what was told, is meant for Keepsake beside other talk too.
_OF_MEMORY = re.compile(
    r"\bmemor(?:y|ies)\b|\b(?:told|asked) you\b|\byou(?:'ve| have)? (?:know|remember(?:ed)?"
    r"|stored|saved)"
    r"\b|\bun-?(?:do|pin|forget|delete)\b",
    re.IGNORECASE,
)
_LAST_CLAUSE = re.compile(r"(?:,|;|\s[–—-])\s+(?:and |but |so )?")
# Words of others, suppositions, and text about text: the command in it is not given.
_TELLS = re.compile(
    r"\b(?:say|says|said|saying|tell|tells|told|telling|ask|asks|asked|if|when|whenever|unless"
    r"|yell\w*|"
    r"shout\w*|writ\w+|wrote|typ(?:e|ed|es|ing)|mean|means|meant|call\w*|suppos\w+|imagin\w+"
    r"|pretend\w*|"
    r"translat\w+|phrase|command|button|quote|draft|e-?mail|letter|poem|story|song|title|example"
    r"|he|she|they|who|what|how|why)\b"
    r"|[\"“”«»?]",
    re.IGNORECASE,
)
# Closing thanks are no clause of their own.
_THANKS = re.compile(r"(?<=\w)\s*[,;–—-]\s*(?:thanks|thank you|thx)[\s!.]*$", re.IGNORECASE)
# “She is called Marit, please remember that” may tell of anything, but not ask or suppose.
_DOUBTFUL = re.compile(
    r"\b(?:if|suppos\w+|imagin\w+|pretend\w*|translat\w+)\b|[\"“”«»?]", re.IGNORECASE
)
# The same where the command is a sentence of its own: “What happens if I say that's wrong. …”, and
# somebody's words after a colon.
_SUPPOSES = re.compile(
    r"\b(?:if i|when i say|suppos\w+|imagin\w+|pretend\w*|translat\w+|what happens|what does|"
    r"how (?:do|would|can|should) (?:i|you)|(?:song|story|poem|film) called|titled|"
    r"he said|she said|they said)\b|\b(?:says?|said|tells?|told|asks?|asked|wrote)\b[^.!?]*:",
    re.IGNORECASE,
)
_STATES = re.compile(
    r"(?:i|i'\w+|im|it|it's|its|that|that's|this|this's|we|we'\w+|my|our)\b", re.IGNORECASE
)


def recognise(said: str) -> Command | None:
    """The command, or None for ordinary talk."""
    command = _by_rules(said)
    if command == Command("do_not_remember"):
        return replace(command, points_back=_is_all(said))
    return command


def is_for_good(said: str) -> bool:
    """Whether a wish says that what it takes shall not come back."""
    return "for_good" in plain(said)[0].kinds


def _is_all(said: str) -> bool:
    """Whether a command is all that the message holds."""
    parts = sentences(_THANKS.sub("", said))
    return len(parts) == 1 and _in_sentence(parts[0])[0] is not None


def _by_rules(said: str) -> Command | None:
    """Messages longer than MOST_CHARS are only ever something to remember."""
    if _NOT_SPOKEN.match(said):
        return None
    if len(said) > MOST_CHARS or _CODE.search(said):
        return remember_in(said)
    said = _THANKS.sub("", said)
    parts = sentences(said)
    if len(parts) == 1:
        return _in_sentence(parts[0])[0] or _beside_a_clause(parts[0])
    whole = remember_in(said)
    if whole is not None or not parts or len(parts) > _MOST_SENTENCES:
        return whole
    return _among(parts)


def _in_sentence(said: str) -> tuple[Command | None, bool]:
    """The command of one sentence, and whether the sentence speaks to Keepsake."""
    # A new wording may end in “now” or “because …”.
    sentence, wording = plain(without_slips(said))
    bare = bare_in(sentence)
    if bare is not None:
        return bare, True
    found = (rule.command_in(wording if rule.name == "edit" else sentence) for rule in RULES)
    command = next((command for command in found if command), None)
    return command or remember_in(said), sentence.addressed


def _beside_a_clause(said: str) -> Command | None:
    """“I'm vegan, please remember that”, “remember this, I need it tomorrow”: one clause is the
    command, the other says why, or what."""
    last = _LAST_CLAUSE.split(said)[-1]
    before = said[: len(said) - len(last)]
    if before and not (_DOUBTFUL.search(before) or _SUPPOSES.search(before)):
        command, addressed = _in_sentence(last)
        kept = command is not None and command.name == "remember" and addressed
        told = not kept and _TELLS.search(before) is not None
        if (
            command
            and not told
            and (addressed or command.name in _UNMISTAKABLE or _OF_MEMORY.search(fold(last)))
        ):
            return _with_words(command, before)
    first, _, after = said.partition(", ")
    if _STATES.match(fold(after)) and not _TELLS.search(after):
        command, addressed = _in_sentence(first)
        meant = addressed or _OF_MEMORY.search(fold(first)) is not None
        if command and (command.name in _WITH_A_REASON or meant):
            return command
    return None


def _with_words(command: Command, before: str) -> Command:
    """“I live in Oslo. Remember that.” keeps what stands before it."""
    if command.name != "remember" or command.text is not None:
        return command
    words = before[after_leads(before)[0] :].strip(" ,;:–—-\n")
    return replace(command, text=words or None)


def _among(parts: list[str]) -> Command | None:
    """The command of the first or the last of several sentences, where it is clearly meant."""
    if _SUPPOSES.search(" ".join(parts)):
        return None
    found = [_in_sentence(part) for part in (parts[0], parts[-1])]
    if found[1][0] and not found[0][0]:
        found[1] = (_with_words(found[1][0], " ".join(parts[:-1])), found[1][1])
    meant = {
        command
        for command, addressed in found
        if command and (addressed or command.name in _UNMISTAKABLE)
    }
    return meant.pop() if len(meant) == 1 else None
