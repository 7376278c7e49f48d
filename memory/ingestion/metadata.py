"""Tags and names of a memory, found in its words and in its neighbours' tags. English, no model."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean

_CALENDAR_WORDS = (
    "january february march april may june july august september october november december jan "
    "feb mar apr jun jul aug sep sept oct nov dec monday tuesday wednesday thursday friday "
    "saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays sundays mon tue "
    "tues wed thu thur thurs fri spring summer autumn winter today tomorrow yesterday tonight "
    "morning mornings afternoon evening evenings night nights noon midnight day days week weeks "
    "weekend weekends weekday weekdays month months year years hour hours minute minutes time "
    "times daily weekly monthly yearly date dates am pm"
)
CALENDAR = frozenset(_CALENDAR_WORDS.split())

# What a sentence about a person is built with, whatever it is about.
_GENERIC_WORDS = (
    "user users thing things stuff people person one ones lot lots bit kind sort type way ways "
    "fact favourite favorite favourites favorites like likes liked love loves loved loving "
    "enjoy enjoys enjoyed enjoying prefer prefers preferred preference hate hates hated dislike "
    "dislikes adore want wants wanted wish need needs needed plan plans planned planning hope "
    "hopes goal goals decide decides decided decision choose chose chosen agree agreed settled "
    "start starts started starting begin begins began begun stop stops stopped quit quits "
    "finish finishes finished end ends ended live lives lived living stay stays stayed work "
    "works worked working play plays played playing go goes going went come comes came coming "
    "move moves moved moving buy buys bought buying own owns owned get gets got make makes made "
    "making take takes took taken taking give gives gave given put puts use uses used using eat "
    "eats ate eaten eating drink drinks drank drinking read reads write writes wrote watch "
    "watches watched watching listen listens listened meet meets met meeting see sees saw seen "
    "visit visits visited call calls called calling name names named tell tells told say says "
    "said talk talks talked speak speaks spoke know knows knew learn learns learned learning "
    "learnt study studies studied studying think thinks thought feel feels felt try tries tried "
    "help helps helped keep keeps kept leave leaves left bring brings brought find finds found "
    "lose loses lost send sends sent pay pays paid spend spends spent sleep sleeps slept wake "
    "wakes woke become becomes became turn turns turned turning grow grows grew born die died "
    "dies avoid avoids always never usually often sometimes anymore anyway currently really "
    "recently finally soon already still instead better best worse worst good great nice bad "
    "big small old new young long short high low first second third last next many much more "
    "most less few every single different important early late happy sad tired busy ready able "
    "sure away back home please remember forget note reminder can't don't won't isn't i'm i've "
    "i'll i'd it's that's let's do does did done have has had bigger smaller ask asks asked "
    "answer answers answered reply replies happen happens happened asking saying telling seeing "
    "looking look looks looked getting trying giving coming let lets mean means meant gone"
)
GENERIC = frozenset(_GENERIC_WORDS.split())

# Words that hold a sentence together, and numbers: a phrase ends where one of them stands.
_FUNCTION_WORDS = (
    "i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his "
    "himself she her hers herself it its itself they them their theirs themselves who whom whose "
    "which what that this these those a an the some any no each every either neither both all "
    "half several such same other others another else somebody someone something somewhere "
    "anybody anyone anything anywhere nobody none nothing nowhere everybody everyone everything "
    "everywhere whoever whatever whenever wherever whichever am is are was were be been being "
    "has had having does doing done did can could will would shall should may might must cannot "
    "ought and or but nor so yet if then than as because since while although though unless until "
    "whether once in on at by for from to of off with without within into onto out over under up "
    "down above below before after during about around across along among against between "
    "through throughout toward towards behind beside besides beyond near except despite per via "
    "upon plus not only just even too very quite rather almost perhaps maybe however therefore "
    "otherwise here there where when why how ever again further together ago due now later well "
    "right far little enough whole least probably exactly actually basically honestly obviously "
    "fortunately unfortunately apparently according yes ok okay please thanks thank hello hi "
    "hey dear also two three four five six seven eight nine ten twice"
)
FUNCTION = frozenset(_FUNCTION_WORDS.split())

# Words that often open a sentence with a capital and are no names. Beyond those above.
_OPENERS_WORDS = (
    "don't use make keep call send check run add set avoid remove read ask tell give take put "
    "open close buy get go come deploy restart install visit bring book mum mom dad mother "
    "father sister brother wife husband partner friend friends colleague boss manager dog cat "
    "coffee tea music food work job family kids children"
)
OPENERS = FUNCTION | frozenset(_OPENERS_WORDS.split())


_MAX_NAME_CHARS = 100
_MAX_WORDS = 5
_ENTITY_WORD = re.compile(r"[^\W_](?:[\w&+#]|[.'’-](?=\w))*")
# What may stand between two words of one name, and what may not end one.
_BETWEEN = re.compile(r" | & |, (?=Inc\b|Ltd\b)|\. ")
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "st", "prof", "mt"})
_INNER = frozenset({"of", "de", "van", "von", "der", "da", "del", "la", "di", "the", "&"})
_SENTENCE_END = re.compile(r"(?:^|[.!?:;\n•\"“(]|\s[-*–—]|^[-*])\s*$")
_ENTITY_CONTRACTION = re.compile(r"['’](?:s|m|ve|ll|re|d)$", re.IGNORECASE)
_SHOUTING = 0.6


def find_entities(text: str) -> list[str]:
    """Runs of capitalised words, in the order of their first appearance, each once.

    The first word of a sentence counts when it is capitalised inside another one too, when the
    next word is also capitalised, or when it is no common word. "I", weekdays and months are
    no names, and a text in capitals names nobody.
    """
    words = list(_ENTITY_WORD.finditer(text))
    if _is_shouted(words):
        return []
    inside = {word.group() for word in words if not _opens(text, word)}
    names = (name for run in _runs(text, words) if (name := _name(text, run, inside)))
    return list(dict.fromkeys(names))


def _is_shouted(words: list[re.Match[str]]) -> bool:
    letters = [word.group() for word in words if len(word.group()) > 1]
    upper = sum(word.isupper() for word in letters)
    return len(letters) > 2 and upper > _SHOUTING * len(letters)  # noqa: PLR2004 - "IBM in USA"


def _runs(text: str, words: list[re.Match[str]]) -> Iterator[list[re.Match[str]]]:
    run: list[re.Match[str]] = []
    for word in words:
        if run and not _continues(text, run[-1], word):
            yield run
            run = []
        if _is_capitalised(word.group()) or (run and word.group() in _INNER):
            run.append(word)
        elif run:
            yield run
            run = []
    if run:
        yield run


def _continues(text: str, last: re.Match[str], word: re.Match[str]) -> bool:
    gap = text[last.end() : word.start()]
    if gap == ". ":
        return last.group().lower() in _TITLES
    return _BETWEEN.fullmatch(gap) is not None and not _ENTITY_CONTRACTION.search(last.group())


def _name(text: str, run: list[re.Match[str]], inside: set[str]) -> str | None:
    while run and (run[-1].group() in _INNER or _is_no_name(run[-1].group())):
        run = run[:-1]
    while run and (_is_no_name(run[0].group()) or _only_opens(text, run, inside)):
        run = run[1:]
    while run and (run[-1].group() in _INNER or run[-1].group().lower() in _TITLES):
        run = run[:-1]
    if not run or len(run) > _MAX_WORDS:
        return None
    name = _ENTITY_CONTRACTION.sub("", text[run[0].start() : run[-1].end()])
    return name if 1 < len(name) <= _MAX_NAME_CHARS and name.isprintable() else None


def _only_opens(text: str, run: list[re.Match[str]], inside: set[str]) -> bool:
    """Whether the first word has its capital from the sentence it opens."""
    first = run[0].group()
    if run[0].group() in _INNER:
        return True
    if not _opens(text, run[0]) or first in inside:
        return False
    plain = _ENTITY_CONTRACTION.sub("", first).lower()
    if plain in OPENERS or plain in GENERIC:
        return True
    if len(run) > 1 or not first.istitle():
        return False
    return plain.endswith(("ing", "ed", "ly")) or _is_plural(text, run[0])


def _is_plural(text: str, word: re.Match[str]) -> bool:
    """Things, not a person: "Peanuts give me …", but "Carlos lives …"."""
    if not word.group().endswith("s") or word.group().endswith("ss"):
        return False
    following = _ENTITY_WORD.search(text, word.end())
    return following is not None and not following.group().endswith("s")


def _opens(text: str, word: re.Match[str]) -> bool:
    before = text[max(0, word.start() - 12) : word.start()]
    return _SENTENCE_END.search(before) is not None


def _is_capitalised(word: str) -> bool:
    return word != "I" and any(each.isupper() for each in word)


def _is_no_name(word: str) -> bool:
    plain = _ENTITY_CONTRACTION.sub("", word).lower()
    if plain in CALENDAR or plain in ("i", "user", "ok"):
        return True
    return plain[0].isdigit()


_STOP = FUNCTION | GENERIC | CALENDAR
_MIN_LETTERS = 3
# More words in a row are a list, or a language that has other stop words.
_MAX_PHRASE_WORDS = 4
_WORD = re.compile(r"[^\W_](?:[\w+#]|[.&'’-](?=\w))*")
_IS_TAG = re.compile(r"[^\W\d_][\w+#.&/-]+")
_CONTRACTION = re.compile(r"(?:n't|'(?:s|m|ve|ll|re|d))$")
_SINGULARS = frozenset(
    {"diabetes", "news", "series", "lens", "maths", "herpes", "always", "sometimes"}
)


def extract_keyphrases(text: str, without: Iterable[str] = ()) -> list[tuple[str, float]]:
    """Every word of a candidate phrase as a tag, with its score, the best first.

    A candidate phrase is a run of words between stop words, punctuation and the names of
    `without`. A word's score is its degree over its frequency, that is the mean length of the
    phrases it stands in: at least 1, at most 4. Phrases stay single words, since the same fact
    in other words has the same words far more often than the same phrases (decision 0008); a
    phrase's score would be the sum over its words. Words of one score keep the text's order.
    """
    frequency: Counter[str] = Counter()
    degree: Counter[str] = Counter()
    for phrase in _candidates(text, {_plain(part) for name in without for part in name.split()}):
        together = len(phrase) if len(phrase) <= _MAX_PHRASE_WORDS else 1
        for tag in phrase:
            frequency[tag] += 1
            degree[tag] += together
    scores = ((tag, degree[tag] / count) for tag, count in frequency.items())
    return sorted(scores, key=lambda each: -each[1])


def to_tag(word: str) -> str | None:
    """The word in lower case and in the singular; None for stop words, numbers and dates."""
    tag = _plain(word)
    if tag in _STOP or not _IS_TAG.fullmatch(tag):
        return None
    tag = _singular(tag)
    return None if tag in _STOP else tag


def _candidates(text: str, stops: set[str]) -> Iterator[list[str]]:
    phrase: list[str] = []
    end = 0
    for word in _WORD.finditer(text):
        tag = None if _plain(word.group()) in stops else to_tag(word.group())
        gap = text[end : word.start()]
        end = word.end()
        fits = tag is not None and len(tag) >= _MIN_LETTERS
        if phrase and not (fits and gap.isspace() and "\n" not in gap):
            yield phrase
            phrase = []
        if tag is not None and fits:
            phrase.append(tag)
    if phrase:
        yield phrase


def _plain(word: str) -> str:
    return _CONTRACTION.sub("", word.lower().replace("’", "'")).strip("'.,-_ ")


def _singular(word: str) -> str:
    """English plurals by their ending: the same thing gets the same tag."""
    if len(word) <= 3 or word in _SINGULARS:  # noqa: PLR2004 - "gas", "bus"
        return word
    if word.endswith(("ss", "us", "is", "os", "ics")):
        return word
    if word.endswith("ies") and len(word) > 4:  # noqa: PLR2004 - "ties", "pies"
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes")):
        return word[:-2]
    return word.removesuffix("s")


MAX_KEYPHRASES = 5
MAX_ENTITIES = 5
MAX_PROPOSED = 5
NEAR = 0.6
_MAX_TAG_CHARS = 100
# A memory says early what it is about.
_MAX_CHARS = 2000
_NAME_CONFIDENCE = 0.9


@dataclass(frozen=True)
class MemoryMetadata:
    """`tags` are keyphrases and, after them, names, both in lower case."""

    tags: tuple[str, ...]
    confidence: float


def extract_metadata(content: str) -> MemoryMetadata:
    """At most five keyphrases and five names, and how sure their detectors are (000, enrichment).

    confidence = clamp(mean(detector confidences), 0, 1), 0 where nothing was found (000).
    A keyphrase of RAKE's score s (1 is the least) counts s / (1 + s): a half for an ordinary
    word that stands alone, two thirds for one of two that stand together; a name counts 0.9.
    """
    content = content[:_MAX_CHARS]
    names = find_entities(content)
    found = extract_keyphrases(content, without=names)[:MAX_KEYPHRASES]
    names = names[:MAX_ENTITIES]
    sure = [score / (1 + score) for _, score in found] + [_NAME_CONFIDENCE] * len(names)
    return MemoryMetadata(
        tags=_tags((*(tag for tag, _ in found), *(name.lower() for name in names))),
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


def _tags(phrases: Iterable[str]) -> tuple[str, ...]:
    kept = (phrase[:_MAX_TAG_CHARS].strip() for phrase in phrases if phrase.isprintable())
    return tuple(dict.fromkeys(filter(None, kept)))


def _names_a_topic(tag: str) -> bool:
    return to_tag(tag) is not None or " " in tag
