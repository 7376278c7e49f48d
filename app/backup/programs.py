"""PostgreSQL's own programs, from the wheel of the embedded server."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from memory.embedded.wheels import postgres_folder
from memory.errors import ProgramFailed

ENDING_SECONDS = 10.0
SAID_CHARACTERS = 500
_PASSED_ON = ("PATH", "LANG", "HOME", "SSL_CERT_FILE", "SSL_CERT_DIR")


async def run_program(name: str, *words: str | Path, url: str | None = None) -> None:
    """Runs it to its end, against the database of `url` if any; one that is cancelled is ended with
    us, and the server takes back what it had begun. Raises ProgramFailed, with what it said."""
    program = await asyncio.to_thread(postgres_folder)
    bare, password = (None, None) if url is None else without_password(url)
    running = await asyncio.create_subprocess_exec(
        program / "bin" / name,
        *([] if bare is None else [f"--dbname={bare}"]),
        *words,
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
        env=_environment(password),
        start_new_session=True,  # Ctrl-C is for us
    )
    try:
        _, said = await running.communicate()
    except asyncio.CancelledError:
        await _end(running)
        raise
    if running.returncode != 0:
        words_said = said.decode(errors="replace").strip().splitlines() or ["it said nothing"]
        raise ProgramFailed(program=name, reason=words_said[0][:SAID_CHARACTERS])


def without_password(url: str) -> tuple[str, str | None]:
    """The URL as a list of processes may show it, and the password beside it."""
    parts = urlsplit(url)
    if parts.password is None:
        return url, None
    login = parts.netloc.rpartition("@")[0].partition(":")[0]
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit(parts._replace(netloc=f"{login}@{place}")), unquote(parts.password)


def _environment(password: str | None) -> dict[str, str]:
    passed = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
    own = {"PGAPPNAME": "keepsake backup", "PGCONNECT_TIMEOUT": "10", "LC_MESSAGES": "C"}
    return passed | own | ({} if password is None else {"PGPASSWORD": password})


async def _end(running: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        running.terminate()
    try:
        async with asyncio.timeout(ENDING_SECONDS):
            await running.wait()
    except TimeoutError:
        running.kill()
        await running.wait()
