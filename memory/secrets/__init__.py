"""Finds what must never be kept: keys, passwords, PINs, numbers of cards, accounts and persons.

Looks for the shape (a provider's prefix, a card's check digit, a long random token) and for the
words beside it ("my PIN is …"), in English; for passwords in other languages too. What neither
gives away, a trained head hears from the words around it (memory/understanding/secret_values.py).
It errs towards taking out: a password that stays does harm, a word too few can be said again. Pure
functions.
"""

from memory.secrets.finder import (
    find_secrets,
    find_sure_secrets,
    is_redacted,
    redact,
    restore,
)
from memory.secrets.patterns import SECRET_KINDS, Secret, SecretKind

__all__ = [
    "SECRET_KINDS",
    "Secret",
    "SecretKind",
    "find_secrets",
    "find_sure_secrets",
    "is_redacted",
    "redact",
    "restore",
]
