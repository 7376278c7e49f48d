"""The address that the server is at: taken before anything is started, or refused in a sentence."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
from ipaddress import ip_address

from memory.errors import CannotListen
from memory.settings import Settings

BACKLOG = 1024
_REASONS = {
    errno.EADDRINUSE: "another program is there already",
    errno.EACCES: "this login may not listen there",
    errno.EADDRNOTAVAIL: "this machine has no such address",
}


async def listen(settings: Settings) -> socket.socket:
    """A socket that takes connections, which wait until they are answered. Whoever gets it closes
    it. Raises CannotListen."""
    host, port = settings.serve_host, settings.serve_port
    try:
        family, place = await _resolve(host, port)
        return _open(family, place)
    except OSError as error:
        reason = _REASONS.get(error.errno or 0) or os.strerror(error.errno or 0)
        if isinstance(error, socket.gaierror):
            reason = "its host name is not known"
        raise CannotListen(address=_spell(host, port), reason=reason) from error


def address_of(listener: socket.socket) -> str:
    """The URL of the page, as somebody on this machine opens it."""
    place, port = listener.getsockname()[:2]
    address = ip_address(place)
    if address.is_unspecified:  # every address of this machine, among them this
        address = ip_address("127.0.0.1" if address.version == 4 else "::1")  # noqa: PLR2004
    return f"http://{_spell(str(address), port)}"


def _open(family: socket.AddressFamily, place: tuple[str, int]) -> socket.socket:
    listener = socket.create_server(place, family=family, backlog=BACKLOG)
    # Connections have it from here, since asyncio sets it on those alone that name their protocol.
    # Without it the second part of an answer waits 40 ms for the client to say that it has the
    # first.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listener


async def _resolve(host: str, port: int) -> tuple[socket.AddressFamily, tuple[str, int]]:
    found = await asyncio.get_running_loop().getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    family, _, _, _, place = found[0]
    return family, (str(place[0]), port)


def _spell(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
