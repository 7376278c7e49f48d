"""Where a secret stands in a text, and what it is; never the secret itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "private key",
    "connection string",
    "API key",
    "access token",
    "card number",
    "security code",
    "password",
    "PIN",
    "code",
    "secret",
    "identity number",
    "bank account number",
]

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class Secret:
    """text[start:end] is the secret. Safe to log: it holds nothing of the text."""

    kind: Kind
    start: int
    end: int

    @property
    def mark(self) -> str:
        """What stands in the text instead: [card number removed]."""
        return f"[{self.kind} removed]"
