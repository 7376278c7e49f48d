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


@pytest.mark.parametrize("name", DATASETS)
def test_every_name_of_a_set_leads_to_it(name: str) -> None:
    assert callable(resolve_name(DATASETS[name]))


@pytest.mark.parametrize("name", BENCHES)
def test_every_name_of_a_benchmark_leads_to_it(name: str) -> None:
    assert type(load_bench(name, None)).__name__ == BENCHES[name].split(":")[1]
