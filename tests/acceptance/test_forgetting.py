"""Forgetting from end to end, and the proof of it."""

from __future__ import annotations

import asyncio
import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from agent.models.offline import OfflineModel
from memory.actions.presentation import proof_text
from memory.embeddings.protocol import Embedder
from memory.errors import DatabaseUnavailable, RecentlyForgotten
from memory.fingerprints import simhash64
from memory.retrieval.query import mask_names, prepare_query
from memory.text import to_first_person
from memory.types import MemoryQueryRequest, MessageQueryRequest, NewMemory, Origin
from tests.acceptance.chat import Chat, knows
from tests.acceptance.conftest import Alone, Fragile

SAID = "My cousin Ottoline lives in Wexcombe."
KEPT = SAID.rstrip(".")
PARAPHRASE = "My cousin Ottoline has been living in Wexcombe"
# As the words stand, and as the search index stems them.
WORDS = ("Ottoline", "ottolin", "Wexcomb")
DAY = timedelta(hours=24)
USER = Origin()


async def tell_and_recall(alone: Alone, user_id: str) -> Chat:
    """Told, learned, recalled and quoted in two conversations, with every vector made."""
    chat = Chat(alone.assistant, user_id)
    assert (await chat.say(SAID)).noted == [f"noted: {KEPT}"]
    assert KEPT in (await chat.say("Where does my cousin live?")).text
    other = Chat(alone.assistant, user_id)
    assert KEPT in (await other.say("In which place is the home of my cousin Ottoline?")).text
    assert KEPT in (await chat.say(f"remember that {KEPT}")).text
    await chat.say("I like rye bread.")
    await alone.memory.embed_waiting(user_id)
    # A question is what a vector is cached of, and this one is in the memory's own words.
    await alone.memory.recall(MemoryQueryRequest(user_id=user_id, query=SAID))
    return chat


async def forget(chat: Chat, words: str) -> str:
    """The command and the yes to its question; what is said then."""
    assert KEPT in (await chat.say(f"forget {words}")).text
    return (await chat.say("yes")).text


async def stored_vectors(alone: Alone, user_id: str) -> list[str]:
    """Every vector of a row about it, as the database prints it and as it sends it."""
    rows = await alone.stores.rows(
        "SELECT embedding::text AS printed, encode(halfvec_send(embedding), 'hex') AS sent FROM"
        " (SELECT user_id, content, embedding FROM memory_items"
        "  UNION SELECT user_id, content, embedding FROM messages)"
        " WHERE user_id = $1 AND content ILIKE '%ottoline%' AND embedding IS NOT NULL",
        user_id,
    )
    assert len(rows) >= 4
    return [form for row in rows for form in row.values()]


async def cached_vectors(embedder: Embedder) -> list[bytes]:
    """The bytes in which Redis would hold the vectors of what was said, asked and kept."""
    asked = prepare_query(SAID)
    forms = {SAID, KEPT, to_first_person(KEPT), asked, mask_names(asked)}
    texts = sorted(form for form in forms if form)
    vectors = [*await embedder.embed_texts(texts), *[await embedder.embed_query(t) for t in texts]]
    return [vector.astype("<f4").tobytes() for vector in vectors]


