from __future__ import annotations

from app.api.auth.sessions import refuse_cross_site
from memory.errors import CrossSite
from tests.app.identity.connections import connection
from tests.tables import is_refused

METHODS = ("POST", "PUT", "PATCH", "DELETE", "GET")
OURS: tuple[list[tuple[str, str]], ...] = (
    [],
    [("Sec-Fetch-Site", "same-origin")],
    [("Sec-Fetch-Site", "none")],
    [("Origin", "http://localhost:8765")],
    [("Origin", "https://localhost:8765")],
    # A proxy in front may call the server by another name than the browser does.
    [("Sec-Fetch-Site", "same-origin"), ("Origin", "https://notes.example.org")],
)
OTHERS = (
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
)


def is_taken(
    headers: list[tuple[str, str]], method: str = "POST", host: str | None = "localhost:8765"
) -> bool:
    asked = connection(*headers, method=method, host=host)
    return not is_refused(CrossSite, refuse_cross_site, asked)


def test_takes_what_our_own_page_or_a_program_sends() -> None:
    asked = [(method, headers) for method in METHODS for headers in OURS]
    assert [each for each in asked if not is_taken(each[1], each[0])] == []


def test_refuses_what_another_origins_page_sends() -> None:
    asked = [(method, headers) for method in METHODS for headers in OTHERS]
    assert [each for each in asked if is_taken(each[1], each[0])] == []


def test_an_origin_without_a_port_has_that_of_its_scheme() -> None:
    same = (
        ("https://notes.example.org", "notes.example.org"),
        ("https://notes.example.org", "notes.example.org:443"),
        ("https://notes.example.org:443", "notes.example.org"),
        ("http://[::1]:8765", "[::1]:8765"),
    )
    refused = [each for each in same if not is_taken([("Origin", each[0])], host=each[1])]
    assert refused == []


LINK = [
    ("Sec-Fetch-Site", "cross-site"),
    ("Sec-Fetch-Mode", "navigate"),
    ("Sec-Fetch-Dest", "document"),
]


def test_a_link_that_is_followed_reads_but_changes_nothing() -> None:
    assert is_taken(LINK, "GET")
    assert not is_taken(LINK, "POST")


def test_a_frame_is_no_link() -> None:
    assert not is_taken([*LINK[:2], ("Sec-Fetch-Dest", "iframe")], "GET")


def test_without_a_host_no_origin_is_ours() -> None:
    hosts = (None, "", "localhost:8765, evil.example")
    ours = [("Origin", "http://localhost:8765")]
    assert [host for host in hosts if is_taken(ours, host=host)] == []
