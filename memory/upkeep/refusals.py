"""The texts that an embedding model refuses, found among those that it takes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from memory.embedders.protocol import Embedding
from memory.errors import EmbeddingRefused

# What no model has a reason to refuse: where it is refused too, the fault is not the text's.
HARMLESS = "Hello"

Embed: TypeAlias = Callable[[Sequence[str]], Awaitable[list[Embedding]]]
"""One call of a model. Raises EmbeddingRefused where it answers, but not to these texts."""


async def embed_apart(embed: Embed, texts: Sequence[str]) -> list[Embedding | None]:
    """A vector for each text, in their order; None for one that the model refuses by itself while
    it takes another. Texts that are refused together are halved until those stand alone, in 2 n
    calls at most. Raises what `embed` raises, EmbeddingRefused where the model takes nothing."""
    try:
        return list(await embed(texts))
    except EmbeddingRefused:
        await embed([HARMLESS])
    return await _in_halves(embed, texts)


async def _in_halves(embed: Embed, texts: Sequence[str]) -> list[Embedding | None]:
    if len(texts) == 1:
        return [None]
    middle = len(texts) // 2
    return [*await _half(embed, texts[:middle]), *await _half(embed, texts[middle:])]


async def _half(embed: Embed, texts: Sequence[str]) -> list[Embedding | None]:
    try:
        return list(await embed(texts))
    except EmbeddingRefused:
        return await _in_halves(embed, texts)
