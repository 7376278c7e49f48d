"""The states of a circuit breaker and the ways between them (003, phase 6). Pure."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from typing import Literal

# So long nobody else tries while one call finds out whether the dependency is back.
PROBE_SECONDS = 60.0
State = Literal["closed", "open", "half_open"]


@dataclass(frozen=True)
class Limits:
    """`threshold` failures within `window` seconds open the circuit, for `cooldown` seconds
    (003: 5, 600 and 300)."""

    threshold: int = 5
    window: float = 600.0
    cooldown: float = 300.0


@dataclass(frozen=True)
class Circuit:
    """When the last failures were, when it was opened and when it was last tried since; in
    seconds of one clock that all processes share.

    An answer takes one failure back, so that on a busy server a call that fails now and then
    switches nothing off: those that fail have to outnumber the others by the threshold.
    """

    failures: tuple[float, ...] = ()
    opened_at: float | None = None
    probed_at: float | None = None

    def as_of(self, now: float) -> Circuit:
        """With nothing later than now: a clock that was set back must not keep it open for longer
        than one more cooldown."""
        return Circuit(
            tuple(min(each, now) for each in self.failures),
            None if self.opened_at is None else min(self.opened_at, now),
            None if self.probed_at is None else min(self.probed_at, now),
        )

    def state(self, now: float, limits: Limits) -> State:
        if self.opened_at is None:
            return "closed"
        return "open" if now - self.opened_at < limits.cooldown else "half_open"

    def asked(self, now: float, limits: Limits) -> Circuit:
        """Somebody wants to call: the first of them after the cooldown tries, see `lets`."""
        return replace(self, probed_at=now) if self._may_probe(now, limits) else self

    def lets(self, now: float, limits: Limits) -> bool:
        """Whether a call that comes now is made: while it is closed each, while it is open none,
        afterwards one at a time."""
        return self.state(now, limits) == "closed" or self._may_probe(now, limits)

    def failed(self, now: float, limits: Limits) -> Circuit:
        """A call failed. One that began before it was opened changes nothing any more; the one
        that tries whether the dependency is back begins the cooldown anew."""
        match self.state(now, limits):
            case "open":
                return self
            case "half_open":
                return Circuit(opened_at=now)
        recent = tuple(each for each in self.failures if now - each < limits.window)
        failures = (*recent, now)
        if len(failures) >= limits.threshold:
            return Circuit(opened_at=now)
        return Circuit(failures)

    def answered(self, now: float, limits: Limits) -> Circuit:
        """A call was answered, which closes it after the cooldown."""
        match self.state(now, limits):
            case "open":
                return self
            case "half_open":
                return Circuit()
        return Circuit(self.failures[1:])

    def released(self) -> Circuit:
        """The call that tried was broken off, and nothing is known: another one may try."""
        return replace(self, probed_at=None)

    def seconds_left(self, now: float, limits: Limits) -> float:
        """Until it is tried again; 0 where it is closed, or may be tried now."""
        if self.opened_at is None:
            return 0.0
        return max(limits.cooldown - (now - self.opened_at), 0.0)

    def _may_probe(self, now: float, limits: Limits) -> bool:
        if self.state(now, limits) != "half_open":
            return False
        return self.probed_at is None or now - self.probed_at >= PROBE_SECONDS


def to_text(circuit: Circuit) -> str:
    return json.dumps(asdict(circuit))


def from_text(text: str | bytes | None) -> Circuit:
    """A closed circuit where there is none, or none that can be read."""
    try:
        read = json.loads(text or "{}")
        failures = tuple(float(each) for each in read.get("failures", ()))
        return Circuit(failures, _seconds(read, "opened_at"), _seconds(read, "probed_at"))
    except (AttributeError, TypeError, ValueError):
        return Circuit()


def _seconds(read: dict[str, object], name: str) -> float | None:
    value = read.get(name)
    return float(value) if isinstance(value, int | float) else None
