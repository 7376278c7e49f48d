"""Whether a question wants what was true before, and may have been replaced since: “where did I
live before?”, “wie hieß mein alter Chef?”. Not every past tense: what was bought last week is true
still.

A linear head over words and parts of words, trained by `python -m eval.training past`; see
docs/decisions/0035-past.md.
"""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

from memory.understanding.encoded_text import sigmoid
from memory.understanding.linear_models import (
    Buckets,
    character_ngrams,
    hash_features,
    load_heads,
    tokenize,
)

PAST_FILE = Path(__file__).with_name("past_questions.npz")
PAST_BUCKETS = 2**15
# As probably as that it wants it: what is replaced is searched too then, and comes first.
PAST_FROM = 0.4
_CHARACTERS = (2, 3, 4, 5)
_LONGEST_QUESTION = 600


def asks_about_past(question: str) -> bool:
    """Whether replaced versions may answer it. Of a text that is long for a question, False."""
    return len(question) <= _LONGEST_QUESTION and past_share(question) >= PAST_FROM


def past_share(question: str) -> float:
    """How probably it wants what was true before; some 0.1 ms."""
    head = load_heads(PAST_FILE)["past"]
    return float(sigmoid(head.logits(past_features(question)))[0])


def past_features(question: str) -> Buckets:
    """Its words and what they are made of, and words that stand beside each other."""
    words = ["<", *(each.folded for each in tokenize(question)), ">"]
    found = [f"w{word}" for word in words]
    found += [part for word in words for part in character_ngrams(f" {word} ", _CHARACTERS)]
    found += [f"p{' '.join(pair)}" for pair in pairwise(words)]
    found += [f"t{' '.join(run)}" for run in zip(words, words[1:], words[2:], strict=False)]
    return hash_features(found, PAST_BUCKETS)
