"""Whom the servers run as, and whose their files are."""

from __future__ import annotations

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

# A system account that exists, never one that is made here; macOS writes its own with a dash.
_UNPRIVILEGED = ("postgres", "_postgres", "nobody")


@dataclass(frozen=True)
class Account:
    """The owner of the data folder. `foreign` says that this program is root and the account is
    not, so that files are given to it and the servers become it: PostgreSQL refuses root."""

    uid: int
    gid: int
    foreign: bool

    @classmethod
    def of(cls, home: Path) -> Account:
        """Whoever is not root decides for themselves. Root keeps to the owner that the data has,
        so that a system account made later, or sudo in somebody's home, changes nothing."""
        if os.getuid() != 0:
            return cls(os.getuid(), os.getgid(), foreign=False)
        for path in (home / "postgres", home / "valkey", home):
            if path.exists() and (owner := path.stat()).st_uid != 0:
                return cls(owner.st_uid, owner.st_gid, foreign=True)
        for name in _UNPRIVILEGED:
            try:
                entry = pwd.getpwnam(name)
            except KeyError:
                continue
            return cls(entry.pw_uid, entry.pw_gid, foreign=True)
        return cls(0, 0, foreign=False)

    def own(self, path: Path) -> None:
        """Gives a file or folder that was made here to the account."""
        if self.foreign:
            os.chown(path, self.uid, self.gid, follow_symlinks=False)
