from __future__ import annotations

import base64
import hmac
import json
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.api.auth.sessions import SESSION_LENGTH, BrowserSession, SessionSealer, session_end
from memory.errors import NotSignedIn

NOW = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
SESSIONS = SessionSealer(b"k" * 32, "token")
SESSION = BrowserSession("ada", NOW, uuid4())
MOMENTS = st.integers(1_600_000_000, 4_000_000_000).map(lambda at: datetime.fromtimestamp(at, UTC))


@given(
    st.builds(
        BrowserSession,
        st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=255),
        MOMENTS,
        st.none() | st.uuids(),
    )
)
def test_a_session_comes_back_as_it_was(session: BrowserSession) -> None:
    sealed = SESSIONS.seal(session)
    assert SESSIONS.open(sealed) == session
    assert len(sealed) < 3000
    assert set(sealed) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.")


@given(st.data())
def test_a_session_that_was_touched_anywhere_is_a_forgery(data: st.DataObject) -> None:
    sealed = SESSIONS.seal(SESSION)
    at = data.draw(st.integers(0, len(sealed) - 1))
    other = data.draw(st.characters(codec="latin-1").filter(lambda each: each != sealed[at]))
    with pytest.raises(NotSignedIn):
        SESSIONS.open(sealed[:at] + other + sealed[at + 1 :])


@given(st.text(st.characters(codec="latin-1")))
def test_nothing_else_opens(text: str) -> None:
    with pytest.raises(NotSignedIn):
        SESSIONS.open(text)


@pytest.mark.parametrize("cut", [".", "", "=", ".x"])
def test_nothing_is_added_or_left_out(cut: str) -> None:
    sealed = SESSIONS.seal(SESSION)
    for forged in (sealed + (cut or "A"), sealed[:-1], sealed.partition(".")[0] + cut):
        with pytest.raises(NotSignedIn):
            SESSIONS.open(forged)


def test_another_user_cannot_be_written_into_it() -> None:
    said, _, mark = SESSIONS.seal(SESSION).partition(".")
    fields = json.loads(base64.urlsafe_b64decode(said + "=" * (-len(said) % 4)))
    fields[0] = "eve"
    forged = base64.urlsafe_b64encode(json.dumps(fields).encode()).decode().rstrip("=")
    with pytest.raises(NotSignedIn):
        SESSIONS.open(f"{forged}.{mark}")


def test_a_session_of_an_earlier_program_is_good_no_more() -> None:
    """Which knew of no id by which one could be ended."""
    key = hmac.digest(b"k" * 32, b"session:token", "sha256")
    said = base64.urlsafe_b64encode(json.dumps(["ada", 4_000_000_000, None]).encode()).rstrip(b"=")
    mark = base64.urlsafe_b64encode(hmac.digest(key, said, "sha256")).rstrip(b"=")
    with pytest.raises(NotSignedIn):
        SESSIONS.open(f"{said.decode()}.{mark.decode()}")


@pytest.mark.parametrize(
    "other", [SessionSealer(b"x" * 32, "token"), SessionSealer(b"k" * 32, "jwt")]
)
def test_another_installations_or_modes_session_is_a_forgery(other: SessionSealer) -> None:
    with pytest.raises(NotSignedIn):
        SESSIONS.open(other.seal(SESSION))


@given(MOMENTS, st.none() | MOMENTS)
def test_it_ends_in_twelve_hours_and_with_its_credential(
    now: datetime, ends: datetime | None
) -> None:
    until = session_end(now, ends)
    assert until <= now + SESSION_LENGTH
    assert ends is None or until <= ends
    if ends is None or ends > now + SESSION_LENGTH:
        assert until == now + timedelta(hours=12)


def test_the_key_is_not_shown() -> None:
    assert "kkk" not in repr(vars(SESSIONS)["_key"])
    assert "kkk" not in repr(SESSIONS)
