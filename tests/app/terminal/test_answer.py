from __future__ import annotations

import io
import re

from rich.console import Console

from agent.conversations.state import EraseQuestion
from agent.turn.events import TextDelta, ToolCalled, TurnClosed
from app.terminal.answer import LiveAnswer, MarkdownBlock

_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


def _console(width: int = 60, height: int = 12, *, terminal: bool = False) -> Console:
    return Console(
        file=io.StringIO(), width=width, height=height, force_terminal=terminal, highlight=False
    )


def _written(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _answer(console: Console, *pieces: str) -> str:
    with LiveAnswer(console) as answer:
        answer.show(ToolCalled("query_memory"))
        for piece in pieces:
            answer.show(TextDelta(piece))
        answer.show(TurnClosed("complete", notices=("A notice.",)))
    return _written(console)


def test_blocks_stand_one_line_apart_and_notices_below() -> None:
    lines = _answer(_console(), "Some *words*.\n\n- one\n- two\n\n", "> quo", "te\n\nEnd.").split(
        "\n"
    )
    assert [line.rstrip() for line in lines if "thinking" not in line] == [
        "Some words.", "", " • one", " • two", "", "▌ quote", "", "End.", "A notice.", "",
    ]  # fmt: skip


def test_a_question_stands_below_word_for_word_whatever_the_answer_is() -> None:
    """Neither is anything of it drawn as markdown, nor can an answer swallow it."""
    console, text = _console(), "Shall I pin: “<!-- *tea* -->”?\n\nSay yes or no."
    with LiveAnswer(console) as answer:
        answer.show(TextDelta("Well.\n\n<!--"))
        answer.show(TurnClosed("complete", question=EraseQuestion(text=text)))
    assert text in "\n".join(line.rstrip() for line in _written(console).split("\n"))


def test_a_question_that_the_answer_has_is_not_asked_twice() -> None:
    console = _console()
    with LiveAnswer(console) as answer:
        answer.show(TextDelta("Shall I?"))
        question = EraseQuestion(text="Shall I?")
        answer.show(TurnClosed("complete", question=question, question_in_reply=True))
    assert _written(console).count("Shall I?") == 1


def test_an_answer_longer_than_the_screen_is_there_from_its_first_to_its_last_line() -> None:
    code = "".join(f"line_{n} = {n}\n" for n in range(300))
    console = _console(height=10, terminal=True)
    written = _ESCAPE.sub("", _answer(console, f"```python\n{code}", "```\n"))
    final = written[written.rindex("line_0 ") :]
    assert all(f"line_{n} = {n}" in final for n in range(300))


def test_while_it_is_written_no_more_is_drawn_than_fits() -> None:
    console = _console()
    console.print(MarkdownBlock("- x\n" * 500, rows=10))
    assert _written(console).count("\n") == 10


def test_nothing_in_an_answer_reaches_the_terminal_as_a_command() -> None:
    written = _answer(_console(), "a \x1b]0;title\x07b \x1b[2J c")
    assert "\x1b" not in written
    assert "\x07" not in written


def test_a_link_shows_where_it_leads() -> None:
    console = _console()
    console.print(MarkdownBlock("[bank](https://example.org/a)"))
    assert "https://example.org/a" in _written(console)


def test_an_answer_that_was_stopped_is_shown_as_far_as_it_went() -> None:
    console = _console()
    answer = LiveAnswer(console)
    answer.__enter__()
    answer.show(TextDelta("So far"))
    stopped = KeyboardInterrupt()
    answer.__exit__(type(stopped), stopped, None)
    assert _written(console).endswith("So far\n")


def test_a_quote_is_shown_to_the_letter() -> None:
    console = Console(file=io.StringIO(), width=80, force_terminal=False)
    said = "“the entry points are __init__.py and 2 * 3 * 4 <b>x</b> &amp;”"
    with LiveAnswer(console, verbatim=True) as answer:
        answer.show(TextDelta(said))
    assert said in _written(console)
