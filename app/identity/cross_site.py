"""What is asked of every caller, whatever the mode."""

from __future__ import annotations

from starlette.requests import HTTPConnection

from app.identity.caller import Caller, Identifier
from app.identity.crossing import refuse_cross_site


class GuardedIdentifier:
    """Finds out who asks; where the browser sent the credential by itself, only for what our own
    page had it send."""

    def __init__(self, inner: Identifier) -> None:
        self._inner = inner

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises CrossSite, and what the mode's own identifier does."""
        caller = await self._inner.identify(connection)
        if caller.by_cookie:
            refuse_cross_site(connection)
        return caller