@pytest.mark.parametrize(
    "words",
    [
        f"{what}{how}"
        for what in ("about my cousin", "about Ottoline", f"that {KEPT}")
        for how in ("", " for good")
    ],
)
async def test_nothing_stored_or_logged_holds_it_after_its_erasure(
    alone: Alone,
    local_embedder: Embedder,
    caplog: pytest.LogCaptureFixture,
    user_id: str,
    words: str,
) -> None:
    """No table, key or value of Redis, line of the log or pg_dump holds the text, its words or its
    vectors: at once where it was forgotten for good, else when its day is over. What was said
    beside it stays."""
    with capture_logs() as logs:
        chat = await tell_and_recall(alone, user_id)
        stored = await stored_vectors(alone, user_id)
        cached = await cached_vectors(local_embedder)
        held = await alone.stores.places_of(*WORDS)
        assert {"table memory_items", "table messages", "table conversations"} < {*held}
        assert "pg_dump" in held
        assert any(place.startswith("Redis") for place in held)
        assert {"table memory_items", "table messages"} < {*await alone.stores.places_of(*stored)}
        assert any(place.startswith("Redis") for place in await alone.stores.places_of(*cached))
        await forget(chat, words)
        if "for good" not in words:
            assert await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC)) == []
            await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC) + DAY)
    assert await alone.stores.places_of(*WORDS, *stored, *cached) == []
    logged = "\n".join([*map(str, logs), caplog.text]).lower()
    assert "recall" in logged
    assert not any(word.lower() in logged for word in WORDS)
    assert await knows(alone.memory, user_id) == ["I like rye bread"]


async def test_it_is_out_of_recall_listing_and_summary_at_once(alone: Alone, user_id: str) -> None:
    """The erasure may wait for its day; nothing that is shown waits for it."""
    chat = await tell_and_recall(alone, user_id)
    await forget(chat, "about my cousin")
    assert await knows(alone.memory, user_id) == ["I like rye bread"]
    for asked in ("Where does my cousin live?", "what do you know about me?", "list my memories"):
        assert "Ottoline" not in (await chat.say(asked)).text


async def found_in_messages(alone: Alone, user_id: str) -> list[str]:
    """What a recall over messages finds at all, with what stands beside it, that speaks of it."""
    found = []
    for query in (SAID, "What did I say about my cousin?", "cousin Ottoline", "Wexcombe"):
        request = MessageQueryRequest(
            user_id=user_id, query=query, limit=100, min_score=0, explain=True
        )
        response = await alone.memory.recall_messages(request, token_budget=100_000)
        assert not response.error
        told = [*response.items, *response.left_out]
        found += [each.model_dump_json() for each in told]
    return [each for each in found if any(word.lower() in each.lower() for word in WORDS)]


@pytest.mark.parametrize("how", ["", " for good"])
async def test_it_does_not_come_back_through_what_was_said(
    alone: Alone, user_id: str, how: str
) -> None:
    """Neither while its erasure waits nor after it is a message found that speaks of it; and no
    message that was redacted keeps the vector of its old words."""
    chat = await tell_and_recall(alone, user_id)
    assert KEPT in (await chat.say("What did I say about Ottoline?")).text
    assert len(await found_in_messages(alone, user_id)) >= 4
    await forget(chat, f"about my cousin{how}")
    assert await found_in_messages(alone, user_id) == []
    assert "Ottoline lives" not in (await chat.say("What did I say about my cousin?")).text
    await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC) + DAY)
    assert await found_in_messages(alone, user_id) == []
    assert "Ottoline" not in (await chat.say("What did I say about my cousin?")).text
    stale = await alone.stores.rows(
        "SELECT FROM messages WHERE content LIKE '%[forgotten]%'"
        " AND embedding IS NOT NULL AND needs_embedding"
    )
    assert stale == []
    assert "rye bread" in (await chat.say("Did I ever mention rye bread?")).text


async def test_saying_it_again_within_a_day_is_refused_with_a_reason(
    alone: Alone, user_id: str
) -> None:
    """The learning does not bring it back, in its own words or in others, nor does asking to
    remember it. Both times Keepsake says why not and until when; “remember it anyway” keeps it."""
    chat = await tell_and_recall(alone, user_id)
    await forget(chat, "about my cousin for good")
    other = Chat(alone.assistant, user_id)
    for text in (SAID, PARAPHRASE, f"Well, {SAID}"):
        [noted] = (await other.say(text)).noted
        assert noted.startswith("not noted: ")
        assert "You asked me to forget " in noted
    refused = await other.say(f"remember that {PARAPHRASE}")
    assert "You asked me to forget something much like this on" in refused.text
    assert "remember it anyway" in refused.text
    assert await knows(alone.memory, user_id) == ["I like rye bread"]
    assert PARAPHRASE in (await other.say("remember it anyway")).text
    assert PARAPHRASE in await knows(alone.memory, user_id)
    actions = [entry.action for entry in await alone.memory.audit.read(user_id)]
    assert actions[:2] == ["tombstone_lifted", "kept"]
    assert actions.count("refused_forgotten") == 4


