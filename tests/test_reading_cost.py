"""What reads a text costs no more than its length: one message must not stop everybody.

Each door through which a person's words come in is given strings that were pumped up in each way
that makes a pattern try again: at four times the length it may take four times as long, not
sixteen.
"""

from __future__ import annotations

import asyncio
import io
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from uuid import UUID

import pytest

from agent.commands.parser import (
    is_for_good,
    parse_commands,
    parse_yes_no,
    prefers_older,
    split_history_choice,
)
from agent.guardrails import recites, refuse_forged
from agent.models.offline import answer_small_talk
from agent.turn.turn import cites_any_memory
from memory.actions.entries import clean_content
from memory.actions.forgetting.partial import cut_memory
from memory.actions.forgetting.redaction import redact_about, split_pieces
from memory.actions.forgetting.transcript_redaction import (
    TopicQuery,
    plain_words,
    sentences_about,
    ways_to_say,
)
from memory.actions.import_formats import read_import
from memory.actions.matching import (
    extract_topic,
    filter_matching,
    find_names_of,
    is_statement,
    query_words,
    topic_words,
)
from memory.dates.finder import find_dates, resolve_dates
from memory.embeddings.protocol import cut_query, embeddable
from memory.errors import KeepsakeError
from memory.fingerprints import simhash64
from memory.ingestion.classification import salience
from memory.ingestion.deduplication import NearMemory, decide_novelty
from memory.ingestion.extraction import ExtractionInput, OfflineExtractor
from memory.ingestion.metadata import extract_metadata
from memory.ingestion.normalisation import normalise
from memory.ingestion.preparation import retag
from memory.ingestion.remainders import remaining_text
from memory.maintenance.summaries import summary_fault
from memory.retrieval.context import fit_memories
from memory.retrieval.hybrid_search import SearchResults
from memory.retrieval.message_relevance import collect_message_evidence
from memory.retrieval.message_retriever import to_recalled_message
from memory.retrieval.names import told_of_another
from memory.retrieval.prompt_injection import find_prompt_injection
from memory.retrieval.query import (
    asks_what_was_said,
    conversation_topic,
    find_whole_topic,
    mask_names,
    prepare_query,
    query_for_log,
    restates_query,
)
from memory.retrieval.ranking import quality
from memory.retrieval.relevance import collect_evidence
from memory.retrieval.time_filter import parse_time_filter, query_without_time
from memory.secrets import redact
from memory.store.search import MessageCandidate, SearchCandidate
from memory.tokens import TokenCounter
from memory.types import MemoryItem
from memory.understanding import Interpretation, OfflineReader, Segment
from memory.understanding.past_questions import asks_about_past

SHORT, TIMES = 1_000, 4
# Processor time, in seconds. What takes less at the longer length is not looked at further.
SLOW = 0.03
# How many times as long the longer one may take: linear is TIMES, quadratic 16.
MOST_TIMES = 9.0
# Of the longer text, three times as many of the shorter one; the least of them counts. What looks
# slow is tried again alone, since others use the machine too.
TRIES = (1, 3, 9)

# (what stands before, what is repeated, what ends it)
PUMPS = {
    "spaces": ("I own a boat, ", " ", " x."),
    "no-break spaces": ("I own a boat", "\u00a0", "x."),
    "lines": ("I own a boat", "\n", "x."),
    "full stops": ("I am", ".", "x"),
    "commas": ("yes", ", ", "x"),
    "semicolons": ("x", ";", "x"),
    "quotes": ("I say ", '"', "x"),
    "opened": ("I say ", "“", "x"),
    "one word": ("", "a", "!"),
    "initials": ("", "A. ", ""),
    "digits": ("", "1 ", "!"),
    "and": ("I own ", "and ", "x."),
    "the": ("", "the ", "end"),
    "from": ("", "from ", "to x"),
    "password": ("", "password is ", ""),
    "because": ("forget it", " because", ""),
    "forget": ("", "please forget that ", ""),
    "dates": ("", "last Monday and on 3 May 2024 ", ""),
    "days": ("", "on 3 May and always on Friday ", ""),
    "values": ("", "my password is Xy9!hunter2 and my login: ada, pass Qw7#fox ", ""),
    "steps": ("", "Step 1: do it\n", ""),
    "sentences": ("", "I prefer tea, and my sister Maria lives in Oslo. ", ""),
}
NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)
NOBODY = UUID(int=0)
KNOWN = "I live in Oslo"
READER = OfflineReader()
EXTRACTOR = OfflineExtractor(READER, resolve=resolve_dates, roles=("user", "assistant"))
TOKENS = TokenCounter()
NOTHING_FOUND = SearchResults(keyword=[], vector=[], embedding=None, embedding_seconds=0.0)


def command(text: str) -> None:
    """A message, which the reader cuts and understands."""
    parse_commands(text, READER)


def answer(text: str) -> None:
    """What is said to a question of the program's own, and small talk."""
    parse_yes_no(text)
    prefers_older(text)
    is_for_good(text)
    split_history_choice(text)
    answer_small_talk(text)


def extraction(text: str) -> None:
    """A message as one long statement, as a person and as an assistant says it."""
    told = Segment(text, 0, len(text), "fact", {"fact": 1.0})
    for role in ("user", "assistant"):
        reading = Interpretation((told,))
        said = ExtractionInput(text=text, said_at=NOW, role=role, reading=reading)
        asyncio.run(EXTRACTOR.extract(said))


