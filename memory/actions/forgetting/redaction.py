"""Taking out of messages and episodes what they say about a forgotten memory. Pure functions."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from memory.ingestion.normalisation import normalise
from memory.maintenance.stems import stem_words
from memory.types import EpisodeAction, StoredEpisode

FORGOTTEN_MARK = "[forgotten]"
# The share of a memory's words that a sentence about it holds; fewer are enough where the message
# is known to belong to the memory.
WORDS_SHARE = 0.6
CLOSE_WORDS_SHARE = 0.34
# Below so many characters, or as a single word, a memory counts as held only between word ends.
SHORT_MEMORY_CHARS = 12

_BETWEEN = re.compile(r"((?<=[.!?…])[\"'”’)\]]*\s+|(?:(?<!\s)\s+)?\n\s*|(?<=[。！？]))")
_WORDS = re.compile(r"[^\W_]+")
_TELLING = re.compile(r"(?<!^)\b(?:[A-Z]\w+|\w*\d\w*)\b")


def redact_about(message: str, content: str, *, closely: bool = False) -> str:
    """The message with “[forgotten]” in place of its sentences about the memory.

    A sentence is about it where it holds `WORDS_SHARE` of the words that carry meaning in one of
    the memory's sentences, or the memory itself. `closely`, for a message that the memory came from
    or that rested on it, `CLOSE_WORDS_SHARE` of them are enough, or one of its names or numbers.
    The result never holds the memory (`contains_memory`); a message that is nothing else comes out
    empty.
    """
    pieces, about = split_pieces(message), SentenceMatcher(content, closely=closely)
    gone = {place for place in range(0, len(pieces), 2) if about.tells(pieces[place])}
    result = join_without(pieces, gone)
    if not contains_memory(result, content):
        return result
    return "" if contains_memory(FORGOTTEN_MARK, content) else FORGOTTEN_MARK


class SentenceMatcher:
    """What makes a sentence one about a memory, see `redact_about`; for many sentences at once."""

    def __init__(self, content: str, *, closely: bool = False) -> None:
        self._holds = _holding(content)
        self._share = CLOSE_WORDS_SHARE if closely else WORDS_SHARE
        self._telling = name_stems(content) if closely else set[str]()
        stems = {frozenset(stem_words(piece)) for piece in split_into_sentences(content)}
        self._sentences = [each for each in stems if each]

    def tells(self, sentence: str) -> bool:
        if self._holds(sentence):
            return True
        said = set(stem_words(sentence))
        if said & self._telling:
            return True
        return any(len(said & about) >= self._share * len(about) for about in self._sentences)


def contains_memory(text: str, content: str) -> bool:
    """Whether the memory's words stand in the text one after another, whatever is between them;
    a short memory within words does not count."""
    return _holding(content)(text)


def _holding(content: str) -> Callable[[str], bool]:
    wanted, as_it_is = _plain(content), content.strip()
    if not wanted:
        return lambda text: as_it_is != "" and as_it_is in text
    if " " in wanted or len(wanted) >= SHORT_MEMORY_CHARS:
        return lambda text: wanted in _plain(text)
    return lambda text: f" {wanted} " in f" {_plain(text)} "


def split_into_sentences(text: str) -> list[str]:
    """The sentences and lines of a text."""
    return [piece for piece in split_pieces(text)[::2] if piece.strip()]


def split_pieces(text: str) -> list[str]:
    """The sentences and lines of a text at the even places, what stands between them at the odd
    ones; joined they are the text."""
    return _BETWEEN.split(text)


def join_without(pieces: Sequence[str], gone: Collection[int]) -> str:
    """The text of the pieces with “[forgotten]” in place of those at the places that are gone."""
    kept = [FORGOTTEN_MARK if place in gone else piece for place, piece in enumerate(pieces)]
    return _merged(kept) if FORGOTTEN_MARK in kept else "".join(kept)


def name_stems(content: str) -> set[str]:
    """The names and numbers of a memory: its capitalised words but the first, and its digits."""
    return set(stem_words(" ".join(_TELLING.findall(content))))


def _plain(text: str) -> str:
    return " ".join(_WORDS.findall(normalise(text)))


def _merged(pieces: Sequence[str]) -> str:
    """One mark for what was several sentences in a row."""
    joined = "".join(pieces)
    return re.sub(
        rf"{re.escape(FORGOTTEN_MARK)}(?:\s*{re.escape(FORGOTTEN_MARK)})+", FORGOTTEN_MARK, joined
    )


def redact_episode(episode: StoredEpisode, contents: Collection[str]) -> StoredEpisode:
    """The episode without its sentences about these memories."""

    def left_of(text: str) -> str:
        for content in contents:
            text = redact_about(text, content)
        return text

    return reword_episode(episode, left_of)


def reword_episode(episode: StoredEpisode, left_of: Callable[[str], str]) -> StoredEpisode:
    """The episode in the words that are left of each text; a line that is nothing else than what
    was taken out goes, and a task that is nothing else is “[forgotten]”."""

    def lines(texts: Iterable[str]) -> tuple[str, ...]:
        left = ((text, left_of(text)) for text in texts)
        return tuple(now for text, now in left if now == text or now not in {"", FORGOTTEN_MARK})

    return episode.model_copy(
        update={
            "task": left_of(episode.task) or FORGOTTEN_MARK,
            "plan": lines(episode.plan),
            "actions": tuple(_reworded(each, left_of) for each in episode.actions),
            "lessons_learned": lines(episode.lessons_learned),
            "failure_modes": lines(episode.failure_modes),
        }
    )


def episode_texts(episode: StoredEpisode) -> list[str]:
    """Everything that it says, but what is empty."""
    lines = [episode.task, *episode.plan, *episode.lessons_learned, *episode.failure_modes]
    done = [text for each in episode.actions for text in (each.type, each.input, each.result)]
    return [text for text in (*lines, *done) if text]


def _reworded(action: EpisodeAction, left_of: Callable[[str], str]) -> EpisodeAction:
    return EpisodeAction(
        type=left_of(action.type) or FORGOTTEN_MARK,
        input=left_of(action.input),
        result=left_of(action.result),
        succeeded=action.succeeded,
        at=action.at,
    )