async def test_the_file_of_the_cache_does_not_keep_it(
    alone: Alone, user_id: str, tmp_path: Path
) -> None:
    """Deleted keys stand in an append-only file until it is rewritten: an erasure asks for that."""
    chat = await tell_and_recall(alone, user_id)
    assert any(WORDS[0].encode() in each for each in files_in(tmp_path / "redis"))
    await forget(chat, "about my cousin for good")
    async with asyncio.timeout(30):
        while (await alone.stores.redis.info("persistence"))["aof_rewrite_in_progress"]:
            await alone.stores.redis.ping()
    assert not any(word.encode() in each for each in files_in(tmp_path / "redis") for word in WORDS)


def files_in(folder: Path) -> list[bytes]:
    return [path.read_bytes() for path in folder.rglob("*.aof") if path.is_file()]


async def test_an_answer_that_could_not_be_stored_can_be_given_again(
    fragile: Fragile, user_id: str
) -> None:
    """A yes that meets a database that is away is not lost, nor taken for talk the next time."""
    chat = Chat(fragile.assist(OfflineModel()), user_id)
    await chat.say(SAID)
    assert KEPT in (await chat.say("forget about my cousin")).text
    await fragile.door.shut()
    assert isinstance((await chat.say("yes")).error, DatabaseUnavailable)
    await fragile.door.open()
    assert "Forgotten" in (await chat.say("yes")).text


@pytest.mark.parametrize("text", [KEPT, KEPT.upper(), f"{KEPT}!", PARAPHRASE])
async def test_the_tombstone_ends_after_a_day(alone: Alone, user_id: str, text: str) -> None:
    """Until then it is refused at every door, and from then on it is kept as anything else."""
    memory = alone.memory
    kept = (await memory.remember(user_id, NewMemory(content=KEPT))).item
    await memory.forgetting.forget(user_id, [kept.id], USER, for_good=True)
    with pytest.raises(RecentlyForgotten):
        await memory.remember(user_id, NewMemory(content=text))
    [stone] = await alone.stores.rows("SELECT created_at, expires_at FROM tombstones")
    assert stone["expires_at"] - stone["created_at"] == DAY
    await alone.stores.owner.execute("UPDATE tombstones SET expires_at = now() - interval '1 s'")
    assert (await memory.remember(user_id, NewMemory(content=text))).kind == "kept"


async def test_the_tombstone_holds_no_word_of_it(alone: Alone, user_id: str) -> None:
    """Keyed digests alone: not the text, not a plain hash of it."""
    chat = await tell_and_recall(alone, user_id)
    await forget(chat, "about my cousin for good")
    [stone] = await alone.stores.rows("SELECT digest, simhash, sketch FROM tombstones")
    assert len(stone["digest"]) == 32
    assert len(stone["sketch"]) == 64
    forms = (KEPT, KEPT.lower(), SAID)
    assert stone["digest"] not in {hashlib.sha256(form.encode()).digest() for form in forms}
    assert stone["simhash"] not in {simhash64(form) for form in forms}


