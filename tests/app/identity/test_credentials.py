from __future__ import annotations

from datetime import UTC, datetime, timedelta
from uuid import UUID, uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import SecretStr
from structlog.testing import capture_logs

from app.api.auth.caller import Caller
from app.api.auth.credentials import (
    MAX_CREDENTIAL_CHARS,
    CredentialIdentifier,
    FailedAttempts,
    VerifiedCredential,
    parse_bearer,
)
from app.api.auth.sessions import COOKIE, PLAIN_COOKIE, BrowserSession, SessionSealer
from memory.errors import NotSignedIn, TooManyRequests
from tests.app.identity.connections import connection
from tests.tables import is_refused, is_refused_later

KEY = uuid4()
SESSIONS = SessionSealer(b"k" * 32, "token")
EVE = "203.0.113.7"


class OneKey:
    """A Verifier that knows one credential, until it is revoked."""

    def __init__(self) -> None:
        self.good = True
        self.asked = 0

    async def verify(self, credential: SecretStr) -> VerifiedCredential:
        self.asked += 1
        if not self.good or credential.get_secret_value() != "good":
            raise NotSignedIn
        return VerifiedCredential("ada", None, KEY)

    async def holds(self, session: BrowserSession) -> bool:
        return self.good and session.key_id == KEY

    async def aclose(self) -> None:
        pass


class Ended:
    """Which sessions were signed out, for this test."""

    def __init__(self) -> None:
        self.ids: set[UUID] = set()

    async def end(self, session_id: UUID, ends_at: datetime) -> None:
        self.ids.add(session_id)

    async def has_ended(self, session_id: UUID) -> bool:
        return session_id in self.ids


@pytest.fixture
def ended() -> Ended:
    return Ended()


@pytest.fixture
def key() -> OneKey:
    return OneKey()


@pytest.fixture
def identifier(key: OneKey, ended: Ended) -> CredentialIdentifier:
    return CredentialIdentifier(key, SESSIONS, ended, FailedAttempts(per_minute=3))


def bearer(credential: str) -> tuple[str, str]:
    return ("Authorization", f"Bearer {credential}")


def cookie(ends: timedelta = timedelta(hours=1), name: str = PLAIN_COOKIE) -> tuple[str, str]:
    session = BrowserSession("ada", datetime.now(UTC) + ends, KEY)
    return ("Cookie", f"{name}={SESSIONS.seal(session)}")


async def test_a_credential_says_who_asks(identifier: CredentialIdentifier) -> None:
    assert await identifier.identify(connection(bearer("good"))) == Caller("ada", key_id=KEY)


async def test_a_session_says_who_asks_and_that_a_browser_sent_it(
    identifier: CredentialIdentifier,
) -> None:
    asked = connection(cookie())
    assert await identifier.identify(asked) == Caller("ada", by_cookie=True, key_id=KEY)


async def test_a_session_is_as_good_as_its_key(
    identifier: CredentialIdentifier, key: OneKey
) -> None:
    key.good = False
    with pytest.raises(NotSignedIn):
        await identifier.identify(connection(cookie()))


async def test_a_session_that_has_ended(identifier: CredentialIdentifier) -> None:
    with pytest.raises(NotSignedIn):
        await identifier.identify(connection(cookie(-timedelta(seconds=1))))


async def test_a_session_that_was_signed_out(identifier: CredentialIdentifier) -> None:
    signed_in, other = connection(cookie()), connection(cookie())
    await identifier.end_session(signed_in)
    with pytest.raises(NotSignedIn):
        await identifier.identify(signed_in)
    assert (await identifier.identify(other)).user_id == "ada"


async def test_what_is_no_session_is_not_written_down(
    identifier: CredentialIdentifier, ended: Ended
) -> None:
    for asked in (connection(), connection(("Cookie", f"{PLAIN_COOKIE}=nothing.signed"))):
        await identifier.end_session(asked)
    assert ended.ids == set()


async def test_a_wrong_credential_is_not_made_good_by_a_session(
    identifier: CredentialIdentifier,
) -> None:
    with pytest.raises(NotSignedIn):
        await identifier.identify(connection(bearer("wrong"), cookie()))


async def test_the_password_of_a_proxy_is_no_credential(identifier: CredentialIdentifier) -> None:
    basic = ("Authorization", "Basic YWRhOmdvb2Q=")
    assert (await identifier.identify(connection(basic, cookie()))).by_cookie
    with pytest.raises(NotSignedIn):
        await identifier.identify(connection(basic))


async def test_nothing_is_read_from_the_url(identifier: CredentialIdentifier, key: OneKey) -> None:
    sealed = cookie()[1].partition("=")[2]
    for name in ("access_token", "token", "key", "api_key", "credential", "authorization"):
        with pytest.raises(NotSignedIn):
            await identifier.identify(connection(query=f"{name}=good&{PLAIN_COOKIE}={sealed}"))
    assert key.asked == 0


HTTPS = {"scheme": "https"}
NAMED = {"host": "notes.example.org"}


