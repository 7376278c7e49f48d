"""What is wrong with a case, in words; of cases that are held back only how many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from eval.measures.metrics import recall_at
from eval.measures.results import CaseResult

CUT = 5


def faults_of(case: CaseResult) -> list[str]:
    """What is wrong with a case, in words; nothing where it is right."""
    faults = []
    recall = recall_at(CUT, case.covered, case.wanted)
    if recall is not None and recall < 1:
        faults.append(f"recall at {CUT} is {recall:.2f}")
    if not case.wanted and case.returned:
        faults.append(f"{len(case.returned)} returned, nothing answers")
    misses = sum(not hit for hit in case.covered[:CUT])
    if case.wanted and misses:
        faults.append(f"{misses} of {len(case.covered[:CUT])} beside the point")
    if case.forbidden:
        faults.append(f"{case.forbidden} forbidden")
    if case.foreign:
        faults.append(f"{case.foreign} of another user")
    if not case.within_budget:
        faults.append("over budget")
    if case.failed or case.degraded:
        faults.append("recall failed" if case.failed else "a leg did not answer")
    return faults


def count_faulty(results: Sequence[CaseResult]) -> dict[str, int]:
    """The number of faulty cases by category, in alphabetical order."""
    counted = Counter(case.category for case in results if faults_of(case))
    return dict(sorted(counted.items()))
