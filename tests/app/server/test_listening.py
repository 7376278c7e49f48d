from __future__ import annotations

import socket
from contextlib import closing

import pytest

from app.api.server import open_listener, url_of
from memory.config import Settings
from memory.errors import CannotListen


def at(settings: Settings, host: str, port: int = 0) -> Settings:
    return settings.model_copy(update={"serve_host": host, "serve_port": port})


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
async def test_a_free_port_is_taken_and_told(settings: Settings, host: str) -> None:
    with closing(await open_listener(at(settings, host))) as listener:
        port = listener.getsockname()[1]
        assert url_of(listener) in (f"http://127.0.0.1:{port}", f"http://[::1]:{port}")
        with socket.create_connection((listener.getsockname()[0], port), timeout=30):
            pass


async def test_a_connection_sends_what_it_has_without_waiting(settings: Settings) -> None:
    with closing(await open_listener(at(settings, "127.0.0.1"))) as listener:
        with socket.create_connection(listener.getsockname(), timeout=30):
            connection, _ = listener.accept()
        with connection:
            assert connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_every_address_is_told_as_one_that_can_be_opened(settings: Settings) -> None:
    with closing(await open_listener(at(settings, "0.0.0.0"))) as listener:
        assert url_of(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}"


async def test_a_port_that_is_taken_is_one_clear_sentence(settings: Settings) -> None:
    with closing(await open_listener(at(settings, "127.0.0.1"))) as listener:
        port = listener.getsockname()[1]
        with pytest.raises(CannotListen, match=f"127.0.0.1:{port}: another program is there"):
            await open_listener(at(settings, "127.0.0.1", port))


@pytest.mark.parametrize("host", ["no host", "192.0.2.1"])
async def test_an_address_that_is_not_here_is_said_so(settings: Settings, host: str) -> None:
    with pytest.raises(CannotListen, match=r"not known|no such address"):
        await open_listener(at(settings, host))
