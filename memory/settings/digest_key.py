"""The key of this installation's digests."""

from __future__ import annotations

from memory.key_file import load_key
from memory.settings.model import Settings

DIGEST_KEY_FILE = "digest.key"


def digest_key(settings: Settings) -> bytes:
    """The key of the settings, else the one in the data folder, made when it is missing."""
    if settings.digest_key is not None:
        return settings.digest_key.get_secret_value().encode()
    return load_key(settings.keepsake_home / DIGEST_KEY_FILE)
