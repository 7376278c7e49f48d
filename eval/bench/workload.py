"""What the benchmarks ask, and how they time it: invented memories and questions, an embedder whose
answers were made before, and calls one at a time or many at once."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping, Sequence
from typing import Self

import numpy as np

from memory.embeddings.protocol import Embedder, Embedding
from memory.retrieval.query import mask_names

_WORDS = {
    "person": """Anna Ben Carla David Elif Farid Greta Hugo Ines Jonas Karim Lena Mateo Nadia Omar
        Priya Quentin Rosa Sven Tomas Uma Viktor Wanda Xenia Yusuf Zoe Amir Bianca Cyril Dana Erik
        Fatima Goran Helga Ivan Jana Kofi Livia Magnus Noemi Oscar Petra Ramon Signe Tariq Ursula
        Vera Willem Yara Zeno Alice Boris Chloe Dmitri Esther Felix Gemma Harold Isla Jasper""",
    "relation": """sister brother mother father neighbour dentist landlord boss colleague cousin
        aunt uncle teacher doctor daughter son friend manager coach accountant plumber trainer""",
    "thing": """bicycle laptop guitar kettle passport charger notebook camera backpack umbrella
        printer blender tent ladder drill sofa lamp microscope telescope suitcase wallet keyboard
        monitor contract invoice spreadsheet newsletter recipe prescription certificate receipt
        warranty manual password newspaper calendar curtain mattress freezer boiler radiator router
        antenna projector piano violin canoe helmet compass stroller aquarium greenhouse chainsaw
        lawnmower tractor trailer scooter skateboard snowboard kayak anvil loom easel kiln lathe""",
    "place": """office kitchen garage garden basement library station airport clinic bakery market
        gym studio attic workshop harbour museum theatre cafe school university warehouse pharmacy
        hotel cabin lakeside Oslo Lisbon Bristol Vienna Ghent Porto Turin Malmo Tallinn Krakow
        Leipzig Utrecht Bergen Galway Basel Lyon Bilbao Zagreb Riga Graz Aarhus Tampere Nantes""",
    "food": """coffee lentils bread yoghurt salmon mushrooms pancakes rice tofu cheese oranges
        spinach noodles porridge olives dumplings chickpeas almonds herring apricots pumpkin barley
        fennel mango walnuts buckwheat leeks sardines plums parsnips couscous halloumi""",
    "activity": """meeting swimming running budget review holiday interview renovation training
        rehearsal release backup inspection migration birthday wedding presentation workshop course
        exam delivery appraisal hike picnic audit fundraiser tournament excursion vaccination""",
    "quality": """quiet cheap heavy small reliable green wooden fast blue simple warm electric old
        waterproof foldable noisy bright organic secondhand wireless narrow sturdy fragile spare""",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": """January February March April May June July August September October November
        December""",
    "number": " ".join(str(number) for number in range(2, 90)),
}
_MEMORIES = (
    "I met {person} at the {place} on {day} to talk about the {activity}.",
    "My {relation} {person} lives in {place} and works with {thing} repairs.",
    "User prefers a {quality} {thing} over a {quality} one for the {activity}.",
    "Decided to move the {activity} to {month}, because {person} is away until the {number}th.",
    "The {thing} in the {place} cost {number} euros and came with a {quality} {thing}.",
    "I am allergic to {food}, but {food} with {food} is fine.",
    "{person} borrowed my {quality} {thing} in {month} and wants to give it back on {day}.",
    "The {activity} with {person} starts at {number} past nine in the {place}.",
    "My {relation} says that {food} from the {place} is better than {food} from {place}.",
    "Remember to bring the {thing} and {number} copies of the {thing} to the {activity}.",
    "We keep the {quality} {thing} behind the {thing} in the {place}.",
    "User learned the {thing} as a child and still plays with {person} every {day}.",
    "The password hint for the {thing} is the street where {person} grew up in {place}.",
    "In {month} the {activity} was cancelled, so {person} and I went to {place} instead.",
)
_TAILS = (
    "{person} reminded me of it on {day}.",
    "It has to be done before {month}.",
    "That was {number} days before the {activity}.",
    "My {relation} knows about the {thing} too.",
    "Ask at the {place} if it is unclear.",
)
_QUESTIONS = (
    "When do I meet {person} about the {activity}?",
    "Where is the {quality} {thing}?",
    "What did I decide about the {activity} in {month}?",
    "Who borrowed my {thing}?",
    "How much did the {thing} in the {place} cost?",
    "Can I eat {food} and {food}?",
    "What does my {relation} {person} do in {place}?",
    "Which {thing} do I prefer for the {activity}?",
    "What do I need to bring to the {activity} with {person}?",
    "Do I like {food} from the {place}?",
)
_SLOT = re.compile(r"\{(\w+)\}")


class Sentences:
    """Plain sentences with words drawn by Zipf's law, so that a few words are in many memories and
    most in few, as in what people write. The same for the same seed."""

    def __init__(self, seed: int) -> None:
        self._rng = np.random.default_rng(seed)
        self._words = {slot: words.split() for slot, words in _WORDS.items()}

    def memories(self, count: int) -> list[str]:
        return [self._fill(self._pick(_MEMORIES)) for _ in range(count)]

    def tails(self) -> Iterator[str]:
        """Endless second sentences, so that no two memories are quite the same."""
        while True:
            yield self._fill(self._pick(_TAILS))

    def questions(self, count: int) -> list[str]:
        """`count` different ones."""
        asked: dict[str, None] = {}
        while len(asked) < count:
            asked[self._fill(self._pick(_QUESTIONS))] = None
        return list(asked)

    def _pick(self, patterns: tuple[str, ...]) -> str:
        return patterns[self._rng.integers(len(patterns))]

    def _fill(self, pattern: str) -> str:
        return _SLOT.sub(lambda match: self._word(match[1]), pattern)

    def _word(self, slot: str) -> str:
        """P(rank r) ∝ 1 / r (Zipf 1949), by inverting the distribution's logarithm."""
        words = self._words[slot]
        place = int((len(words) + 1) ** self._rng.random()) - 1
        return words[min(place, len(words) - 1)]