def dates(text: str) -> None:
    resolve_dates(text, NOW)
    find_dates(text, NOW)


def secrets(text: str) -> None:
    redact(text)


def time_asked_about(text: str) -> None:
    query_without_time(text, parse_time_filter(text, NOW))
    asks_about_past(text)


def question(text: str) -> None:
    query_for_log(text)
    embeddable(cut_query(prepare_query(text)))
    mask_names(text)
    find_whole_topic(text)
    asks_what_was_said(text)


def recalled_memories(text: str) -> None:
    """Weighed by the words and names of the question."""
    found = [memory_of(text), memory_of(f"Well, {text}"), memory_of(KNOWN)]
    collect_evidence(text, NOTHING_FOUND, found)
    told_of_another(text)
    quality(text, "fact", "user")


def recalled_messages(text: str) -> None:
    said = MessageCandidate(NOBODY, NOBODY, "user", text, NOW, None)
    replied = MessageCandidate(NOBODY, NOBODY, "assistant", text, NOW, None, rested_on=(text,))
    collect_message_evidence(text, NOTHING_FOUND, [said, replied])
    to_recalled_message(said, 1.0, conversation_topic(text))
    restates_query(text, text)


def new_memory(text: str) -> None:
    simhash64(normalise(text))
    extract_metadata(text)
    salience(text, "fact", pinned=False)
    READER.describe(text)
    retag(("boat",), text, f"Well, {text}")
    clean_content(text)


def duplicates(text: str) -> None:
    near = [near_memory(f"Well, {text}", cosine=None), near_memory(KNOWN, cosine=0.9)]
    decide_novelty(text, simhash64(normalise(text)), near)


def imported(text: str) -> None:
    read_import(io.BytesIO(text.encode()))


def forgotten_topic(text: str) -> None:
    """Which memories and which of their parts a wish to forget is about."""
    find_names_of(extract_topic(text), [text, KNOWN])
    query_words(text, [frozenset((word,)) for word in topic_words(text)])
    is_statement(text)
    filter_matching(text, [], [], frozenset())
    cut_memory("Forget the tea", text)
    remaining_text("No more tea", text)


def forgotten_words(text: str) -> None:
    """What goes of messages, of which each tells the memory or is about the topic."""
    redact_about(text, text)
    redact_about(text, f"Well, {text}", closely=True)
    ways_to_say(text)
    pieces = split_pieces(text)
    held = [frozenset(plain_words(piece).split()) for piece in pieces[::2]]
    sentences_about(pieces, held, TopicQuery((frozenset({frozenset({"tea"})}),)))


def orders_in_memories(text: str) -> None:
    """Told to the model, in a memory or instead of a person."""
    find_prompt_injection(text)
    refuse_forged(text)


def reply(text: str) -> None:
    recites(text, KNOWN)
    cites_any_memory(text, f"Well, {text}", [text, KNOWN])


def tokens(text: str) -> None:
    """A memory that is cut to the half of its tokens."""
    item = MemoryItem(
        id=str(NOBODY),
        content=text,
        type="fact",
        relevance_score=1.0,
        answer_score=0.9,
        confidence="high",
        source=None,
        created_at=NOW,
        importance=0.5,
    )
    fit_memories([item], max(TOKENS.count(text) // 2, 1), TOKENS)


def summary(text: str) -> None:
    summary_fault(text, [text, KNOWN])


def memory_of(content: str) -> SearchCandidate:
    return SearchCandidate(NOBODY, content, "fact", 0.5, NOW, None, None)


def near_memory(content: str, cosine: float | None) -> NearMemory:
    return NearMemory(
        id=NOBODY,
        content=content,
        simhash=simhash64(normalise(content)),
        cosine=cosine,
        pinned=False,
        manually_saved=False,
        created_at=NOW,
        occurred_at=None,
        replaced=False,
    )


DOORS: tuple[Callable[[str], None], ...] = (
    *(command, answer, extraction, dates, secrets, time_asked_about, question),
    *(recalled_memories, recalled_messages, new_memory, duplicates, imported),
    *(forgotten_topic, forgotten_words, orders_in_memories, reply, tokens, summary),
)


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_reading_costs_no_more_than_the_length(door: Callable[[str], None]) -> None:
    seconds(door, "I live in Oslo.")  # patterns are made when they are first used
    grows = {pump: growth for pump in PUMPS if (growth := grown(door, pump)) >= MOST_TIMES}
    assert grows == {}


def grown(door: Callable[[str], None], pump: str) -> float:
    """How many times as long the longer text takes; 0 where that is soon done."""
    growth = 0.0
    for tries in TRIES:
        long = took(door, pump, SHORT * TIMES, tries)
        if long < SLOW:
            return 0.0
        growth = long / took(door, pump, SHORT, 3 * tries)
        if growth < MOST_TIMES:
            break
    return growth


def took(door: Callable[[str], None], pump: str, length: int, tries: int) -> float:
    before, again, after = PUMPS[pump]
    text = f"{before}{again * (length // len(again))}{after}"
    return min(seconds(door, text) for _ in range(tries))


def seconds(door: Callable[[str], None], text: str) -> float:
    began = time.process_time()
    with suppress(KeepsakeError):  # it says no, which took its time too
        door(text)
    return time.process_time() - began
