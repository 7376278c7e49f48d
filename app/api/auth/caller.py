"""Who sent a request, where it comes from, and by which name it calls this server."""

from __future__ import annotations

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Literal, Protocol, TypeAlias
from uuid import UUID

from pydantic import TypeAdapter, ValidationError
from starlette.requests import HTTPConnection

from memory.errors import NotSignedIn
from memory.types import UserId

AuthMode = Literal["local", "token", "jwt", "proxy"]


@dataclass(frozen=True)
class Caller:
    """`by_cookie` says that the browser sent the credential by itself, so that a page of another
    site could have made it do so; `key_id` names the API key, where it was one."""

    user_id: str
    by_cookie: bool = False
    key_id: UUID | None = None


class Identifier(Protocol):
    """One of the modes of AUTH_MODE."""

    async def identify(self, connection: HTTPConnection) -> Caller:
        """Raises NotSignedIn for a credential that is missing, wrong, revoked or expired: the
        answer is the same for each."""
        ...


_USER = TypeAdapter(UserId)


def parse_user_name(told: object) -> str:
    """The name as it is, never mended: two credentials whose names look alike are two users.
    Raises NotSignedIn for what is no text of printable characters, begins or ends with a space, is
    longer than a name may be, or stands for nobody (“-”)."""
    try:
        name = _USER.validate_python(told, strict=True)
    except ValidationError:
        raise NotSignedIn from None
    if name != name.strip():
        raise NotSignedIn
    return name


Address: TypeAlias = IPv4Address | IPv6Address

LOCAL_NAME = "localhost"
# What one household or attacker has of IPv6 is a /64 at least.
_V6_PREFIX = 64
_HOST = re.compile(
    r"(?P<name>[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9_])?|\[[0-9a-f:.]{2,45}\])(?::(?P<port>[0-9]{1,5}))?",
    re.IGNORECASE | re.ASCII,
)


def parse_address(text: str) -> Address | None:
    """None for what is no IP address. An IPv4 address inside an IPv6 one is the IPv4 address."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, IPv6Address) else None
    return mapped or address


def peer_of(connection: HTTPConnection) -> Address | None:
    """Who is at the other end of the TCP connection; no header has a say in it."""
    return parse_address(connection.client.host) if connection.client else None


def network_of(peer: Address | None) -> str:
    """What counts as one peer where attempts are counted: an IPv4 address, or an IPv6 /64."""
    if isinstance(peer, IPv6Address):
        return str(ip_network((int(peer), _V6_PREFIX), strict=False))
    return str(peer)


def parse_host(header: str) -> tuple[str, int | None] | None:
    """Name in lower case and port of a Host header; None where it is not a host and a port."""
    found = _HOST.fullmatch(header)
    if found is None:
        return None
    port = None if found["port"] is None else int(found["port"])
    if port is not None and port > 65_535:  # noqa: PLR2004
        return None
    return found["name"].lower(), port


def requested_host(connection: HTTPConnection) -> tuple[str, int | None] | None:
    """What the one Host header of a request says; None where there is none, or several."""
    given = connection.headers.getlist("host")
    return parse_host(given[0]) if len(given) == 1 else None


def is_loopback_name(name: str) -> bool:
    """ "localhost", or a loopback address as it stands in a URL: no name that a foreign DNS server
    could let point here."""
    if name == LOCAL_NAME:
        return True
    address = parse_address(name.removeprefix("[").removesuffix("]"))
    return address is not None and address.is_loopback
