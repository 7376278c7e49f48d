"""How something is done, and what somebody's own words mean."""

from __future__ import annotations

from memory.write.extraction.patterns.rule import Rule

PROCEDURES = (
    Rule(
        "step by step",
        "procedure",
        0.6,
        r"(?:to|when|before|after|for|in order to|whenever) (?!me\b|be honest"
        r"|you\b)[^,]{2,80}(?:,\s*| )(?:you |I |we |always |must |have to |need to "
        r"|should )*(?:first|start by|begin by|then|run\b.*\bthen\b|\w+\b.*,? (?:and )?then\b).*"
        r"|(?:(?:my|our|the) (?:[\w-]+ ){0,4}(?:process|procedure|workflow|routine|recipe|steps"
        r"|checklist|pipeline|runbook|onboarding|setup|release|deployment|ritual"
        r"|method)\b[^:.]{0,40}?(?:is|are|goes|:|works|starts)).*(?:\bfirst\b|\bthen\b|\bstep\b"
        r"|\b1[.)]|,.*,|->|→).*|how (?:I|we) [^:]{2,60}:\s*\w.*|(?:I|we) (?:always "
        r"|usually )?(?:first|start by)\b.*\bthen\b.*|the way (?:I|we) \w+[^.]{2,60} is\b.*",
        unless=r"^to (?:boil|bake|fry|cook|make|prepare|solve|calculate) (?!.*\b(?:my|our|I"
        r"|we)\b)|\b(?:once upon|the error|summari[sz]e|translate|chapter|please (?:write|give"
        r"|list|explain))\b|^to (?:me|be|sum|summarise|summarize|start|begin|conclude|recap)\b"
        r"|\b(?:yesterday|last night)\b|^first\b.*\b(?:translate|summari[sz]e|write)\b",
    ),
    Rule(
        "how a thing of ours is handled",
        "procedure",
        0.6,
        r"(?:to|when|whenever|if|before|after) (?!me\b)[^,]{0,60}\b(?:my|our|the) (?!same\b|first\b"
        r"|next\b|last\b)[^,]{2,50}(?:,? you|, I|, we|, one) (?:always |usually |just |first |only "
        r"|have to "
        r"|need to |must |should |can )*(?!am\b|was\b|were\b|had\b|feel\b|think\b|want\b|hope\b"
        r"|love\b|like\b|hate\b|get\b|cry\b|know\b|would\b|could\b|will\b|did\b"
        r"|see\b)[a-z]+(?<!ed) "
        r"(?:the|my|our|it|them|a|an|down|up|in|on|off|for|out|twice|both|only|everything)\b"
        r"|(?:my|our) [\w' -]{2,40} (?:has|have|needs?) to be (?!a\b|the\b|sure)\w+ (?:\w+ )*"
        r"(?:before|after|every|once|twice|first|by hand|with|at least|until)\b",
        unless=r"\b(?:error|bug|function|script|command|this|that|weather|film|movie|yesterday|today"
        r"|last night|book|story)\b|^(?:to|if) (?:boil|bake|fry|cook|prepare|solve|calculate)\b"
        r"(?!.*\b(?:my|our)\b)|^to (?!.*\b(?:my|our)\b)|^(?:if|when\w*|before|after) (?!.*\b(?:my"
        r"|our|we)\b)",
    ),
    Rule(
        "steps by number",
        "procedure",
        0.6,
        r"(?:step\s*1|1[.)])\b.*\b(?:step\s*2|2[.)]).*",
    ),
)

DEFINITIONS = (
    Rule(
        "by … I mean",
        "definition",
        0.6,
        r"(?:by (?!that|this|it|which)[\"'“‘]?.{1,60}?[\"'”’]?,? (?:I|we) (?:always |usually "
        r"|really )?(?:mean|refer to) |when(?:ever)? (?:I|we) (?:say|write|talk about"
        r"|mention) .{1,60}?,? (?:I|we) (?:always |usually )?(?:mean|refer|am referring"
        r"|'m talking)\b|(?:I|we) (?:all |usually |always |just )?(?:call|define|refer to"
        r"|abbreviate) (?!you\b|it\b|that\b|this\b|him\b|her\b|them\b|me\b|back\b|my (?:mum|mom"
        r"|mother|dad|parents|sister|brother)\b).{2,80} (?:[\"'“‘]?\w+|as \w+))",
        unless=r"\b(?:yesterday|tomorrow|today|every|later)\b|\bcall (?:the (?:police|function"
        r"|api|doctor)|a )|\bme\s*$",
    ),
    Rule(
        "means, in our words",
        "definition",
        0.6,
        r"(?=.*\b(?:our|we|us|my|I|at work|here|this project|internally|in the team)\b)(?!(?:it"
        r"|that|this|which|what|he|she|I|we|you|they)\b)[\"'“‘]?[\w][^,]{0,60}? (?:means"
        r"|refers to|stands for|is short for|is defined as|denotes|is what (?:we|I) call"
        r"|is how we refer|are what we call) \S|[\"“‘'][^\"”’]{1,40}[\"”’'] (?:is|are) (?:my"
        r"|our) \w",
        unless=r"\bmeans (?:a lot|so much|the world|everything|that I|I (?:have|can|need))\b",
    ),
    Rule(
        "means, in quotation marks",
        "definition",
        0.6,
        r"(?:(?:in|at) (?:our|my|this) [\w ]{1,30},? (?:an? )?)[\"'“‘]?[\w][^,]{0,60}? (?:means"
        r"|refers to|stands for|is (?:an?|the|our|short)|are) \S",
        unless=r"^in my (?:opinion|view|experience|case|head|mind)\b|^in this (?:case|example"
        r"|code)\b",
    ),
)
