"""Reads as much of PromQL as the alert rules and the dashboards use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass

SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
LEVELS = (("and", "unless", "or"), ("==", "!=", "<=", ">=", "<", ">"), ("+", "-"), ("*", "/"))
AGGREGATIONS = ("sum", "max", "min", "avg", "topk")
_TOKEN = re.compile(
    r'\s*(?P<token>"[^"]*"|\d+(?:\.\d+)?[smhdw](?!\w)|\d+(?:\.\d+)?|[a-zA-Z_:][\w:]*'
    r"|==|!=|=~|!~|<=|>=|[-+*/<>=(){}\[\],])"
)


@dataclass(frozen=True)
class Number:
    value: float


@dataclass(frozen=True)
class Selector:
    """`matchers` are (label, sign, value); `window` is in seconds, None for an instant."""

    name: str
    matchers: tuple[tuple[str, str, str], ...] = ()
    window: float | None = None


@dataclass(frozen=True)
class Call:
    function: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True)
class Aggregation:
    function: str
    by: tuple[str, ...]
    of: Expression


@dataclass(frozen=True)
class Operation:
    sign: str
    left: Expression
    right: Expression


Expression = Number | Selector | Call | Aggregation | Operation


def parse(text: str) -> Expression:
    """Raises ValueError for what it cannot read."""
    tokens = _Tokens(text)
    expression = _operation(tokens, 0)
    if tokens.next is not None:
        raise ValueError(f"{tokens.next!r} is left over in {text!r}")
    return expression


def selectors(expression: Expression) -> Iterator[Selector]:
    if isinstance(expression, Selector):
        yield expression
        return
    for each in fields(expression):
        value = getattr(expression, each.name)
        for part in value if isinstance(value, tuple) else (value,):
            if is_dataclass(part):
                yield from selectors(part)  # type: ignore[arg-type]


class _Tokens:
    def __init__(self, text: str) -> None:
        self._tokens = list(_split(text))

    @property
    def next(self) -> str | None:
        return self._tokens[0] if self._tokens else None

    def take(self, wanted: str | None = None) -> str:
        token = self._tokens.pop(0) if self._tokens else ""
        if wanted is not None and token != wanted:
            raise ValueError(f"{token!r} stands where {wanted!r} should")
        return token

    def names(self) -> tuple[str, ...]:
        self.take("(")
        found = []
        while self.next != ")":
            found.append(self.take())
            if self.next == ",":
                self.take()
        self.take(")")
        return tuple(found)


def _split(text: str) -> Iterator[str]:
    place, text = 0, text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"cannot read {text[place:]!r}")
        yield found["token"]
        place = found.end()


def _operation(tokens: _Tokens, level: int) -> Expression:
    if level == len(LEVELS):
        return _atom(tokens)
    left = _operation(tokens, level + 1)
    while tokens.next in LEVELS[level]:
        left = Operation(tokens.take(), left, _operation(tokens, level + 1))
    return left


def _atom(tokens: _Tokens) -> Expression:
    token = tokens.take()
    if token == "(":
        inner = _operation(tokens, 0)
        tokens.take(")")
        return inner
    if re.fullmatch(r"\d+(\.\d+)?", token):
        return Number(float(token))
    if token in AGGREGATIONS:
        return _aggregation(token, tokens)
    if tokens.next == "(":
        return Call(token, _arguments(tokens))
    return _selector(token, tokens)


def _aggregation(function: str, tokens: _Tokens) -> Aggregation:
    by: tuple[str, ...] = ()
    if tokens.next == "by":
        tokens.take()
        by = tokens.names()
    [of] = _arguments(tokens)
    return Aggregation(function, by, of)


def _arguments(tokens: _Tokens) -> tuple[Expression, ...]:
    tokens.take("(")
    found = [_operation(tokens, 0)]
    while tokens.next == ",":
        tokens.take()
        found.append(_operation(tokens, 0))
    tokens.take(")")
    return tuple(found)


def _selector(name: str, tokens: _Tokens) -> Selector:
    matchers, window = [], None
    if tokens.next == "{":
        tokens.take()
        while tokens.next != "}":
            matchers.append((tokens.take(), tokens.take(), tokens.take().strip('"')))
            if tokens.next == ",":
                tokens.take()
        tokens.take("}")
    if tokens.next == "[":
        tokens.take()
        given = tokens.take()
        window = float(given[:-1]) * SECONDS[given[-1]]
        tokens.take("]")
    return Selector(name, tuple(matchers), window)
