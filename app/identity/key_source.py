"""Where an identity provider's keys are had from, and how long they are good for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection
from pathlib import Path
from time import monotonic
from typing import Protocol

import httpx2
import structlog
from jwt import PyJWK

from app.identity.signing_keys import MAX_BYTES, SigningKeys, read_signing_keys
from memory.errors import SigningKeysUnavailable

FETCH_TIMEOUT = 5.0
# A key that the provider took back is believed this long.
FRESH_SECONDS = 600.0
# And this long where the provider cannot be asked.
USABLE_SECONDS = 24 * 3600.0
# A token may name any key, and each unknown one is a reason to ask: never more often than this.
PAUSE_SECONDS = 10.0
_log = structlog.get_logger(__name__)


class Fetcher(Protocol):
    async def fetch(self) -> bytes:
        """A JWK set. Raises OSError, ValueError, and what an HTTP client does."""
        ...

    async def aclose(self) -> None: ...


class KeySource(Protocol):
    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None: ...

    async def aclose(self) -> None: ...


class CachedKeys:
    """Keys that are fetched anew, by a task of its own, when they are no longer fresh or a token
    names one that is not among them."""

    def __init__(
        self, fetcher: Fetcher, algorithms: Collection[str], clock: Callable[[], float] = monotonic
    ) -> None:
        self._fetcher = fetcher
        self._algorithms = tuple(algorithms)
        self._clock = clock
        self._keys: SigningKeys | None = None
        self._fetched_at = 0.0
        self._tried_at: float | None = None
        self._failure = "not asked yet"
        self._task: asyncio.Task[None] | None = None

    async def key(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        """None for a key that the provider does not have. Raises SigningKeysUnavailable where it
        cannot be asked, and was not for a day."""
        found = self._named(key_id, algorithm)
        if found is None or self._age() > FRESH_SECONDS:
            self._refresh()
        if found is None and self._task is not None:
            await asyncio.wait({self._task})
            found = self._named(key_id, algorithm)
        if self._keys is None or self._age() > USABLE_SECONDS:
            raise SigningKeysUnavailable(reason=self._failure)
        return found

    async def aclose(self) -> None:
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait({self._task})
        await self._fetcher.aclose()

    def _named(self, key_id: str | None, algorithm: str) -> PyJWK | None:
        if self._keys is None or self._age() > USABLE_SECONDS:
            return None
        return self._keys.named(key_id, algorithm)

    def _age(self) -> float:
        return self._clock() - self._fetched_at

    def _refresh(self) -> None:
        """Begins one, unless one is under way or was a moment ago."""
        if self._task is not None and not self._task.done():
            return
        now = self._clock()
        if self._tried_at is None or now >= self._tried_at + PAUSE_SECONDS:
            self._tried_at = now
            self._task = asyncio.create_task(self._fetch_keys(), name="signing keys")

    async def _fetch_keys(self) -> None:
        try:
            async with asyncio.timeout(FETCH_TIMEOUT):
                content = await self._fetcher.fetch()
            self._keys = await asyncio.to_thread(read_signing_keys, content, self._algorithms)
            self._fetched_at = self._clock()
        except TimeoutError:
            self._fail("no answer in time")
        except (OSError, httpx2.HTTPError) as error:
            self._fail(type(error).__name__)
        except ValueError as error:
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        self._failure = reason
        _log.warning("signing_keys_not_fetched", reason=reason)


class UrlFetcher:
    """From this URL alone: no redirect is followed, and no more is read than keys can be."""

    def __init__(self, url: str, transport: httpx2.AsyncBaseTransport | None = None) -> None:
        self._url = url
        self._client = httpx2.AsyncClient(
            timeout=FETCH_TIMEOUT, follow_redirects=False, transport=transport
        )

    async def fetch(self) -> bytes:
        content = b""
        async with self._client.stream("GET", self._url) as answer:
            if answer.status_code != httpx2.codes.OK:
                raise ValueError(f"the answer was {answer.status_code}")
            async for part in answer.aiter_bytes():
                content += part
                if len(content) > MAX_BYTES:
                    raise ValueError("it is too long")
        return content

    async def aclose(self) -> None:
        await self._client.aclose()


class FileFetcher:
    def __init__(self, path: Path) -> None:
        self._path = path

    async def fetch(self) -> bytes:
        return await asyncio.to_thread(self._path.read_bytes)

    async def aclose(self) -> None:
        pass
