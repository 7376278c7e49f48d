"""What people are told, in their language: the sentences are data, one file for each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from agent.wording.language import ENGLISH, Language
from memory.dates.periods import MONTHS
from memory.errors import KeepsakeError, SecretRefused
from memory.models import HeardAs

HERE = Path(__file__).parent
_DAY = re.compile(rf"\b(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})\b")


@dataclass(frozen=True)
class Wording:
    language: Language = ENGLISH

    def say(self, name: str, **fields: object) -> str:
        """The sentence of that name. Raises KeyError for one that there is not, and where a field
        is missing."""
        words = _words_in(self.language)
        return str(words["sentences"][name]).format(**words["phrases"], **fields)

    def counted(self, name: str, count: int) -> str:
        """ "1 memory", "2 memories"."""
        one, several = _words_in(self.language)["counted"][name]
        return str(one if count == 1 else several).format(count=count)

    def day(self, day: date) -> str:
        words = _words_in(self.language)
        return str(words["day"]).format(
            day=day.day, month=words["months"][day.month - 1], year=day.year
        )

    def secret(self, kind: str) -> str:
        """What a kind of secret is called."""
        return str(_words_in(self.language).get("secrets", {}).get(kind, kind))

    def heard(self, heard: HeardAs) -> str:
        """As what a memory was heard, and how sure that was."""
        words = _words_in(self.language)
        return self.say(
            "heard_as",
            kind=words["kinds"][heard.kind],
            category=words["categories"][heard.category],
            lifetime=words["lifetimes"][heard.lifetime],
            sure=f"{heard.sure:.0%}",
        )

    def error(self, error: KeepsakeError) -> str:
        """What went wrong; in English where nobody put it into the language."""
        words = _words_in(self.language)
        sentence = words.get("errors", {}).get(type(error).__name__)
        if sentence is None:
            return str(error)
        fields = {name: self.days_in(str(value)) for name, value in error.fields.items()}
        if isinstance(error, SecretRefused):
            fields["kind"] = self.secret(fields["kind"])
        return str(sentence).format(**words["phrases"], **fields)

    def days_in(self, told: str) -> str:
        """The same with its days, which Keepsake itself wrote in English, as the language has
        them."""
        return _DAY.sub(self._day_again, told) if self.language != ENGLISH else told

    def _day_again(self, found: re.Match[str]) -> str:
        return self.day(date(int(found[3]), MONTHS.index(found[2]) + 1, int(found[1])))


IN_ENGLISH = Wording()


@cache
def _words_in(language: Language) -> Mapping[str, Any]:
    words = tomllib.loads((HERE / f"{language}.toml").read_text(encoding="utf-8"))
    phrases = words["phrases"]
    phrases["how_to_answer"] = words["sentences"]["how_to_answer"].format(**phrases)
    return words