class PrecomputedEmbedder:
    """Answers at once, so that what is left of a recall is search and ranking, and only the
    questions that it knows."""

    def __init__(self, model: str, dimensions: int, vectors: Mapping[str, Embedding]) -> None:
        self.model = model
        self.dimensions = dimensions
        self._vectors = vectors

    @classmethod
    async def of(cls, embedder: Embedder, questions: Sequence[str]) -> Self:
        """Asks the real one beforehand what a recall would."""
        nameless = (mask_names(question) for question in questions)
        texts = [*questions, *(text for text in nameless if text is not None)]
        vectors = {text: await embedder.embed_query(text) for text in texts}
        return cls(embedder.model, embedder.dimensions, vectors)

    async def embed_query(self, text: str) -> Embedding:
        return self._vectors[text]

    async def embed_texts(self, texts: Sequence[str]) -> list[Embedding]:
        return [self._vectors[text] for text in texts]

    async def aclose(self) -> None:
        """There is nothing to close."""


Call = Callable[[str], Awaitable[object]]
AT_ONCE = 20


async def time_call(call: Call, question: str) -> float:
    began = time.perf_counter()
    await call(question)
    return (time.perf_counter() - began) * 1000


async def time_in_turn(calls: Sequence[Call], questions: Sequence[str]) -> list[list[float]]:
    """Milliseconds by call; for each question the calls run one after the other, so that what
    else the machine does hits all of them alike."""
    took: list[list[float]] = [[] for _ in calls]
    for question in questions:
        for times, call in zip(took, calls, strict=True):
            times.append(await time_call(call, question))
    return took


async def measure_throughput(call: Call, questions: Sequence[str]) -> float:
    """Answers a second with AT_ONCE callers, each asking its next question when it has an
    answer."""
    waiting = iter(questions)

    async def ask() -> None:
        for question in waiting:
            await call(question)

    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(AT_ONCE):
            group.create_task(ask())
    return len(questions) / (time.perf_counter() - began)


async def run_concurrently(works: Sequence[Coroutine[None, None, None]]) -> None:
    """Ends when all have; the first that fails stops the others."""
    async with asyncio.TaskGroup() as group:
        for work in works:
            group.create_task(work)
