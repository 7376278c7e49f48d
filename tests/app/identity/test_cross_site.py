from __future__ import annotations

import pytest

from app.api.auth.sessions import refuse_cross_site
from memory.errors import CrossSite
from tests.app.identity.connections import connection

UNSAFE = ["POST", "PUT", "PATCH", "DELETE"]


@pytest.mark.parametrize("method", [*UNSAFE, "GET"])
@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("Sec-Fetch-Site", "same-origin")],
        [("Sec-Fetch-Site", "none")],
        [("Origin", "http://localhost:8765")],
        [("Origin", "https://localhost:8765")],
        # A proxy in front may call the server by another name than the browser does.
        [("Sec-Fetch-Site", "same-origin"), ("Origin", "https://notes.example.org")],
    ],
    ids=str,
)
def test_takes_what_our_own_page_or_a_program_sends(
    method: str, headers: list[tuple[str, str]]
) -> None:
    refuse_cross_site(connection(*headers, method=method))


@pytest.mark.parametrize("method", [*UNSAFE, "GET"])
@pytest.mark.parametrize(
    "headers",
    [
        [("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "same-site")],
        [("Sec-Fetch-Site", "")],
        [("Sec-Fetch-Site", "same-origin"), ("Sec-Fetch-Site", "cross-site")],
        [("Sec-Fetch-Site", "cross-site"), ("Origin", "http://localhost:8765")],
        [("Origin", "https://evil.example")],
        [("Origin", "null")],
        [("Origin", "")],
        [("Origin", "http://localhost:9999")],
        [("Origin", "http://localhost")],
        [("Origin", "http://localhost:8765.evil.example")],
        [("Origin", "http://localhost:8765@evil.example")],
        [("Origin", "http://evil.example/localhost:8765")],
        [("Origin", "http://localhost:8765/")],
        [("Origin", "http://localhost:8765 http://evil.example")],
        [("Origin", "chrome-extension://localhost:8765")],
        [("Origin", "http://[::1")],
        [("Origin", "http://localhost:8765"), ("Origin", "https://evil.example")],
    ],
    ids=str,
)
def test_refuses_what_another_origins_page_sends(
    method: str, headers: list[tuple[str, str]]
) -> None:
    with pytest.raises(CrossSite):
        refuse_cross_site(connection(*headers, method=method))


@pytest.mark.parametrize(
    ("origin", "host"),
    [
        ("https://notes.example.org", "notes.example.org"),
        ("https://notes.example.org", "notes.example.org:443"),
        ("https://notes.example.org:443", "notes.example.org"),
        ("http://[::1]:8765", "[::1]:8765"),
    ],
)
def test_an_origin_without_a_port_has_that_of_its_scheme(origin: str, host: str) -> None:
    refuse_cross_site(connection(("Origin", origin), method="POST", host=host))


LINK = [
    ("Sec-Fetch-Site", "cross-site"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Dest", "document"),
]


def test_a_link_that_is_followed_reads_but_changes_nothing() -> None:
    refuse_cross_site(connection(*LINK, method="GET"))
    with pytest.raises(CrossSite):
        refuse_cross_site(connection(*LINK, method="POST"))


def test_a_frame_is_no_link() -> None:
    framed = [*LINK[:2], ("Sec-Fetch-Dest", "iframe")]
    with pytest.raises(CrossSite):
        refuse_cross_site(connection(*framed, method="GET"))


@pytest.mark.parametrize("host", [None, "", "localhost:8765, evil.example"])
def test_without_a_host_no_origin_is_ours(host: str | None) -> None:
    with pytest.raises(CrossSite):
        refuse_cross_site(connection(("Origin", "http://localhost:8765"), method="POST", host=host))
