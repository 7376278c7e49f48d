from __future__ import annotations

from pkgutil import resolve_name

import pytest

from eval.errors import WrongUsage
from eval.registry import BENCHES, DATASETS, load_bench, load_dataset


def test_wrong_usage_is_said_before_anything_starts() -> None:
    with pytest.raises(WrongUsage, match="no data set golden"):
        load_dataset("golden", None)
    with pytest.raises(WrongUsage, match="needs --path"):
        load_dataset("beam", None)


def test_every_name_of_a_set_leads_to_it() -> None:
    assert [name for name, place in DATASETS.items() if not callable(resolve_name(place))] == []


def test_every_name_of_a_benchmark_leads_to_it() -> None:
    found = {name: type(load_bench(name, None)).__name__ for name in BENCHES}
    assert found == {name: place.split(":")[1] for name, place in BENCHES.items()}
