from __future__ import annotations

import numpy as np
import structlog

from memory.embeddings.protocol import BestEffortEmbedder
from tests.memory.fakes import BrokenEmbedder, SilentEmbedder, WordEmbedder, vector_of


async def test_a_text_has_its_vector_and_nothing_has_none() -> None:
    timely = BestEffortEmbedder(WordEmbedder(), 30.0, event="late")
    found = await timely.embed_query("red kayak")
    assert found is not None
    assert np.array_equal(found, vector_of("red kayak"))
    kept = await timely.embed_text("red kayak")
    assert kept is not None
    assert np.array_equal(kept, vector_of("red kayak"))
    assert (await timely.embed_query(None), await timely.embed_text(None)) == (None, None)


async def test_an_embedder_that_fails_or_is_late_is_logged_with_why_but_without_the_words() -> None:
    for embedder, timeout, reason in (
        (BrokenEmbedder(), 30.0, "(its server cannot be reached)"),
        (SilentEmbedder(), 0.01, "TimeoutError"),
    ):
        with structlog.testing.capture_logs() as logs:
            assert (
                await BestEffortEmbedder(embedder, timeout, event="late").embed_query("red kayak")
                is None
            )
        (line,) = logs
        assert (line["event"], line["log_level"]) == ("late", "warning")
        assert reason in line["reason"]
        assert "kayak" not in str(line)
