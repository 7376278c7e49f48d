"""What holds of every choice, whatever the candidates."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import given
from hypothesis import strategies as st

from memory.retrieval.ranking import PRESETS, demote_questions
from memory.retrieval.relevance import MemoryEvidence
from memory.retrieval.selection import SelectionPolicy, choose_memories
from memory.retrieval.time_filter import parse_time_filter
from memory.store.search import SearchCandidate
from tests.memory.recall.choice.test_choosing import NOW, ORDER, QUESTION, Weighed, chosen, judged

shares = st.floats(0, 1)
evidences = st.builds(
    MemoryEvidence,
    cosine=st.none() | st.floats(-1, 1),
    best_cosine=st.none() | st.floats(-1, 1),
    bm25=st.none() | shares,
    best_bm25=st.none() | shares,
    coverage=st.none() | shares,
    best_coverage=st.none() | shares,
    personal=st.booleans(),
    number_missing=st.booleans(),
    pool=st.integers(1, 200),
    words=st.integers(0, 200),
    stranger=st.booleans(),
)
moments = st.timedeltas(timedelta(days=-900), timedelta(days=200)).map(lambda away: NOW + away)
rows = st.builds(
    SearchCandidate,
    id=st.uuids(),
    content=st.sampled_from(["I prefer uv", ORDER, QUESTION, "In May 2026 I saw Rome", ""]),
    type=st.sampled_from(["fact", "note", "decision"]),
    importance=shares,
    created_at=moments,
    source_message_id=st.none(),
    cosine=st.none(),
    occurred_at=st.none() | moments,
    superseded=st.booleans(),
    pinned=st.booleans(),
    salience=st.floats(0, 0.85),
    access_count=st.integers(0, 10_000),
    tags=st.lists(st.sampled_from("abc"), max_size=2).map(tuple),
)
pools = st.lists(st.tuples(rows, evidences), max_size=8, unique_by=lambda pair: pair[0].id)
policies = st.builds(
    SelectionPolicy,
    min_score=shares,
    ranking=st.sampled_from(list(PRESETS.values())),
    diversity=st.sampled_from([0.0, 0.3, 1.0]),
    people=st.booleans(),
)
questions = st.sampled_from(
    ["", "last week", "What did I do in May?", "What did I buy in May?", "What was my old job?",
     "Where did I work in 2025?", "What do you know as of 1 March 2026?", "Who is Tom?",
     "What did I decide last week?", "What did I do before I moved?"]
)  # fmt: skip


@given(pools, policies, questions)
def test_every_candidate_is_kept_or_left_out_once(
    pool: list[Weighed], policy: SelectionPolicy, question: str
) -> None:
    candidates = judged(*pool, policy=policy, timing=parse_time_filter(question, NOW))
    assert [each.row for each in candidates] == [each for each, _ in pool]
    picked = choose_memories(candidates, policy)
    everywhere = [*picked.kept, *picked.left_out]
    assert sorted(each.id for each in everywhere) == sorted(each.id for each, _ in pool)
    assert all(each.cut is None and each.relevance >= policy.min_score for each in picked.kept)
    assert all(each.cut is not None for each in picked.left_out)


@given(pools, policies, questions)
def test_relevance_is_a_probability_and_what_is_left_out_is_in_its_order(
    pool: list[Weighed], policy: SelectionPolicy, question: str
) -> None:
    picked = chosen(*pool, policy=policy, timing=parse_time_filter(question, NOW))
    for each in (*picked.kept, *picked.left_out):
        assert 0.0 <= each.relevance <= 1.0
        assert each.cut is not None or each.scores.relevance == each.relevance
    left = [each.relevance for each in picked.left_out]
    assert left == sorted(left, reverse=True)


@given(pools, policies)
def test_kept_are_in_the_order_of_their_totals(
    pool: list[Weighed], policy: SelectionPolicy
) -> None:
    """But for what only asks, which comes last, where MMR does not spread them."""
    picked = chosen(*pool, policy=policy)
    by_total = sorted(picked.kept, key=lambda each: -each.scores.total)
    if policy.diversity > 0:
        return
    by_total = demote_questions(by_total, lambda each: each.row.content)
    totals = [each.scores.total for each in picked.kept]
    assert totals == [each.scores.total for each in by_total]


@given(pools, policies, policies.filter(lambda policy: policy.diversity == 0))
def test_what_comes_back_is_not_decided_by_the_ranking(
    pool: list[Weighed], one: SelectionPolicy, other: SelectionPolicy
) -> None:
    cut_alike = SelectionPolicy(one.min_score, other.ranking, other.diversity, one.people)
    kept = {each.id for each in chosen(*pool, policy=one).kept}
    assert {each.id for each in chosen(*pool, policy=cut_alike).kept} == kept