async def test_a_browser_is_known_by_the_cookie_that_fits_the_connection(
    identifier: CredentialIdentifier,
) -> None:
    fitting: tuple[tuple[str, dict[str, str]], ...] = (
        (PLAIN_COOKIE, {}),
        (COOKIE, NAMED),
        (COOKIE, HTTPS),
        (COOKIE, NAMED | {"peer": EVE}),
    )
    for name, sent in fitting:
        asked = connection(cookie(name=name), **sent)
        assert (await identifier.identify(asked)).user_id == "ada", (name, sent)


async def test_a_cookie_that_a_sister_site_could_set_is_read_on_this_machine_alone(
    identifier: CredentialIdentifier,
) -> None:
    taken = []
    for sent in (NAMED, HTTPS, {"peer": EVE}, HTTPS | NAMED):
        asked = connection(cookie(name=PLAIN_COOKIE), **sent)
        if not await is_refused_later(NotSignedIn, identifier.identify(asked)):
            taken.append(sent)
    assert taken == []


async def test_only_so_many_wrong_credentials_are_told_so(
    identifier: CredentialIdentifier,
) -> None:
    now = datetime.now(UTC)
    for _ in range(3):
        with pytest.raises(NotSignedIn):
            await identifier.identify(connection(bearer("wrong"), peer=EVE))
    with pytest.raises(TooManyRequests):
        await identifier.identify(connection(bearer("wrong"), peer=EVE))
    with pytest.raises(TooManyRequests):
        await identifier.begin_session(connection(peer=EVE), SecretStr("wrong"), now)
    with pytest.raises(NotSignedIn):
        await identifier.identify(connection(bearer("wrong")))


async def test_a_right_credential_passes_whatever_a_neighbour_tried(
    identifier: CredentialIdentifier,
) -> None:
    now = datetime.now(UTC)
    for _ in range(5):
        with pytest.raises((NotSignedIn, TooManyRequests)):
            await identifier.begin_session(connection(peer=EVE), SecretStr("wrong"), now)
    assert (await identifier.identify(connection(bearer("good"), peer=EVE))).user_id == "ada"
    session, _ = await identifier.begin_session(connection(peer=EVE), SecretStr("good"), now)
    assert session.user_id == "ada"


async def test_who_has_no_credential_or_a_stale_session_uses_up_nothing(
    identifier: CredentialIdentifier,
) -> None:
    """No guess makes a signature, and a browser sends its cookie again and again."""
    ended, forged = cookie(-timedelta(hours=1)), ("Cookie", f"{PLAIN_COOKIE}=x.y")
    for asked in (connection(), connection(ended), connection(forged)) * 5:
        with pytest.raises(NotSignedIn):
            await identifier.identify(asked)
    await identifier.identify(connection(bearer("good")))


async def test_signing_in_rightly_uses_up_nothing(identifier: CredentialIdentifier) -> None:
    now = datetime.now(UTC)
    for _ in range(5):
        session, sealed = await identifier.begin_session(connection(), SecretStr("good"), now)
        assert SESSIONS.open(sealed) == session
        assert session.expires_at == now.replace(microsecond=0) + timedelta(hours=12)


async def test_the_log_has_the_peer_and_never_the_credential(
    identifier: CredentialIdentifier,
) -> None:
    with capture_logs() as logs:
        for wrong in (bearer("hunter2"), ("Cookie", f"{COOKIE}=hunter2.y")):
            with pytest.raises(NotSignedIn):
                await identifier.identify(connection(wrong, peer=EVE))
    assert [entry["peer"] for entry in logs] == [EVE, EVE]
    assert "hunter2" not in str(logs)


def test_reads_a_bearer_credential() -> None:
    credentials = {
        "Bearer ks_abc": "ks_abc",
        "bearer ks_abc": "ks_abc",
        "BEARER   a.b-c_d~e+f/g==": "a.b-c_d~e+f/g==",
    }
    for header, credential in credentials.items():
        found = parse_bearer([header])
        assert found is not None, header
        assert found.get_secret_value() == credential
        assert credential not in repr(found)


def test_refuses_what_is_no_credential() -> None:
    unusable = (
        ["Bearer"],
        ["Bearer "],
        ["Bearer a b"],
        ["Bearer a,b"],
        ["Bearer =a"],
        ["Bearer å"],
        ["Bearer " + "a" * (MAX_CREDENTIAL_CHARS + 1)],
        ["Bearer a", "Bearer a"],
        ["Basic a", "Bearer a"],
    )
    taken = [given for given in unusable if not is_refused(NotSignedIn, parse_bearer, given)]
    assert taken == []


@given(st.lists(st.text(st.characters(codec="latin-1"), max_size=40), max_size=3))
def test_of_any_headers_there_is_one_credential_or_none(headers: list[str]) -> None:
    try:
        found = parse_bearer(headers)
    except NotSignedIn:
        return
    if found is not None:
        [header] = headers
        assert header.strip().endswith(found.get_secret_value())
        assert found.get_secret_value().isascii()
