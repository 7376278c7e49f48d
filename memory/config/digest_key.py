"""The key of this installation's digests: of the settings, or in a file that only its owner
reads."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from memory.config.settings import Settings
from memory.errors import InvalidSettings

KEY_BYTES = 32


def load_key_file(path: Path) -> bytes:
    """The 32 bytes in the file; where there is none, one with random bytes is made, mode 0600.

    It appears whole or not at all, and of several processes that make it at once all return what
    the first one made. Raises InvalidSettings where it cannot be read or made, or holds something
    else. Blocks for a few milliseconds.
    """
    try:
        if not path.exists():
            _make_key_file(path)
        key = path.read_bytes()
    except OSError as error:
        raise InvalidSettings(
            reason=f"the key file {path} cannot be used ({error.strerror or error}). Make its "
            "folder one that you can write, or name another data folder in KEEPSAKE_HOME."
        ) from error
    if len(key) != KEY_BYTES:
        raise InvalidSettings(
            reason=f"the key file {path} holds {len(key)} bytes and not {KEY_BYTES}. Put the right "
            "one back; or remove it and a new one is made, which no longer knows again what was "
            "forgotten within the last day."
        )
    return key


def _make_key_file(path: Path) -> None:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # A link, because it fails where the name is taken, and nobody sees half a file.
    with _draft(path, secrets.token_bytes(KEY_BYTES)) as draft, suppress(FileExistsError):
        os.link(draft, path)


def write_key_file(path: Path, key: bytes) -> None:
    """Puts a key of a backup into the file, in the place of one that is there, mode 0600. Blocks.
    Raises InvalidSettings where it is none, or cannot be written."""
    if len(key) != KEY_BYTES:
        raise InvalidSettings(reason=f"a key of {len(key)} bytes and not {KEY_BYTES}")
    try:
        with _draft(path, key) as draft:
            draft.replace(path)
    except OSError as error:
        raise InvalidSettings(reason=f"{path} cannot be written ({error.strerror})") from error


@contextmanager
def _draft(path: Path, key: bytes) -> Iterator[Path]:
    """A file beside it that holds the key whole, mode 0600, until the block ends."""
    descriptor, name = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)
    draft = Path(name)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


DIGEST_KEY_FILE = "digest.key"


def load_digest_key(settings: Settings) -> bytes:
    """The key of the settings, else the one in the data folder, made when it is missing."""
    if settings.digest_key is not None:
        return settings.digest_key.get_secret_value().encode()
    return load_key_file(settings.keepsake_home / DIGEST_KEY_FILE)
