"""What may be a place to live in, by its words. Pure, English."""

from __future__ import annotations

import re

_NO_PLACE = re.compile(
    r"^(?:an? |my |our |his |her |their |\d|fear|hope|peace|the (?:city|country|countryside|suburbs"
    r"|mountains|moment|past|present|middle|same|next|new|house|flat|coast|team|project|department"
    r"|cloud)\b|with\b|alone\b|together\b|home$|work$|it$|them$|this$|that$|one$|next\b|another\b)"
    r"|\b(?:team|department|project|group|apartment|flat|house|diet|plan|account|repo|database|db"
    r"|framework|library|app|stack|office|desk|server|version|branch)$"
)
# Tools that people "move to" as they do to towns.
_TOOL = re.compile(
    r"^(?:notion|obsidian|linux|ubuntu|debian|fedora|arch|macos|mac|windows|vim|neovim|emacs"
    r"|vs ?code"
    r"|github|gitlab|bitbucket|aws|azure|gcp|google \w+|python|rust|go|golang|kotlin|swift"
    r"|typescript"
    r"|javascript|java|slack|teams|discord|zoom|android|ios|iphone|firefox|chrome|safari|postgres"
    r"|postgresql|mysql|sqlite|mongodb|redis|kubernetes|docker|trello|jira|linear|asana|todoist"
    r"|evernote|onenote|spotify|netflix|protonmail|gmail|outlook|fastmail|dvorak|colemak|zsh|fish"
    r"|bash|decaf|tea|coffee|oat milk|management|sales|marketing|engineering|finance|hr|support)\b"
)
_COUNTRIES = (
    "norway sweden denmark finland iceland germany france spain portugal italy austria switzerland "
    "poland greece turkey ireland scotland wales england britain uk netherlands belgium luxembourg "
    "usa us america canada mexico brazil argentina chile peru colombia japan china india korea "
    "thailand vietnam indonesia malaysia philippines australia russia ukraine romania hungary "
    "czechia croatia serbia bulgaria estonia latvia lithuania egypt morocco kenya nigeria israel "
    "lebanon iran iraq pakistan bangladesh europe asia africa california texas florida bavaria "
    "scandinavia catalonia"
)
_WIDE = frozenset(_COUNTRIES.split())


def is_place(value: str) -> bool:
    """Whether one can live there: "Oslo" and "the Netherlands", but no "a flat" or "Obsidian"."""
    return bool(value) and not _NO_PLACE.search(value) and not _TOOL.match(value)


def may_contain(one: str, other: str) -> bool:
    """Whether one is a country and the other is not: "Oslo" may lie in "Norway"."""
    return (one.removeprefix("the ") in _WIDE) != (other.removeprefix("the ") in _WIDE)
