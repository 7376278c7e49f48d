"""What has been decided."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule
from memory.write.extraction.words import ADVERBS, I_AM, NOT_THIS, I

_DECIDED = (
    r"(?:decided|chosen|chose|opted|picked|settled (?:on|for)|agreed|resolved|committed to"
    r"|made up (?:my|our) minds?|switched (?:to|from)|migrated (?:to|from)|standardi[sz]ed on"
    r"|adopted (?:the|a policy)|ruled out|dropped (?:support|the idea)|voted (?:to|for)"
    r"|given up on|gave up (?:on )?\w+|stopped (?:using|eating|drinking|smoking|going|working"
    r"|taking|buying)|quit (?:smoking|drinking|sugar|social|coffee|alcohol)|went with|gone with"
    r"|ended up (?:choosing|going with|buying|picking|with)|moved (?:away from|over to))"
)
_MEANT = (
    r"(?:going with|sticking with|switching (?:to|from)|moving (?:to (?:postgres\w*|python|rust"
    r"|kubernetes|aws|gcp|azure|linux)|away from)|migrating (?:to|from)|dropping|opting for"
    r"|using \w+ (?:for|instead)|giving up|no longer (?:using|supporting|doing))"
)

DECISIONS = (
    Rule(
        "decided",
        "decision",
        0.8,
        rf"(?:(?:{I}|the \w+|my \w+(?: and I)?|our \w+)(?:'ve| have"
        rf"| has)? )?{ADVERBS}(?!agreed\W*$){_DECIDED}:? (?:that \w+ \w|the name |{NOT_THIS})\w+",
        unless=r"\bagreed with (?:you|that|him|her|them)\b|\b(?:haven't|not) (?:yet )?decided\b"
        r"|\bdecided (?:yet|whether|if)\b|\bpicked (?:up|him|her|the kids|on)\b|\bsettled (?:in"
        r"|down)\s*$|\bdecided to (?:ask|try (?:this|it|you)|check (?:it|this)|have (?:lunch"
        r"|a coffee)|take a (?:nap|break)|stay in bed)\b|\bdecided to (?:\w+ ){1,3}your\b"
        r"|\bdecided that (?:this|it|you|one|idea)\b|\bgave up on (?:this|it|that|you|the)\b",
        today_too=True,
    ),
    Rule(
        "is going with",
        "decision",
        0.8,
        rf"{I_AM}{ADVERBS}{_MEANT} {NOT_THIS}\w",
        unless=r"\bgoing with (?:him|her|them|my|friends|a friend)\b|\bgiving up\s*$",
        today_too=True,
    ),
    Rule(
        "will use",
        "decision",
        0.8,
        rf"(?:{I}(?:'ll| will)|{I_AM}going to|let's|let us) (?:\w+ly |just |now "
        r"|all )?(?:go with|use|stick (?:with|to)|switch to|settle on|adopt|standardi[sz]e on"
        r"|stop using"
        rf"|not use|no longer use|migrate to|name|call the) {NOT_THIS}[\w-]+,? \w",
        unless=r"\bthe \w+ one\b|\b(?:that|this|it|your)\b",
        today_too=True,
    ),
    Rule(
        "the decision is",
        "decision",
        0.8,
        r"(?:(?:my|our|the) (?:final |team's )?(?:decision|choice|verdict) (?:is|was) (?:to|that"
        r"|made to|\w+ \w)|it(?:'s| is| was) (?:been )?(?:decided|settled|agreed)\s*(?::|that|to)"
        r"|decision\s*:|decided\s*:|we have an? agreement)",
        unless=r"\b(?:yours|up to|difficult|hard|tough|easy)\b",
        today_too=True,
    ),
)
