"""How people ask what is kept of them."""

from __future__ import annotations

from agent.plain_words.fragments import ABOUT, ME, YOU_HAVE_KEPT
from agent.plain_words.fragments_showing import (
    ABOUT_ME,
    ALL,
    DO_YOU,
    HAVE_YOU,
    IN_MEMORY,
    KEPT,
    KNOW,
    MY,
    SHOW,
    SO_FAR,
    STILL,
    WHAT,
)
from agent.plain_words.rules import rule

LISTING = (
    rule(
        "list",
        rf"{WHAT} {DO_YOU} (?:remember|recall|have {KEPT}|keep|have {IN_MEMORY})"
        rf"{ABOUT_ME}?(?: {IN_MEMORY})?{SO_FAR}",
        rf"{WHAT} {DO_YOU} (?:know|have)(?: {KEPT})?{ABOUT_ME}(?: {IN_MEMORY})?{SO_FAR}",
        rf"{WHAT} {HAVE_YOU} (?:got )?(?:{KEPT}|memori[sz]ed)(?: (?:down|up))?{ABOUT_ME}?"
        rf"(?: {IN_MEMORY}| from our (?:chats|conversations))?{SO_FAR}",
        rf"{WHAT} {HAVE_YOU} (?:got|learned|learnt|picked up|gathered"
        rf"|collected)(?: {IN_MEMORY})?"
        rf"{ABOUT_ME}{SO_FAR}",
        rf"(?:what|which) memories (?:do you have|have you (?:got|kept|saved|stored)"
        rf"|are (?:stored|saved"
        rf"|there|in there)|exist)(?: {KEPT})?{ABOUT_ME}?{SO_FAR}",
        rf"how (?:much|many (?:memories|things|facts)) (?:do you (?:remember|know|have|keep)"
        rf"|have you {KEPT})(?: stored)?{ABOUT_ME}{SO_FAR}",
        rf"how (?:many memories do you have|many things do you remember|much do you remember)"
        rf"(?: stored| saved)?{SO_FAR}",
        rf"what(?:'?s| is|s| all is| else is) (?:currently )?(?:(?:saved|stored|kept|remembered"
        rf"|recorded"
        rf"|noted|pinned|on file)(?: {IN_MEMORY})?|{IN_MEMORY}){ABOUT_ME}?{SO_FAR}",
        rf"what(?:'?s| is) {ALL} (?:that )?{KNOW}{ABOUT_ME}{SO_FAR}|what are my memories",
        r"what(?: things| memories)? (?:are|have i|did i) (?:pinned|pin)",
        rf"what (?:have i|did i)(?: ever)? (?:ask|asked|tell|told) you to (?:remember|keep|save"
        rf"|note)"
        rf"{SO_FAR}",
        rf"what have i told you(?: {ABOUT} {ME})?{SO_FAR}",
        rf"(?:do you (?:remember|know|have)|have you (?:{KEPT}|got)) (?:anything|any memories"
        rf"|something"
        rf"|any facts|stuff|things)(?: {KEPT})?{ABOUT_ME}(?: {IN_MEMORY})?{SO_FAR}",
        rf"do you remember anything(?: at all)?{SO_FAR}|do you have any memories{SO_FAR}",
        rf"is (?:there )?anything (?:saved|stored|kept|remembered"
        rf"|in (?:your )?memory){ABOUT_ME}?{SO_FAR}",
        r"what can you tell me about myself|tell me about myself",
        leave=True,
    ),
    rule(
        "list",
        rf"{SHOW} {MY}(?:memory|memories|remembered facts|memory (?:list|items|entries"
        rf"|contents?))"
        rf"(?: (?:you have|there are|stored|saved|in store|you've got"
        rf"|you keep))?{ABOUT_ME}?{SO_FAR}",
        rf"{SHOW} {ALL} (?:that )?{KNOW}{ABOUT_ME}(?: {IN_MEMORY})?{SO_FAR}",
        rf"{SHOW} {ALL} (?:that )?(?:you{STILL} (?:remember|recall)|{YOU_HAVE_KEPT})"
        rf"(?: {IN_MEMORY})?{SO_FAR}",
        rf"{SHOW} {ALL} (?:that is |that's |is )?(?:{IN_MEMORY}|pinned|(?:saved|stored"
        rf"|remembered)"
        rf"(?: {IN_MEMORY})?){SO_FAR}",
        rf"{ALL} (?:that )?{KNOW}{ABOUT_ME}{SO_FAR}",
        r"(?:i want|i need|i(?:'?d| would) like) (?:an? |the )?(?:list|summary|overview) of "
        rf"{MY}(?:memory|memories)",
        rf"{WHAT} {DO_YOU} (?:remember|know|recall) (?:from|of) (?:our|my|the|previous|past"
        rf"|earlier|all"
        r"| )+(?:chats?|conversations?|talks?|sessions?|discussions?)",
        rf"{WHAT} (?:do you think you know|do you hold|are you (?:remembering|keeping|storing)"
        rf"|are you holding|is there){ABOUT_ME}",
        r"tell me about (?:the|all the) things (?:that )?you (?:remember|know about me)",
        rf"(?:show|list)(?: me)? what you know|show(?: me)? what'?s {IN_MEMORY}",
        r"(?:show|list)(?: me)? (?:everything|all) you know",
        rf"{SHOW} what(?:'?s| is) (?:{IN_MEMORY}|saved|stored|pinned"
        rf"|remembered){ABOUT_ME}?{SO_FAR}",
        r"(?:list|show)(?: me)? (?:everything|all|them all|all of (?:it|them)|the list)",
        r"(?:my|all|all my|all the) memories|memory (?:list|summary|overview)",
        rf"(?:give me |show me |i want )?(?:an? |the )?(?:list|summary|overview|recap|rundown) of "
        rf"(?:{MY}(?:memory|memories)|{ALL} (?:that )?{KNOW}{ABOUT_ME}"
        rf"|what you remember){SO_FAR}",
        leave=True,
    ),
)
