"""Answers of models that are not what was asked for, and what can still be made of them."""

from __future__ import annotations

import json
from typing import Any

TEXT = "I moved to Bergen last week. My sister Maria is a paramedic."
MOVED: dict[str, Any] = {
    "text": "I moved to Bergen last week.",
    "kind": "update",
    "category": "identity",
    "bank": "Personal",
    "lifetime": "long",
    "confidence": 0.95,
    "alone": True,
    "relation": "new",
    "memories": [],
}
MARIA = MOVED | {
    "text": "My sister Maria is a paramedic.",
    "kind": "fact",
    "category": "relationship",
    "bank": "Relationships",
}
WHOLE = json.dumps({"segments": [MOVED, MARIA]})


def answer(*segments: dict[str, Any]) -> str:
    return json.dumps({"segments": segments})


# From each both segments can be had.
UNDERSTOOD = {
    "as asked": WHOLE,
    "code fence": f"```json\n{WHOLE}\n```",
    "a fence that is never closed": f"```\n{WHOLE}",
    "think block": f"<think>Is [this] one? {{maybe}}</think>\n{WHOLE}",
    "think block that was not opened": f"Is this one? {{}}</think>{WHOLE}",
    "think block with a draft": f"<think>{answer(MARIA)}</think>{WHOLE}",
    "a leading sentence": f"Sure! Here are the segments [2]:\n{WHOLE}",
    "a sentence behind": f"{WHOLE}\n\nI hope that helps {{:-)}}",
    "a draft before": f"{answer(MARIA)}\nNo, better:\n{WHOLE}",
    "trailing commas": WHOLE.replace("}]", "},]").replace("}, {", ",}, {").replace("]}", "],}"),
    "a list": json.dumps([MOVED, MARIA]),
    "one object after the other": f"{json.dumps(MOVED)}\n{json.dumps(MARIA)}",
    "values of Python": WHOLE.replace("true", "True").replace("0.95", "None"),
    "line ends in strings": WHOLE.replace("to Bergen", "to\nBergen"),
    "cut off behind the last segment": WHOLE[:-2],
    "members that nobody asked for": answer(MOVED | {"user_id": "x", "pin": True}, MARIA),
    "confidence in words": answer(MOVED | {"confidence": "90%"}, MARIA | {"confidence": "high"}),
    "confidence that is none": WHOLE.replace("0.95", "NaN"),
    "other capitals and marks": answer(
        MOVED | {"text": "i moved to bergen   last week", "kind": "UPDATE"}, MARIA
    ),
    "values of no set": answer(
        MOVED | {"category": "gossip", "lifetime": None, "bank": 7, "alone": "yes"}, MARIA
    ),
    "missing members": answer({"text": MOVED["text"], "kind": "update"}, MARIA),
    "a relation of no set": answer(MOVED | {"relation": "erase", "memories": "m1"}, MARIA),
    "junk among the segments": json.dumps({"segments": [MOVED, None, 3, {"kind": "fact"}, MARIA]}),
    "the same twice": answer(MOVED, MARIA, MOVED),
}

# Nothing can be made of these.
REFUSED = {
    "prose": "I found nothing.",
    "nothing": "",
    "an empty list": "[]",
    "no segments": '{"segments": []}',
    "another schema": '{"facts": [{"fact_text": "I moved"}]}',
    "cut off in the first": '{"segments": [{"text": "I moved to Ber',
    "invented texts": answer(MOVED | {"text": "User lives in Bergen"}),
    "within a word": answer(MOVED | {"text": "aria"}),
    "no kind": answer(MOVED | {"kind": "rumour"}),
    "a text that is none": answer(MOVED | {"text": " . "}, MOVED | {"text": 7}),
    "brackets without end": "[" * 50_000,
    "braces without end": '{"a":' * 20_000,
    "quotes without end": '"' * 50_001,
    "a long text": answer(MOVED | {"text": "I " * 40_000}),
}
