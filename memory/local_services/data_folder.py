"""The data folder: where everything lies, whose it is, and that nobody else can look inside."""

from __future__ import annotations

import hashlib
import os
import pwd
import re
import shutil
import stat
from dataclasses import dataclass
from pathlib import Path

from memory.errors import ServiceStartFailed

# A system account that exists, never one that is made here; macOS writes its own with a dash.
_UNPRIVILEGED = ("postgres", "_postgres", "nobody")


@dataclass(frozen=True)
class ServiceAccount:
    """The owner of the data folder. `foreign` says that this program is root and the account is
    not, so that files are given to it and the servers become it: PostgreSQL refuses root."""

    uid: int
    gid: int
    foreign: bool

    @classmethod
    def of(cls, home: Path) -> ServiceAccount:
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


_PRIVATE_FOLDER = 0o700
_PRIVATE_FILE = 0o600

# A unix socket's address has room for 104 bytes on macOS (108 on Linux), its closing zero
# included; the longest name in the folder is PostgreSQL's `.s.PGSQL.5432.lock`, which is a file
# and may be longer, so that its socket's own name counts.
_LONGEST_SOCKET_FOLDER = 103 - len("/.s.PGSQL.5432")

_PLAIN_PATH = re.compile(r"[\w /.+=~@:()-]+")

# Not the folder that TMPDIR names: two programs with different environments have to find the
# same sockets. macOS has it too.
_SHORT_FOLDER = Path("/tmp")  # noqa: S108 (checked for its owner and mode before it is used)


class DataFolder:
    """The layout of the data folder. Its root is absolute with symbolic links followed, so that
    two ways to write it are one home. Nothing is made before `prepare`."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.postgres_data = self.root / "postgres"
        self.valkey_data = self.root / "valkey"
        self.logs = self.root / "logs"
        self.locks = self.root / "locks"
        self.postgres_log = self.logs / "postgres.log"
        self.valkey_log = self.logs / "valkey.log"
        self.users_lock = self.locks / "users.lock"
        self.change_lock = self.locks / "change.lock"
        self.postgres_lock = self.locks / "postgres.lock"
        self.valkey_lock = self.locks / "valkey.lock"

    @property
    def account(self) -> ServiceAccount:
        return ServiceAccount.of(self.root)

    @property
    def sockets(self) -> Path:
        """Inside the data folder; where that is too long for a socket's address, or has a sign in
        it that settings files and URLs read as their own (a comma ends a host, a quote a value),
        a private folder under /tmp that is named after the home and its owner."""
        inside = self.root / "sockets"
        if len(os.fsencode(inside)) <= _LONGEST_SOCKET_FOLDER and _PLAIN_PATH.fullmatch(
            str(inside)
        ):
            return inside
        name = b"%d:%b" % (self.account.uid, os.fsencode(self.root))
        return _SHORT_FOLDER / f"keepsake-{hashlib.sha256(name).hexdigest()[:16]}"

    def prepare(self) -> None:
        """Makes what is missing, for the owner alone (0700, 0600). A folder that was there before
        with other things in it keeps its mode and owner: only what Keepsake makes is changed.
        Raises ServiceStartFailed when the folder is somebody else's or cannot be written."""
        try:
            self._make_root()
            for folder in (self.logs, self.locks, self.valkey_data, self.sockets):
                self._make_folder(folder)
            for file in (
                *(self.users_lock, self.change_lock, self.postgres_lock, self.valkey_lock),
                *(self.postgres_log, self.valkey_log),
            ):
                self._make_file(file)
        except OSError as error:
            raise self._unusable(error.filename or self.root, error.strerror or "") from error

    def write(self, path: Path, text: str) -> None:
        """Writes a private file of the account in one step, so that nobody reads half of it."""
        fresh = path.with_name(f"{path.name}.new")
        fresh.unlink(missing_ok=True)
        descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _PRIVATE_FILE)
        with os.fdopen(descriptor, "wb") as file:
            file.write(text.encode("utf-8", "surrogateescape"))
        self.account.own(fresh)
        fresh.replace(path)

    def make_empty(self, folder: Path) -> None:
        """A new private folder of the account in place of whatever is there."""
        if folder.exists():
            shutil.rmtree(folder)
        self._make_folder(folder)

    def _make_root(self) -> None:
        account = self.account
        self.root.mkdir(parents=True, exist_ok=True)
        if not any(self.root.iterdir()) and self.root.stat().st_uid in (os.getuid(), account.uid):
            self.root.chmod(_PRIVATE_FOLDER)
            account.own(self.root)

    def _make_folder(self, folder: Path) -> None:
        account = self.account
        try:
            folder.mkdir(mode=_PRIVATE_FOLDER)
        except FileExistsError:
            self._check(folder, account)
        else:
            account.own(folder)

    def _make_file(self, file: Path) -> None:
        account = self.account
        try:
            os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, _PRIVATE_FILE))
        except FileExistsError:
            return
        account.own(file)

    def _check(self, folder: Path, account: ServiceAccount) -> None:
        """Whoever made it: it has to be a folder, ours, and closed to others."""
        found = folder.lstat()
        if not stat.S_ISDIR(found.st_mode):
            raise self._unusable(folder, "it is not a folder")
        if found.st_uid != account.uid:
            raise self._unusable(folder, f"it belongs to user {found.st_uid}")
        if stat.S_IMODE(found.st_mode) != _PRIVATE_FOLDER:
            folder.chmod(_PRIVATE_FOLDER)

    def _unusable(self, path: Path | str, reason: str) -> ServiceStartFailed:
        return ServiceStartFailed(
            service="services",
            reason=f"{path} cannot be used ({reason}); run Keepsake as the user who owns it, or set"
            " KEEPSAKE_HOME to a folder of your own",
            log=self.logs,
        )
