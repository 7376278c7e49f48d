"""A program of its own, to be killed: `python -m tests.memory.embedded.client HOME` starts the
services, says their addresses, and stops when its input ends."""

from __future__ import annotations

import asyncio
import json
import sys
from dataclasses import asdict
from pathlib import Path

from memory.local_services.services import LocalServices


def _say(**fact: str) -> None:
    sys.stdout.write(json.dumps(fact) + "\n")
    sys.stdout.flush()


async def main() -> None:
    def progress(text: str) -> None:
        _say(progress=text)

    async with LocalServices(Path(sys.argv[1]), progress=progress) as addresses:
        _say(**asdict(addresses))
        await asyncio.to_thread(sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main())