async def test_prove_reports_what_was_removed_and_searches_for_it(
    alone: Alone, user_id: str
) -> None:
    """For a forgotten id: what was removed, when, and that the question which used to find it
    finds it no more. Before its erasure the proof does not hold."""
    chat = await tell_and_recall(alone, user_id)
    [kept] = await alone.memory.entries.about(user_id, "default", "my cousin")
    began = datetime.now(UTC)
    await forget(chat, "about my cousin")
    early = await alone.memory.forgetting.prove(user_id, kept.id, "Where does my cousin live?")
    assert (early.holds, early.row_is_there, early.grave.erased_at) == (False, True, None)
    await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC) + DAY)
    proof = await alone.memory.forgetting.prove(user_id, kept.id, "Where does my cousin live?")
    assert proof.holds
    assert not proof.row_is_there
    assert began <= proof.grave.forgotten_at
    removed = proof.grave.removed
    assert (removed["items"], removed["vectors"], removed["search_rows"]) == (1, 1, 1)
    assert removed["messages_redacted"] >= 5
    assert removed["caches_cleared"] == 1
    assert proof.recalled is not None
    assert not proof.recalled.found
    assert not proof.probe.alike_memories
    assert not proof.probe.alike_messages
    assert "It is gone." in proof_text(proof)


async def test_the_same_words_of_another_user_stay(alone: Alone, user_id: str) -> None:
    """Forgetting reaches no row, cache entry or recall of anybody else."""
    other = f"{user_id}-other"
    chat = await tell_and_recall(alone, user_id)
    theirs = await tell_and_recall(alone, other)
    rows = "SELECT * FROM {} WHERE user_id = $1 ORDER BY id"
    queries = [rows.format(name) for name in ("memory_items", "messages", "conversations")]
    before = [await alone.stores.rows(query, other) for query in queries]
    await forget(chat, "about my cousin for good")
    assert [await alone.stores.rows(query, other) for query in queries] == before
    assert KEPT in (await theirs.say("Where does my cousin live?")).text
    assert (await theirs.say(f"remember that {KEPT}")).text.startswith("I know that already")


@pytest.mark.parametrize(
    ("answer", "left"),
    [
        ("yes", ["[forgotten]", "[forgotten] I like tea."]),
        ("yes, but keep the messages", [SAID, f"{SAID} I like tea."]),
        ("yes, and delete the messages", []),
    ],
    ids=["redact", "keep", "delete"],
)
async def test_the_user_chooses_what_becomes_of_the_conversations(
    alone: Alone, user_id: str, answer: str, left: list[str]
) -> None:
    """Their sentences about it are redacted, the messages are kept, or they are deleted."""
    chat = Chat(alone.assistant, user_id)
    await chat.say_all([SAID, f"{SAID} I like tea."])
    told = await alone.stores.rows("SELECT id FROM messages WHERE role = 'user'")
    await chat.say("forget about my cousin for good")
    await chat.say(answer)
    rows = await alone.stores.rows(
        "SELECT content FROM messages WHERE id = ANY ($1) ORDER BY position",
        [row["id"] for row in told],
    )
    assert [row["content"] for row in rows] == left


async def test_undo_brings_it_back_until_it_is_erased(alone: Alone, user_id: str) -> None:
    """Within the day everything of it is back, and it may be said again; after it there is nothing
    to undo."""
    chat = await tell_and_recall(alone, user_id)
    await forget(chat, "about my cousin")
    assert KEPT in (await chat.say("undo that")).text
    assert KEPT in (await chat.say("Where does my cousin live?")).text
    assert (await chat.say(f"remember that {KEPT}")).text.startswith("I know that already")
    await forget(chat, "about my cousin")
    await alone.memory.forgetting.erase_due(user_id, datetime.now(UTC) + DAY)
    assert "nothing to undo" in (await chat.say("undo that")).text


async def test_erase_me_leaves_nothing_of_the_user(alone: Alone, user_id: str) -> None:
    """Everything goes at once: no row, key or line of the dump names the user any more."""
    chat = await tell_and_recall(alone, user_id)
    assert "Shall I?" in (await chat.say("erase everything you have about me")).text
    assert await alone.stores.places_of(user_id) != []
    assert "erased" in (await chat.say("yes")).text
    assert await alone.stores.places_of(user_id, *WORDS) == []
