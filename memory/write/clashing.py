"""Whether two slots can both hold. Pure functions."""

from __future__ import annotations

from memory.write.statements.diet import diets_clash
from memory.write.statements.places import may_contain
from memory.write.statements.slot import Contradiction, Slot
from memory.write.statements.subjects import same_subject
from memory.write.statements.switches import VERBS
from memory.write.statements.wording import stems_of

_BOTH_HOLD = (
    "together dating, together engaged, together married, divorced single, divorced dating, "
    "divorced together, widowed single, widowed dating, widowed together, separated single, "
    "separated married"
)
_AGREEING_STATUS = [set(pair.split()) for pair in _BOTH_HOLD.split(", ")]
_ALONE = {"single", "divorced", "widowed"}
# Verbs of so many things that the verb alone says little: "I don't drink any more".
_OF_MANY = {"drink", "eat", "lik", "use", "go", "want", "tak", "mak", "plai", "need", "work", "am"}
_CONSUMING = {"lik", "drink", "eat", "hav", "use"}


def values_clash(new: Slot, old: Slot) -> Contradiction | None:
    """Two values of one name and subject; a deed of old is compared with none of them."""
    if new.name != old.name or not same_subject(new.subject, old.subject) or old.history:
        return None
    if new.which and old.which and new.which != old.which:
        return None
    if new.aspect != old.aspect:
        return _ended(new, old)
    if new.name == "diet":
        clash = diets_clash(new.value, new.negated, old.value, old.negated)
        return _found(new, sure=True) if clash else None
    ours, theirs = set(stems_of(new.value)), set(stems_of(old.value))
    if new.negated or old.negated:
        denied, held = (ours, theirs) if new.negated else (theirs, ours)
        denies = new.negated != old.negated and denied <= held
        return _found(new, sure=True) if denies else None
    return _one_of_two(new, old) if _unlike(new, old, ours, theirs) else None


def deeds_clash(new: Slot, old: Slot) -> Contradiction | None:
    """The same deed or liking, once affirmed and once denied; a denial must not be the narrower
    of the two ("I don't drink coffee after noon", "I drink coffee")."""
    if new.negated == old.negated or old.history or new.subject != old.subject:
        return None
    if not old.is_deed:
        return _possession_ends(new, old)
    ours, theirs = set(new.value.split()), set(old.value.split())
    never = _is_never(old) and new.value.split()[:1] == [old.value]
    if ours == theirs or never:
        return Contradiction("negation", sure=True, outright=new.outright)
    denied, held = (ours, theirs) if new.negated else (theirs, ours)
    if denied < held and (len(denied) > 1 or new.outright):
        return Contradiction("negation", sure=_as_sure(new, old, denied), outright=new.outright)
    without = denied - _CONSUMING
    if new.outright and without and without != denied and without < held and held & _CONSUMING:
        return Contradiction("negation", sure=False, outright=True)
    return None


def _is_never(old: Slot) -> bool:
    """ "I don't smoke", whatever and whenever."""
    return old.negated and " " not in old.value and old.value not in _OF_MANY


def _as_sure(new: Slot, old: Slot, denied: set[str]) -> bool:
    """One denied word is clear where it is the verb ("I smoke a pack a day") or its thing."""
    verb = old.value.split()[0]
    clear = verb not in _OF_MANY if verb in denied else verb in VERBS
    return new.outright and (len(denied) > 1 or clear)


def _possession_ends(new: Slot, old: Slot) -> Contradiction | None:
    """ "I sold my Volvo" after "I drive a Volvo"."""
    ends = new.negated and new.outright and not old.negated
    if ends and set(new.value.split()) == set(stems_of(old.value)):
        return Contradiction("negation", sure=old.name == "car", outright=True)
    return None


def _ended(new: Slot, old: Slot) -> Contradiction | None:
    """A meeting that is off against its time; "I'm single" against "I'm dating Tom"."""
    off = any(slot.negated and not slot.value for slot in (new, old))
    if new.name.startswith("time:") and off:
        return _found(new, sure=True)
    alone = new.aspect == "status" and new.value in _ALONE and not new.negated
    if new.name == "partner" and alone and old.aspect == "partner" and not old.negated:
        return _found(new, sure=True)
    return None


def _unlike(new: Slot, old: Slot, ours: set[str], theirs: set[str]) -> bool:
    if new.aspect == "status":
        return new.value != old.value and {new.value, old.value} not in _AGREEING_STATUS
    return not (ours <= theirs or theirs <= ours)


def _one_of_two(new: Slot, old: Slot) -> Contradiction | None:
    """Does the later of two values take the place of the earlier?"""
    if new.name.startswith("kin:") and not new.outright:
        return None
    if not (new.single and old.single):
        doubtful = new.name.startswith(("named:", "kin:", "time:")) or new.name == "car"
        return _found(new, sure=new.outright) if new.outright or doubtful else None
    if new.outright:
        follows = not new.before or bool(set(stems_of(new.before)) & set(stems_of(old.value)))
        return _found(new, sure=follows)
    one_in_other = new.name == "home" and may_contain(new.value, old.value)
    unnamed = new.aspect == "employer" and any(
        slot.value.startswith(("a ", "an ")) for slot in (new, old)
    )
    certain = new.certain and old.certain and new.subject == old.subject
    return _found(new, sure=certain and not one_in_other and not unnamed)


def _found(slot: Slot, *, sure: bool) -> Contradiction:
    return Contradiction(f"slot:{slot.what}", sure=sure, outright=slot.outright)
