"""A worker of its own, to be killed or to stand still: `python -m tests.app.work.hanging_worker`
does jobs of the kind "hanging", and says "begun" of each and "ended" where it was ended, since it
never ends by itself. With the path of a file as argument it first holds the whole program up until
that file is there, and says "went on" then."""

from __future__ import annotations

import asyncio
import sys
import time
from datetime import timedelta
from pathlib import Path

from app.bootstrap import Keepsake, open_keepsake
from app.worker.jobs import JobKind
from app.worker.worker import WorkerTerms, run_jobs
from memory.config import Settings

LEASE = timedelta(seconds=1)


def _say(what: str) -> None:
    sys.stdout.write(f"{what}\n")
    sys.stdout.flush()


async def _hang(_keepsake: Keepsake, _user_id: str | None) -> None:
    _say("begun")
    for file in map(Path, sys.argv[1:]):
        while not file.exists():
            time.sleep(0.01)  # the whole program
        _say("went on")
    try:
        await asyncio.Event().wait()
    finally:
        _say("ended")


async def main() -> None:
    async with open_keepsake(Settings(), lambda _: None) as keepsake:
        await run_jobs(keepsake, WorkerTerms(lease=LEASE), [JobKind("hanging", _hang)])


if __name__ == "__main__":
    asyncio.run(main())
