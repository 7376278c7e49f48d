"""What memory is worth to the assistant, in figures. Pure functions."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from eval.assistant.run import Done, Judged
from eval.measures.bootstrap import Count, with_interval
from eval.measures.failures import Failure
from eval.measures.metrics import share
from eval.measures.summary import Figures


def assistant_figures(done: Sequence[Done]) -> Figures:
    """By the rules. `difference` is the share of tasks solved with memory less the share without,
    its interval over tasks, each with both of its replies (a paired bootstrap)."""
    return {
        "tasks": len(done),
        **_solved(done),
        **with_interval("citation_accuracy", _cited(each.with_memory for each in done)),
        "recalled_nothing": sum(not each.with_memory.reply.recalled for each in done),
        "recalled_while_off": sum(bool(each.without.reply.recalled) for each in done),
        "invented_without": sum(each.without.verdict.invented for each in done),
        "invented_with": sum(each.with_memory.verdict.invented for each in done),
        "failed_turns": sum(
            each.unheard
            + (each.with_memory.reply.failed is not None)
            + (each.without.reply.failed is not None)
            for each in done
        ),
        "memories_kept": sum(each.kept for each in done),
    }


def second_figures(done: Sequence[Done]) -> Figures:
    """By the second judge, over what it judged; nothing where there is none."""
    pairs = [
        (each.with_memory.second, each.without.second)
        for each in done
        if each.with_memory.second is not None and each.without.second is not None
    ]
    both = [judged for each in done for judged in (each.with_memory, each.without)]
    if not any(judged.second or judged.unjudged for judged in both):
        return {}
    told = [(judged.verdict, judged.second) for judged in both if judged.second is not None]
    return {
        **with_interval("judged_with", [(float(own.solves), 1.0) for own, _ in pairs]),
        **with_interval("judged_without", [(float(bare.solves), 1.0) for _, bare in pairs]),
        **with_interval(
            "judged_difference",
            [(float(own.solves) - float(bare.solves), 1.0) for own, bare in pairs],
        ),
        **with_interval("judged_citations", [(float(own.cites), 1.0) for own, _ in pairs]),
        "judged_inventions": sum(second.invents for _, second in told),
        "judges_agree": share(rules.solved == second.solves for rules, second in told),
        "not_judged": sum(judged.unjudged for judged in both),
    }


def by_kind(done: Sequence[Done]) -> dict[str, Figures]:
    """What memory is worth for each kind of task, in alphabetical order."""
    kinds = sorted({each.task.kind for each in done})
    of_kind = {kind: [each for each in done if each.task.kind == kind] for kind in kinds}
    return {kind: {"tasks": len(each), **_solved(each)} for kind, each in of_kind.items()}


def failures_of(done: Sequence[Done]) -> list[Failure]:
    """The tasks that were not solved with memory, or not cited as they should be; those that were
    solved without; and what was invented there."""
    found = []
    for each in done:
        faults = list(each.with_memory.verdict.faults)
        if each.without.verdict.solved:
            faults.append("solved without memory")
        if each.without.verdict.invented:
            faults.append("invents while memory is off")
        if faults:
            found.append(Failure(each.task.id, each.task.kind, "; ".join(faults)))
    return found


def _solved(done: Sequence[Done]) -> Figures:
    pairs = [(each.with_memory.verdict.solved, each.without.verdict.solved) for each in done]
    return {
        **with_interval("success_with", [(float(own), 1.0) for own, _ in pairs]),
        **with_interval("success_without", [(float(bare), 1.0) for _, bare in pairs]),
        **with_interval("difference", [(float(own) - float(bare), 1.0) for own, bare in pairs]),
    }


def _cited(replies: Iterable[Judged]) -> list[Count]:
    """One unit a reply that had a memory or claims one."""
    told = [each.verdict.cited for each in replies]
    return [(float(cited), 1.0) for cited in told if cited is not None]
