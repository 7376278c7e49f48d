"""What an outage leaves of the recall, in figures. Pure functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from eval.measures.bootstrap import with_interval
from eval.measures.failures import Failure
from eval.measures.metrics import mean, percentile, precision_at, recall_at, share
from eval.measures.summary import Figures
from eval.outage.outages import WHOLE, Outage
from eval.outage.run import Answered, changed

CUT = 5


def outage_figures(
    answers: Sequence[Answered], whole: Sequence[Answered], outage: Outage
) -> Figures:
    """`answered` is the share of the recalls that neither raised nor were an error, `empty` of
    those that returned nothing; `of_whole_recall` is recall at 5 over the whole system's."""
    recalls = [recall_at(CUT, each.covered, each.wanted) for each in answers]
    whole_recall = mean(recall_at(CUT, each.covered, each.wanted) for each in whole)
    return {
        "recalls": len(answers),
        "raised": sum(each.response is None for each in answers),
        "answered": share(
            each.response is not None and not each.response.error for each in answers
        ),
        "empty": share(not each.covered for each in answers),
        "flags_right": share(each.flags_right(outage) for each in answers),
        **with_interval("recall_at_5", [(each, 1.0) for each in recalls if each is not None]),
        "of_whole_recall": _of(mean(recalls), whole_recall),
        "precision_at_5": mean(precision_at(CUT, each.covered) for each in answers if each.wanted),
        "no_answer_accuracy": share(not each.covered for each in answers if not each.wanted),
        "changed": changed(answers, whole),
        "latency_p95_ms": percentile([each.latency_ms for each in answers], 95),
    }


def all_figures(
    answers: Mapping[str, Sequence[Answered]], outages: Sequence[Outage]
) -> dict[str, Figures]:
    whole = answers[WHOLE.name]
    return {
        outage.name: outage_figures(answers[outage.name], whole, outage)
        for outage in (WHOLE, *outages)
    }


def failures_of(
    answers: Mapping[str, Sequence[Answered]], outages: Sequence[Outage]
) -> list[Failure]:
    """The recalls that raised, and those whose flags are not those of the outage."""
    return [
        Failure(each.case.id, outage.name, _fault(each))
        for outage in (WHOLE, *outages)
        for each in answers[outage.name]
        if not each.flags_right(outage)
    ]


def _fault(each: Answered) -> str:
    if each.response is None:
        return "raised"
    told = " and ".join(each.response.degraded) or "no leg"
    return f"degraded: {told}; error: {'yes' if each.response.error else 'no'}"


def _of(part: float | None, whole: float | None) -> float | None:
    return part / whole if part is not None and whole else None
