"""Text that gives orders is kept out of a recall: memory is data, never instructions.

The patterns look for the attempt to steer an assistant (to drop its rules, take
another role, hide something from the user, send secrets away, or forge the marks
of a conversation), not for imperatives as such: "always answer me in French" is
a preference and passes.
"""

from __future__ import annotations

import re
import unicodedata

# Characters without a shape of their own: Unicode's default ignorable code points.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff0-\ufff8\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_RULES = (
    r"(instructions?|orders?|commands?|rules?|guidelines?|prompts?|guardrails?|polic(?:y|ies)"
    r"|directions?)"
)
# "I forget all the rules of chess" and "I told Bob to …" are said of people, not to an assistant.
_NOT_OF_ONESELF = r"(?<!\bi )(?<!\bwe )(?<!\bi always )(?<!\bto )"
_DROP = rf"{_NOT_OF_ONESELF}\b(?:ignore|disregard|override|bypass|forget)\b"
_THOSE = (
    r"(?:your|all|any|every|each|previous|prior|above|earlier|preceding|system|safety|these|those"
    r"|existing|original)"
)
_ASSISTANT = r"(?:ai|assistant|language model|llm|chat ?bot|agent)"

_SPEAKER = r"(?:system|assistant|developer)\s*(?:message|prompt)?\s*:"
_SECRETS = (
    r"(api keys?|passwords?|credentials?|secrets?|private data|conversations?|memories"
    r"|chat history|personal (?:data|information))"
)

_ORDERS: dict[str, tuple[str, ...]] = {
    "drops the rules": (
        rf"{_DROP}(?:\W+\w+){{0,3}}?\W+{_THOSE}\b(?:\W+\w+){{0,3}}?\W+{_RULES}\b",
        rf"{_DROP}\W+(?:the\W+)?{_RULES}\W+(?:above|before|you)\b",
        rf"{_DROP}\W+(?:all|everything)(?:\W+of)?(?:\W+the)?\W+(?:above|you (?:were|are))\b",
        r"\bnew instructions?\s*:",
    ),
    "asks for the prompt": (
        (
            r"\b(reveal|print|show|repeat|output|leak|display)\b[^.]{0,40}"
            r"\b(system|developer|hidden|initial)\s+(prompt|message|instructions?)"
        ),
    ),
    "takes another role": (
        r"\byou are now (an?|the|in|no longer)\b",
        r"\bfrom now on,? you (are|must|will)\b",
        r"\bpretend (to be|that you are|you are) (an?|the)\b",
        r"\b(jailbroken|dan mode|developer mode)\b",
    ),
    "hides from the user": (
        (
            r"\b(do not|don't|never|without) (tell|inform|mention|warn|alert|ask|notify)\w*"
            r"( this| it)?( to)? the (user|human)\b"
        ),
    ),
    "sends secrets away": (
        (
            rf"{_NOT_OF_ONESELF}\b(send|forward|post|upload|exfiltrate|e-?mail|transmit|leak)\b"
            rf"[^.]{{0,60}}\b{_SECRETS}\b[^.]{{0,60}}(\bto\b|@|https?:)"
        ),
    ),
    "speaks to the model": (
        (
            r"\b(attention|note|message|instructions?|hey|dear) (to |for )?(the |any |all )?"
            rf"{_ASSISTANT}s?\b\s*[:,!-]"
        ),
        rf"\bif you are (an? |the )?{_ASSISTANT}\b",
        (
            rf"\bwhen(ever)? (you|the {_ASSISTANT}) "
            r"(reads?|sees?|process(es)?|recalls?|retrieves?) this\b"
        ),
    ),
    "calls a tool": (
        r"\b(call|invoke|execute|trigger) (the )?(query_memory|(remember|forget) tool)\b",
    ),
    "forges a mark": (
        r"<\|[a-z_]+\|>|\[/?inst\]|<</?sys>>",
        r"</?(system|assistant|developer|tool|memor(?:y|ies)|instructions?)\b[^>]{0,80}>",
        # Spaces but no line ends: over a run of empty lines \s* would take quadratic time.
        rf"\n[^\S\n]*(#+[^\S\n]*)?{_SPEAKER}",
        rf"^[^\S\n]*#+[^\S\n]*{_SPEAKER}",
        # "System: Debian 12" is a note; what speaks to somebody is not.
        (
            rf"^[^\S\n]*{_SPEAKER}\s*(you|ignore|do not|don't|never|always|from now|new|the user"
            r"|the assistant|override|reply|respond|answer|say|reveal|disregard|forget|obey|act)\b"
        ),
    ),
}
# One of these stands in every text that a kind can match; looking for them first is far cheaper.
_SIGNS: dict[str, tuple[str, ...]] = {
    "drops the rules": ("ignore", "disregard", "override", "bypass", "forget", "new instruction"),
    "asks for the prompt": ("system", "developer", "hidden", "initial"),
    "takes another role": ("you are now", "from now on", "pretend", "jailbroken", " mode"),
    "hides from the user": ("the user", "the human"),
    "sends secrets away": (
        *("api key", "password", "credential", "secret", "private data", "conversation"),
        *("memories", "chat history", "personal "),
    ),
    "calls a tool": ("query_memory", "remember tool", "forget tool"),
    "forges a mark": ("<", "inst]", "system", "assistant", "developer"),
}
_COMPILED = {why: re.compile("|".join(patterns)) for why, patterns in _ORDERS.items()}


def find_prompt_injection(text: str) -> str | None:
    """What kind of order the text gives to an assistant, or None where it gives none."""
    lines = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text)).casefold()
    in_one_line = re.sub(r"\s+", " ", lines)
    for why, pattern in _COMPILED.items():
        if why in _SIGNS and not any(sign in in_one_line for sign in _SIGNS[why]):
            continue
        # A forged mark begins a line; every other order may run over line ends.
        if pattern.search(lines if why == "forges a mark" else in_one_line):
            return why
    return None
