from __future__ import annotations

from pydantic import SecretStr

from agent.wording.wording import IN_ENGLISH
from app.terminal.header import header_lines
from memory.settings import Settings


def test_without_a_model_it_says_what_the_offline_assistant_is(settings: Settings) -> None:
    first, about, last = header_lines(settings, "anna")
    assert "you are anna" in first
    assert about == IN_ENGLISH.say("about_me")
    assert str(settings.keepsake_home) in last


def test_a_server_and_a_database_are_named_without_their_secrets(settings: Settings) -> None:
    plugged = settings.model_copy(
        update={
            "openai_api_key": SecretStr("sk-sekret"),
            "openai_base_url": "https://me:sekret@models.example.org/v1",
            "database_url": SecretStr("postgresql://me:sekret@db.example.org/keepsake"),
        }
    )
    text = "\n".join(header_lines(plugged, "anna"))
    assert "at models.example.org" in text
    assert "database keepsake at db.example.org" in text
    assert "sekret" not in text
