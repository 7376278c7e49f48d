"""Where a backup comes from and goes to: the login, and the file of the key."""

from __future__ import annotations

from pathlib import Path

from app.addresses import Addresses
from memory.settings import Settings
from memory.settings.digest_key import DIGEST_KEY_FILE


def backup_url(settings: Settings, addresses: Addresses) -> str:
    """One that sees the rows of all users: BACKUP_DATABASE_URL, else the owner's."""
    given = settings.backup_database_url
    return given.get_secret_value() if given else addresses.owner_url


def digest_key_file(settings: Settings) -> Path:
    return settings.keepsake_home / DIGEST_KEY_FILE
