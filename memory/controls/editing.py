"""What new words make of a memory. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from memory.embedders.protocol import Embedding
from memory.errors import InvalidInput, SecretRefused
from memory.models import MAX_ITEM_CHARS, KeptItem
from memory.secrets import find_secrets
from memory.simhash import simhash64
from memory.store.forgetting.forgetting import MarkerOf
from memory.store.memories.editing import Wording
from memory.store.memories.neighbours import StoredNeighbour
from memory.write.banks import allowed_bank
from memory.write.metadata import retag
from memory.write.normalise import clean_message, normalise
from memory.write.novelty import decide
from memory.write.sources import as_neighbour

KNOWN_ALREADY = (
    "Another memory says that already, so nothing was changed. Forget this one instead, or say "
    "what is different."
)


def clean_words(content: str) -> str:
    """The words as they may be kept. Raises InvalidInput, MessageRefused and SecretRefused."""
    content = clean_message(content)
    if len(content) > MAX_ITEM_CHARS:
        raise InvalidInput(reason=f"A memory can be {MAX_ITEM_CHARS:,} characters long at most.")
    if secrets := find_secrets(content):
        raise SecretRefused(kind=secrets[0].kind)
    return content


def refuse_secret_tags(tags: Sequence[str]) -> None:
    """Raises SecretRefused."""
    for tag in tags:
        if secrets := find_secrets(tag):
            raise SecretRefused(kind=secrets[0].kind)


def wording_of(content: str, embedding: Embedding | None, model: str, marker: MarkerOf) -> Wording:
    """Of words that are clean."""
    return Wording(
        content,
        simhash64(normalise(content)),
        marker(content, embedding),
        embedding,
        model,
        partial(_fit, content),
    )


def _fit(content: str, old: KeptItem, others: Sequence[StoredNeighbour]) -> tuple[str, ...]:
    """See `memory.store.memories.editing.Fit`."""
    around = [as_neighbour(each) for each in others]
    if decide(content, simhash64(normalise(content)), around).kind == "repeat":
        raise InvalidInput(reason=KNOWN_ALREADY)
    return retag(old.tags, old.content, content)


def known_bank(bank: str, banks: Sequence[str]) -> str:
    """The bank as it is spelt. Raises InvalidInput where it is none of them."""
    known = allowed_bank(bank, banks)
    if known is None:
        named = ", ".join(banks)
        raise InvalidInput(reason=f"There is no bank of that name. Choose one of {named}.")
    return known
