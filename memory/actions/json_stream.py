"""A JSON object that is larger than fits into memory, member by member. Reads a file, holds little
of it."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import Any, BinaryIO, NoReturn

from memory.errors import InvalidInput

# A memory of 8,192 characters with the sources of years is a tenth of it, and the objects that a
# hostile element of it makes stay below 100 MB.
MOST_ELEMENT_CHARS = 1_000_000
_CHUNK_BYTES = 1 << 18
_AFTER_VALUE = {*",:]} \t\r\n"}
_SPACES = re.compile(r"[ \t\r\n]*")
_WITHIN_TEXT = r'[^"\\]*+(?:\\.[^"\\]*+)*+'
_REST_OF_TEXT = re.compile(_WITHIN_TEXT, re.DOTALL)
_TO_A_SIGN = re.compile(rf'[^"\[\]{{}}]*+(?:"{_WITHIN_TEXT}"[^"\[\]{{}}]*+)*+', re.DOTALL)


def read_json_members(file: BinaryIO, wanted: Collection[str]) -> Iterator[tuple[str, Any]]:
    """Each member of the object in the file: its name and value; of a list each element by itself.
    Lists and objects that are not wanted are passed over.

    Raises InvalidInput for what is no such object, is nested too deeply, or has a value among the
    wanted of more than MOST_ELEMENT_CHARS characters.
    """
    text = _JsonReader(file)
    text.take("{")
    if text.sign() != "}":
        yield from _member(text, wanted)
        while text.sign() == ",":
            text.take(",")
            yield from _member(text, wanted)
    text.take("}")
    if text.sign():
        text.damaged()


def _member(text: _JsonReader, wanted: Collection[str]) -> Iterator[tuple[str, Any]]:
    name = text.value()
    if not isinstance(name, str):
        text.damaged()
    text.take(":")
    sign = text.sign()
    if sign in ("[", "{") and name not in wanted:
        text.skip_value()
    elif sign == "[":
        yield from ((name, element) for element in _elements(text))
    else:
        yield name, text.value()


def _elements(text: _JsonReader) -> Iterator[Any]:
    text.take("[")
    if text.sign() != "]":
        yield text.value()
        while text.sign() == ",":
            text.take(",")
            yield text.value()
    text.take("]")


class _JsonReader:
    """The stretch of a file that is being looked at; what was read before is let go."""

    def __init__(self, file: BinaryIO) -> None:
        file.seek(0)
        self._file = file
        self._decode = codecs.getincrementaldecoder("utf-8-sig")().decode
        self._json = json.JSONDecoder(parse_constant=_no_constant)
        self._text = ""
        self._at = 0
        self._ended = False

    def sign(self) -> str:
        """The next character that is no space; none at the end."""
        while True:
            match = _SPACES.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._at < len(self._text) or not self._more():
                return self._text[self._at : self._at + 1]

    def take(self, sign: str) -> None:
        if self.sign() != sign:
            self.damaged()
        self._at += 1

    def value(self) -> Any:
        """The value that begins here. A number of which not all was read, as "1." of "1.5", is one
        only where something else follows."""
        self.sign()
        while True:
            try:
                value, end = self._json.raw_decode(self._text, self._at)
            except RecursionError:
                raise InvalidInput(reason="That file is nested too deeply to be read.") from None
            except ValueError:
                if not self._more_of_value():
                    self.damaged()
            else:
                if self._text[end : end + 1] in _AFTER_VALUE or not self._more_of_value():
                    self._at = end
                    return value

    def skip_value(self) -> None:
        """Leaves the list or object that begins here behind, however long and deep it is."""
        depth = 0
        while True:
            match = _TO_A_SIGN.match(self._text, self._at)
            assert match is not None
            sign = self._text[match.end() : match.end() + 1]
            self._at = match.end() + len(sign)
            if not sign:
                self._need_more()
            elif sign == '"':  # a text of which not all was read
                self._pass_over_text()
            else:
                depth += 1 if sign in "[{" else -1
                if not depth:
                    return

    def damaged(self) -> NoReturn:
        raise InvalidInput(
            reason="That file begins like JSON, but it cannot be read as JSON. Export it again."
        )

    def _pass_over_text(self) -> None:
        while True:
            match = _REST_OF_TEXT.match(self._text, self._at)
            assert match is not None
            self._at = match.end()
            if self._text.startswith('"', self._at):
                self._at += 1
                return
            self._need_more()

    def _need_more(self) -> None:
        if not self._more():
            self.damaged()

    def _more_of_value(self) -> bool:
        if len(self._text) - self._at > MOST_ELEMENT_CHARS:
            raise InvalidInput(
                reason=f"A part of that file has more than {MOST_ELEMENT_CHARS:,} characters, or "
                "is no JSON. Export it again."
            )
        return self._more()

    def _more(self) -> bool:
        """Reads on, as much again as is there, so that a long value is not begun too often."""
        if self._ended:
            return False
        rest = self._text[self._at :]
        read = self._file.read(max(_CHUNK_BYTES, len(rest)))
        try:
            self._text = rest + self._decode(read, final=not read)
        except UnicodeDecodeError:
            raise InvalidInput(reason="That file is not UTF-8 text.") from None
        self._at, self._ended = 0, not read
        return True


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)
