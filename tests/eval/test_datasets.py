from __future__ import annotations

import pytest

from eval.datasets import load_dataset
from eval.errors import WrongUsage


def test_wrong_usage_is_said_before_anything_starts() -> None:
    with pytest.raises(WrongUsage, match="no data set golden"):
        load_dataset("golden", None)
    with pytest.raises(WrongUsage, match="needs --path"):
        load_dataset("beam", None)
