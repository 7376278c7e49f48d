from __future__ import annotations

import numpy as np
import pytest
from structlog.testing import capture_logs

from memory.embeddings.protocol import cut_query, embeddable, unit_rows


def test_a_long_query_is_cut_and_logged_by_its_length_alone() -> None:
    with capture_logs() as logs:
        assert cut_query("x" * 8_193, "fake") == "x" * 8_192
    assert len(logs) == 1
    assert logs[0]["event"] == "query_cut"
    assert logs[0]["log_level"] == "warning"
    assert logs[0]["characters"] == 8_193
    assert "xx" not in str(logs)


def test_a_query_that_fits_is_left_alone() -> None:
    with capture_logs() as logs:
        assert cut_query("x" * 8_192, "fake") == "x" * 8_192
    assert logs == []


@pytest.mark.parametrize("text", ["", " ", "\n\t\u3000", "\ud800"])
def test_a_text_without_a_visible_character_becomes_a_full_stop(text: str) -> None:
    assert embeddable(text) == "."


def test_lone_surrogates_are_left_out() -> None:
    assert embeddable(" a\udfffb ") == " ab "


def test_unit_rows() -> None:
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, -2.0]], dtype=np.float32))
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, [[0.6, 0.8], [0.0, -1.0]], rtol=1e-6)
