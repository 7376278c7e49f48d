"""What somebody eats, as classes of food that are taken or left. Pure, English."""

from __future__ import annotations

import re

# Each kind of food with what it is a kind of.
_KIND_OF = {
    "pork": "meat",
    "beef": "meat",
    "poultry": "meat",
    "meat": "animal",
    "fish": "animal",
    "dairy": "animal",
    "egg": "animal",
}
_FOODS = {
    "meat": "meat everything anything steak lamb veal barbecue burger sausage kebab meatball"
    " venison",
    "pork": "pork bacon ham",
    "beef": "beef brisket",
    "poultry": "chicken turkey duck",
    "fish": "fish salmon tuna seafood sushi shrimp cod prawn",
    "dairy": "dairy cheese milk yoghurt yogurt butter",
    "egg": "egg",
}
_CLASS_OF = {word: kind for kind, words in _FOODS.items() for word in words.split()}
_LEFT_OUT = {
    "vegetarian": {"meat", "fish"},
    "vegan": {"animal"},
    "pescatarian": {"meat"},
}
_TAKEN = {"pescatarian": {"fish"}}
_LABEL = re.compile(
    r"^(?:am|is|have gone|became|become|turned|went|go|goes|have gone|has gone|have become"
    r"|has become|follow|eat)"
    r"(?: an?| on an?)? ?(?:strict )?"
    r"(?P<label>vegan|vegetarian|veggie|pescatarian|pescetarian|meat[- ]eater|omnivore|carnivore)\b"
    r"(?: diet)?$"
)
_EATS = re.compile(
    r"^(?:(?:am |is )?eating|eats?|eating|like|have|like eating) (?P<food>[a-z]+?)s?$"
)
_SAME_LABEL = {"veggie": "vegetarian", "pescetarian": "pescatarian"}


def diet_of(predicate: str) -> str:
    """The label ("vegan") or the one class of food ("meat") that is spoken of, or ""."""
    if match := _LABEL.match(predicate):
        label = match["label"]
        return "meat" if label[:4] in ("meat", "omni", "carn") else _SAME_LABEL.get(label, label)
    match = _EATS.match(predicate)
    return _CLASS_OF.get(match["food"], "") if match else ""


def diets_clash(one: str, one_negated: bool, other: str, other_negated: bool) -> bool:
    """Whether something is both taken and left out, or two labels differ."""
    labels = {one, other} & _LEFT_OUT.keys()
    if len(labels) == 2 and not one_negated and not other_negated:  # noqa: PLR2004 - both
        return True
    if one == other and one in _LEFT_OUT:
        return one_negated != other_negated
    taken, left = _taken_and_left(one, one_negated)
    taken2, left2 = _taken_and_left(other, other_negated)
    return _any_within(taken, left2) or _any_within(taken2, left)


def _taken_and_left(value: str, negated: bool) -> tuple[set[str], set[str]]:
    if value in _LEFT_OUT:
        return (set(), set()) if negated else (_TAKEN.get(value, set()), _LEFT_OUT[value])
    return (set(), {value}) if negated else ({value}, set())


def _any_within(taken: set[str], left: set[str]) -> bool:
    return any(not left.isdisjoint(_ancestors(food)) for food in taken)


def _ancestors(food: str) -> list[str]:
    kinds = [food]
    while kinds[-1] in _KIND_OF:
        kinds.append(_KIND_OF[kinds[-1]])
    return kinds
