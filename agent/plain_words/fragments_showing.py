"""Pieces of the patterns that ask what is kept."""

from __future__ import annotations

from agent.plain_words.fragments import ME, YOU_HAVE_KEPT

STILL = r"(?: still| currently| actually| already| really| even| now)*"
SO_FAR = (
    r"(?: (?:so far|right now|at the moment|now|exactly|currently|until now|up to now|all in all"
    r"|in total|these days|already|overall|today))*"
)
WHAT = (
    r"what(?: all| else| exactly| precisely| kind of (?:things|stuff)| sorts? of things| things"
    r"| facts"
    r"| memories| information| info| data| stuff| details)?"
)
DO_YOU = rf"(?:do|did|can|could) (?:you|u){STILL}"
HAVE_YOU = rf"(?:have (?:you|u)|(?:you|u) have|(?:you|u)'?ve|did (?:you|u)){STILL}"
KEPT = (
    r"(?:saved?|stored?|kept|keep|remember(?:ed)?|noted?|record(?:ed)?|memori[sz]ed?"
    r"|written down|on file"
    r"|in (?:your )?(?:memory|storage))"
)
IN_MEMORY = (
    r"(?:in|in your|in my|in the|from|from your|inside your) (?:memory(?: banks?| store)?"
    r"|memories|storage|records)"
)
SHOW = (
    r"(?:show|list|display|print|give|tell|read(?: back| out)?|summari[sz]e|recap|describe|see"
    r"|view|hear"
    r"|get|open|outline|go (?:over|through)|run through|browse|check|remind|know"
    r"|find out)(?: (?:me|us"
    r"|out))*(?: of)?"
)
ALL = (
    r"(?:everything|all(?: of)?(?: it)?|all (?:the )?(?:things|facts|stuff)|what(?:ever)?"
    r"|the things"
    r"|a (?:list|summary|overview|recap) of (?:everything|all|what|the things|all (?:the )?things)"
    r"|the (?:list|full list) of (?:everything|what)|anything|all that|exactly what)"
)
MY = (
    r"(?:(?:all|a list|a summary|an overview|the list|every one)(?: of)? )?(?:(?:my|your|the|our"
    r"|all|any|stored|saved|pinned|current|of|full|whole|entire) )*"
)
KNOW = (
    rf"(?:you{STILL} (?:know|remember|recall|have (?:stored|saved|learned|learnt|kept)"
    rf"|'ve learned)|{YOU_HAVE_KEPT}|you'?ve learn(?:ed|t)|you(?: have|'ve got)?)"
)
ABOUT_ME = rf"(?: (?:about|on|of|regarding|for|from) {ME})"
