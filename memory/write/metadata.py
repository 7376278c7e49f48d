"""What a memory is about, found in its words and in its neighbours' tags (000, enrichment)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from memory.write.keyphrases import as_tag, keyphrases
from memory.write.merging import merge_tags
from memory.write.names import names_in

MAX_KEYPHRASES = 5
MAX_ENTITIES = 5
MAX_PROPOSED = 5
NEAR = 0.6
_MAX_TAG_CHARS = 100
# A memory says early what it is about.
_MAX_CHARS = 2000
_NAME_CONFIDENCE = 0.9


@dataclass(frozen=True)
class Metadata:
    """`tags` are lower-case keyphrases and, after them, the entities in lower case."""

    tags: tuple[str, ...]
    entities: tuple[str, ...]
    confidence: float


def describe(content: str) -> Metadata:
    """At most five keyphrases and five names, and how sure their detectors are.

    confidence = clamp(mean(detector confidences), 0, 1), 0 where nothing was found (000).
    A keyphrase of RAKE's score s (1 is the least) counts s / (1 + s): a half for an ordinary
    word that stands alone, two thirds for one of two that stand together; a name counts 0.9.
    """
    content = content[:_MAX_CHARS]
    names = names_in(content)
    found = keyphrases(content, without=names)[:MAX_KEYPHRASES]
    names = names[:MAX_ENTITIES]
    sure = [score / (1 + score) for _, score in found] + [_NAME_CONFIDENCE] * len(names)
    return Metadata(
        tags=_tags((*(tag for tag, _ in found), *(name.lower() for name in names))),
        entities=tuple(names),
        confidence=min(1.0, max(0.0, fmean(sure))) if sure else 0.0,
    )


def propose_tags(
    own: Sequence[str], neighbours: Sequence[tuple[float, Sequence[str]]]
) -> tuple[str, ...]:
    """Tags that at least two neighbours of a cosine ≥ 0.6 share, most shared first; five at most.

    Only tags that a memory does not have yet, and only where neighbours share one of its own
    tags or it has none: memories that are near by their wording alone have nothing to propose.
    """
    mine = {tag.casefold() for tag in own}
    near = [{tag.casefold() for tag in tags} for cosine, tags in neighbours if cosine >= NEAR]
    fitting = [tags for tags in near if not mine or mine & tags]
    counts = Counter(tag for tags in fitting for tag in sorted(tags - mine) if _names_a_topic(tag))
    return tuple(tag for tag, count in counts.most_common(MAX_PROPOSED) if count > 1)


def retag(tags: Sequence[str], old: str, new: str) -> tuple[str, ...]:
    """The tags without what the old words alone gave, or hold, and with what the new ones give."""
    gone = set(_words(old)) - set(_words(new))
    derived = {tag.casefold() for tag in describe(old).tags}
    given = [tag for tag in tags if tag.casefold() not in derived and not gone & set(_words(tag))]
    return merge_tags(given, describe(new).tags)


def _tags(phrases: Iterable[str]) -> tuple[str, ...]:
    kept = (phrase[:_MAX_TAG_CHARS].strip() for phrase in phrases if phrase.isprintable())
    return tuple(dict.fromkeys(filter(None, kept)))


def _names_a_topic(tag: str) -> bool:
    return as_tag(tag) is not None or " " in tag


def _words(text: str) -> list[str]:
    letters = "".join(each if each.isalnum() else " " for each in text.casefold())
    return letters.split()
