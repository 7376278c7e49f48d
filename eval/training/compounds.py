"""Pairs whose older text tells several things, put together from statements that were written one
by one: it is known which of them a newer one ends or replaces."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Mapping, Sequence

from eval.training.data import Frames, LabelledMessage, LabelledSegment, type_message
from eval.training.examples import OVER, Pair
from eval.training.pairs import exchanged

# Of what a new text leaves as it is, so much is put together all the same.
_HOLDS = 0.15
_MOST_BESIDE, _LONGEST = 2, 220
_OF_FRAMES, _JOINED = 4, 0.4
_AND: Mapping[str, str] = {"en": "and", "de": "und", "es": "y", "fr": "et", "no": "og"}


def beside_others(frames: Sequence[Frames], rng: random.Random) -> Iterator[Pair]:
    """What frames say of one thing, and beside it of other things of the same language, which the
    new text leaves as they are."""
    for pair in exchanged(frames, rng, _OF_FRAMES):
        yield pair
        own = (pair.writer, pair.language)
        others = [each for each in frames if (each.writer, each.language) == own]
        for each in rng.sample(others, min(_MOST_BESIDE, len(others))):
            said = rng.choice(each.say).replace("{v}", rng.choice(each.values))
            yield Pair(said, pair.new, "other", pair.writer, pair.language, ())


def compounds(pairs: Sequence[Pair], common: Collection[str], rng: random.Random) -> Iterator[Pair]:
    """Of all that stands to the same new text, one thing that is over in the midst of others that
    hold."""
    groups: dict[tuple[str, str, str], list[Pair]] = {}
    for pair in pairs:
        groups.setdefault((pair.writer, pair.language, pair.new), []).append(pair)
    for group in groups.values():
        over = [each for each in group if each.relation in OVER]
        hold = [each for each in group if each.relation == "other"]
        if hold and (over or rng.random() < _HOLDS):
            first = rng.choice(over or hold)
            rest = [each for each in hold if each.old != first.old]
            beside = rng.sample(rest, min(len(rest), rng.randint(1, _MOST_BESIDE)))
            if beside:
                yield from _together(first, beside, common, rng)


def _together(
    changed: Pair, beside: Sequence[Pair], common: Collection[str], rng: random.Random
) -> Iterator[Pair]:
    """Nothing where it would be too long to be read whole."""
    parts = [changed, *beside]
    rng.shuffle(parts)
    texts = [each.old.strip().rstrip(".") for each in parts]
    joining = _AND.get(changed.language)
    if joining and rng.random() < _JOINED:
        texts[-1] = f"{joining} {texts[-1]}"
    segments = tuple(LabelledSegment.model_construct(text=each, kind="fact") for each in texts)
    message = LabelledMessage.model_construct(
        language=changed.language, writer=changed.writer, segments=segments
    )
    typed = type_message(message, common, rng)
    if len(typed.text) > _LONGEST:
        return
    at = parts.index(changed)
    ends = [*typed.starts[1:], len(typed.text)]
    # Of the last one the mark before it goes with it.
    before = typed.text[: typed.starts[at]].rstrip(" ,;—-\n")
    start = typed.starts[at] if at + 1 < len(parts) else len(before)
    gone = [(start, ends[at])] if changed.relation in OVER else ()
    yield Pair(typed.text, changed.new, changed.relation, changed.writer, changed.language, gone)
