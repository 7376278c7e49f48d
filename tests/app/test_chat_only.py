"""The program with a server that only chats: its memory is made on this machine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from memory.config import LOCAL_MODEL
from tests.app.chat_only import CHAT, EMBEDDINGS, ChatOnly, chat_only
from tests.app.program import MakeProgram, Program

pytestmark = pytest.mark.usefixtures("home")

KEPT = "Please remember that I own a red kayak.\n"
# Not a word of it stands in the memory: it is found by its meaning.
ASKED = "Which boat is mine?\n"


@pytest.fixture
def server() -> Iterator[ChatOnly]:
    with chat_only() as server:
        yield server


def with_server(make_program: MakeProgram, server: ChatOnly, **settings: str) -> Program:
    """Many servers of one's own want a key, and take any."""
    own = server.settings | {"OPENAI_API_KEY": "any"}
    return make_program(KEEPSAKE_USER="ada", **own, **settings)


def without_server(make_program: MakeProgram) -> Program:
    return make_program(KEEPSAKE_USER="ada")


def test_what_is_told_with_it_is_recalled_with_and_without_it(
    make_program: MakeProgram, server: ChatOnly
) -> None:
    told = with_server(make_program, server).run("chat", said=KEPT + ASKED, code=0)
    assert "I own a red kayak" in told.stdout.partition("\n")[2]
    assert "degraded" not in told.stdout + told.stderr
    assert set(server.asked) == {CHAT}
    assert (
        "I own a red kayak" in without_server(make_program).run("chat", said=ASKED, code=0).stdout
    )


def test_a_folder_for_a_model_that_made_no_vector_starts_with_another(
    make_program: MakeProgram, server: ChatOnly
) -> None:
    with_server(make_program, server, EMBEDDING_MODEL="text-embedding-3-small").run(
        "chat", said=KEPT, code=0
    )
    assert EMBEDDINGS in server.asked
    alone = without_server(make_program)
    assert "I own a red kayak" in alone.run("chat", said="Do I own a kayak?\n", code=0).stdout
    assert "I own a red kayak" in alone.run("chat", said=ASKED, code=0).stdout


def test_a_folder_with_some_vectors_of_a_server_is_brought_back(
    make_program: MakeProgram, server: ChatOnly
) -> None:
    server.dimensions = 1536
    program = with_server(make_program, server, EMBEDDING_MODEL="text-embedding-3-small")
    program.run("chat", said="Please remember that I live in Oslo.\n", code=0)
    server.dimensions = None
    program.run("chat", said=KEPT, code=0)

    alone = without_server(make_program)
    refused = alone.run("chat", said=ASKED, code=1).stderr
    assert f"python -m app reembed --model {LOCAL_MODEL}" in refused
    assert f"everything is of {LOCAL_MODEL}" in alone.run("reembed", code=0).stdout
    answer = alone.run("chat", said=f"{ASKED}Which city is my home?\n", code=0).stdout
    assert "I own a red kayak" in answer
    assert "I live in Oslo" in answer
