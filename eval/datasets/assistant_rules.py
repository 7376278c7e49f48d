"""Tasks that need memory (specification 000), and the rules that judge a reply to one: solved or
not, cited or not, invented or not. English."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal, Self, TypeAlias

from pydantic import Field, model_validator

from eval.files import StrictModel, duplicates, read_json_file

_SIGNS = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'})
_WORD = re.compile(r"\w+(?:['.:,]\w+)*")
# They say nothing of what a sentence is about.
_STOP_WORD_LIST = (
    "a an the and or but of in on at to for from by with without as is are am was were be been it"
    " its this that these those i me my mine you your yours we our ours he his she her they their"
    " have has had do does did not no so than then there here every"
)
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())


def normalise_text(text: str) -> str:
    """In lower case, with straight quotation marks and single spaces."""
    return " ".join(text.translate(_SIGNS).casefold().split())


def contains_phrase(text: str, wording: str) -> bool:
    """Whether the words begin at a word of the text: "hazelnut" is in "no hazelnuts"."""
    return (
        re.search(rf"(?<!\w){re.escape(normalise_text(wording))}", normalise_text(text)) is not None
    )


def contains_any_phrase(text: str, wordings: Iterable[str]) -> bool:
    return any(contains_phrase(text, wording) for wording in wordings)


def meaningful_words(text: str) -> frozenset[str]:
    """The words that say what it is about."""
    return frozenset(_WORD.findall(normalise_text(text))) - _STOP_WORDS


# How much of a memory's words a reply holds that names it without quoting it.
NAMED = 0.5
# A memory that was not recalled is named by words of its own only.
OWN_WORDS = 2

_CLAIM = re.compile(
    r"\byou (?:(?:once|already|also|previously|have|had|'ve|just) )*"
    r"(?:told|mentioned|said|shared|wrote|noted)\b"
    r"|\byou've (?:\w+ )?(?:told|mentioned|said|shared)\b"
    r"|\b(?:i remember|as i recall|from (?:our|your|my) (?:earlier|past|previous|memory|memories)"
    r"|last time we (?:spoke|talked)|in (?:my|your) memory)\b"
)
_DENIAL = re.compile(
    r"\b(?:not|never|nothing|no|none|don't|didn't|haven't|hasn't|cannot|can't|unless|if|until"
    r"|only (?:from )?what)\b[^.!?,;:\n]*$"
)
_QUOTE = re.compile(r'“([^”\n]+)”|„([^“\n]+)“|«([^»\n]+)»|"([^"\n]+)"')


@dataclass(frozen=True)
class CitationVerdict:
    """`claims`: it says that it has something from the user. `right`: it says so, every quote is
    from a recalled memory, one of these is quoted or named, and no other memory is."""

    claims: bool
    right: bool


def check_citation(
    reply: str, recalled: Sequence[str], others: Sequence[str], task: str
) -> CitationVerdict:
    """Whether a reply cites its memory as SC-005 of specification 001 wants it. `others` are the
    user's memories that were not recalled; the words of the task are nobody's citation."""
    claimed = claims_memory(reply)
    quotes = [each for each in quotes_of(reply) if each not in normalise_text(task)]
    sound = all(any(_quoted(quote, memory) for memory in recalled) for quote in quotes)
    named = any(names_memory(reply, memory) for memory in recalled)
    known = meaningful_words(task).union(*(meaningful_words(memory) for memory in recalled))
    foreign = any(_names_own(reply, memory, known) for memory in others)
    return CitationVerdict(claimed, claimed and sound and named and not foreign)


def claims_memory(reply: str) -> bool:
    """Whether it says that something was told before; "you have not told me" does not."""
    text = normalise_lines(reply)
    return any(_DENIAL.search(text[: found.start()]) is None for found in _CLAIM.finditer(text))


def quotes_of(reply: str) -> list[str]:
    found = ("".join(groups) for groups in _QUOTE.findall(reply))
    return [normalise_text(each).strip(" .,!?…") for each in found]


def names_memory(reply: str, memory: str) -> bool:
    """Whether it holds at least half of what the memory says, in its words."""
    words = meaningful_words(memory)
    return bool(words) and len(words & meaningful_words(reply)) >= NAMED * len(words)


def normalise_lines(reply: str) -> str:
    return "\n".join(normalise_text(line) for line in reply.splitlines())


def _quoted(quote: str, memory: str) -> bool:
    return quote in normalise_text(memory)


def _names_own(reply: str, memory: str, known: frozenset[str]) -> bool:
    own = meaningful_words(memory) - known
    return len(own) >= OWN_WORDS and len(own & meaningful_words(reply)) >= max(
        NAMED * len(own), OWN_WORDS
    )


TASKS_FILE = "tasks.json"
TASKS_FOLDER = Path(__file__).parent
TaskKind = Literal["preference", "meeting", "goal"]
NonEmptyText: TypeAlias = Annotated[str, Field(min_length=1)]


class MemoryTask(StrictModel):
    """`told` are the user's turns in earlier conversations, `task` the first turn of a new one. A
    reply solves it that holds each of `needed` in one of its wordings, and nothing `forbidden`."""

    id: Annotated[str, Field(min_length=1, max_length=100)]
    kind: TaskKind
    told: Annotated[
        tuple[Annotated[tuple[NonEmptyText, ...], Field(min_length=1)], ...], Field(min_length=1)
    ]
    task: NonEmptyText
    needed: Annotated[
        tuple[Annotated[tuple[NonEmptyText, ...], Field(min_length=1)], ...], Field(min_length=1)
    ]
    forbidden: tuple[NonEmptyText, ...] = ()


class MemoryTasks(StrictModel):
    note: str = ""
    tasks: Annotated[tuple[MemoryTask, ...], Field(min_length=1)]

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if twice := duplicates([task.id for task in self.tasks]):
            raise ValueError(f"these ids appear twice: {', '.join(twice)}")
        for task in self.tasks:
            if fault := _fault(task):
                raise ValueError(f"task {task.id}: {fault}")
        return self


def _fault(task: MemoryTask) -> str | None:
    told = "\n".join(turn for talk in task.told for turn in talk)
    for wordings in task.needed:
        if contains_any_phrase(task.task, wordings):
            return f"it tells {wordings[0]!r} itself"
        if not contains_any_phrase(told, wordings):
            return f"nobody told {wordings[0]!r}"
    return None


def load_tasks(folder: Path = TASKS_FOLDER) -> MemoryTasks:
    """Reads `tasks.json` in the folder. Raises DatasetUnreadable with the first fault."""
    return read_json_file(folder / TASKS_FILE, MemoryTasks)


@dataclass(frozen=True)
class AssistantReply:
    """What the assistant said to a task, on which memories; `others` are the user's memories that
    it did not recall. `failed` names what kept the turn from being whole."""

    text: str
    recalled: tuple[str, ...] = ()
    others: tuple[str, ...] = ()
    failed: str | None = None


@dataclass(frozen=True)
class RuleVerdict:
    """`cited` is None where the reply neither had a memory nor claims one. `invented`: it claims
    one that it did not have."""

    solved: bool
    cited: bool | None
    invented: bool
    faults: tuple[str, ...] = ()


def judge_reply(task: MemoryTask, reply: AssistantReply) -> RuleVerdict:
    missing = [each for each in task.needed if not contains_any_phrase(reply.text, each)]
    present = [each for each in task.forbidden if contains_any_phrase(reply.text, [each])]
    cites = check_citation(reply.text, reply.recalled, reply.others, task.task)
    used = bool(reply.recalled) or cites.claims
    cited = cites.right if used else None
    return RuleVerdict(
        solved=not (missing or present or reply.failed),
        cited=cited,
        invented=cites.claims and not reply.recalled,
        faults=tuple(_faults(reply, missing, present, cited)),
    )


def _faults(
    reply: AssistantReply,
    missing: Sequence[tuple[str, ...]],
    present: Sequence[str],
    cited: bool | None,
) -> list[str]:
    found = [] if reply.failed is None else [reply.failed]
    found += [f"lacks {each[0]} ({_where(reply, each)})" for each in missing]
    found += [f"has {each}" for each in present]
    return found + (["the citation is not right"] if cited is False else [])


def _where(reply: AssistantReply, wordings: Sequence[str]) -> str:
    """How far a fact came that is not in the reply."""
    if any(contains_any_phrase(memory, wordings) for memory in reply.recalled):
        return "recalled and not said"
    kept = any(contains_any_phrase(memory, wordings) for memory in reply.others)
    return "kept and not recalled" if kept else "not kept"
